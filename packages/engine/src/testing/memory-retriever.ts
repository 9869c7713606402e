import { type Document, meetsCondition, readFilter, WeftError } from "@weft/schema";
import type { Retriever, StoreToSearch } from "../ports/retriever.ts";

/**
 * Document stores in memory, by id: the passages of each that share most words with the query come first, store by store.
 * Settings count for nothing.
 */
export function createMemoryRetriever(stores: Readonly<Record<string, readonly Document[]>>): Retriever {
  const search = ({ storeId, topK = 4, filter = {} }: StoreToSearch, query: string) => {
    const documents = Object.hasOwn(stores, storeId) ? stores[storeId] : undefined;
    if (!documents) {
      throw new WeftError("retrieval-failed", { params: { storeId, reason: "no store of this id exists." } });
    }
    const asked = wordsOf(query);
    const score = ({ pageContent }: Document) => [...wordsOf(pageContent)].filter((word) => asked.has(word)).length;
    const read = readFilter(filter);
    if ("problem" in read)
      throw new WeftError("retrieval-failed", { params: { storeId, reason: read.problem.reason } });
    const isWanted = ({ metadata }: Document) => meetsCondition(metadata, read.condition);
    const found = documents.filter((document) => isWanted(document) && score(document) > 0);
    return found.sort((a, b) => score(b) - score(a)).slice(0, topK);
  };
  return {
    async retrieve({ stores: asked, query, topK }) {
      const documents = asked.flatMap((store) => search(store, query));
      return { documents: documents.slice(0, topK ?? documents.length), warnings: [] };
    },
  };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}+/gu));
}
