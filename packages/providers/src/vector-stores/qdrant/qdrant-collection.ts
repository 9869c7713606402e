import type { CollectionName, VectorCollection, VectorMatch, VectorRecord, VectorSearch } from "@weft/engine";
import type { JsonObject } from "@weft/schema";
import { matchesFilter, toFilterKeys } from "../filter-keys.ts";
import { candidatesOf, fuseMatches } from "../fuse-matches.ts";
import { assertSameEmbedder, assertVectorLengths, lastOfEachId } from "../mismatch.ts";
import { toIndexedTerms, toQueryTerms } from "../terms.ts";
import type { QdrantApi, QdrantPoint, QdrantQuery } from "./qdrant-api.ts";
import { statusOf, toQdrantError } from "./qdrant-error.ts";
import { toSparseDocument, toSparseQuery } from "./sparse-terms.ts";

export type QdrantCollectionDeps = {
  name: CollectionName;
  api: QdrantApi;
  /** Texts that no message may contain. */
  secrets: readonly string[];
};

/** What a point carries besides its vectors. */
type Payload = { text: string; metadata: JsonObject; filters: string[] };

/** Points of one request. */
const writeBatch = 100;
/** The sparse vector of a text's words. */
const termsVector = "terms";

/**
 * A collection of Qdrant, created by the first upsert. Its dense vector has the embedder's id as its name: vectors of
 * another embedder have nowhere to go. Keyword search is by a sparse vector of the same words that other stores index.
 */
export function createQdrantCollection({ name, api, secrets }: QdrantCollectionDeps): VectorCollection {
  const vectorName = name.embedderId;

  /** Undefined when the collection does not exist. A refused request may mean that it is another embedder's. */
  async function call<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T | undefined> {
    signal.throwIfAborted();
    try {
      return await send();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (statusOf(error) === 404) return undefined;
      if (statusOf(error) === 400) await assertOwn(signal);
      throw toQdrantError(error, secrets);
    }
  }

  async function assertOwn(signal: AbortSignal): Promise<void> {
    const info = await api.describe(signal).catch(() => undefined);
    const [stored] = Object.entries(info?.config.params.vectors ?? {});
    const size = (stored?.[1] as { size?: number } | undefined)?.size;
    if (stored !== undefined && size !== undefined)
      assertSameEmbedder({ embedderId: stored[0], dimension: size }, name);
  }

  async function create(signal: AbortSignal): Promise<void> {
    const vectors = { [vectorName]: { size: name.dimension, distance: "Cosine" as const } };
    const sparse_vectors = { [termsVector]: { modifier: "idf" as const } };
    await call(signal, async () => {
      try {
        await api.create({ vectors, sparse_vectors }, signal);
      } catch (error) {
        // Another process was first.
        if (statusOf(error) !== 409) throw error;
      }
      await api.indexKeywords("filters", signal);
    });
  }

  /** Whether the collection exists. */
  async function put(points: readonly QdrantPoint[], signal: AbortSignal): Promise<boolean> {
    const isPut = await call(signal, async () => {
      await api.upsert(points, signal);
      return true;
    });
    return isPut === true;
  }

  return {
    async upsert(records, { signal }) {
      signal.throwIfAborted();
      assertVectorLengths(
        name,
        records.map(({ vector }) => vector),
      );
      const unique = lastOfEachId(records);
      for (let start = 0; start < unique.length; start += writeBatch) {
        const points = unique.slice(start, start + writeBatch).map((record) => toPoint(record, vectorName));
        if (await put(points, signal)) continue;
        await create(signal);
        await put(points, signal);
      }
    },

    async delete(ids, { signal }) {
      signal.throwIfAborted();
      if (ids.length === 0) return;
      await call(signal, () => api.delete(ids, signal));
    },

    async search(search) {
      search.signal.throwIfAborted();
      assertVectorLengths(name, [search.vector]);
      const searches = toQueries(search, vectorName);
      if (searches.length === 0) return [];
      const results = await call(search.signal, () => api.query(searches, search.signal));
      const lists = (results ?? []).map(({ points }) => points.map(toMatch));
      return toMatches(lists, search);
    },

    async count({ signal }) {
      return (await call(signal, () => api.count(signal)))?.count ?? 0;
    },

    async drop({ signal }) {
      await call(signal, () => api.drop(signal));
    },
  };
}

function toPoint({ id, vector, text, metadata }: VectorRecord, vectorName: string): QdrantPoint {
  const terms = toIndexedTerms(text);
  const sparse = terms.length === 0 ? {} : { [termsVector]: toSparseDocument(terms) };
  const payload: Payload = { text, metadata, filters: toFilterKeys(metadata) };
  return { id, vector: { [vectorName]: [...vector], ...sparse }, payload };
}

/** Of vector, keywords or both. A question without words has no keyword query. */
function toQueries({ vector, text, mode, topK, filter = {} }: VectorSearch, vectorName: string): QdrantQuery[] {
  const must = toFilterKeys(filter).map((value) => ({ key: "filters", match: { value } }));
  const limit = mode === "hybrid" ? candidatesOf(topK) : topK;
  const shared = { limit, with_payload: true, ...(must.length === 0 ? {} : { filter: { must } }) };
  const terms = toQueryTerms(text);
  return [
    ...(mode === "keyword" ? [] : [{ query: [...vector], using: vectorName, ...shared }]),
    ...(mode === "vector" || terms.length === 0
      ? []
      : [{ query: toSparseQuery(terms), using: termsVector, ...shared }]),
  ];
}

function toMatch({ id, score, payload }: { id: unknown; score: number; payload?: unknown }): VectorMatch {
  const { text = "", metadata = {} } = (payload ?? {}) as Partial<Payload>;
  return { id: String(id), text, metadata, score };
}

function toMatches(lists: readonly VectorMatch[][], search: VectorSearch): VectorMatch[] {
  const { mode, filter = {} } = search;
  const [first = [], second = []] = lists.map((list) => list.filter(({ metadata }) => matchesFilter(metadata, filter)));
  return mode === "hybrid" ? fuseMatches({ near: first, byTerms: second }, search) : first;
}
