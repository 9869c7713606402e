import type { QdrantClient } from "@qdrant/js-client-rest";
import type { CollectionName, VectorCollection, VectorMatch, VectorRecord, VectorSearch } from "@weft/engine";
import type { JsonObject } from "@weft/schema";
import { matchesFilter, toFilterKeys } from "../filter-keys.ts";
import { candidatesOf, fuseMatches } from "../fuse-matches.ts";
import { assertSameEmbedder, assertVectorLengths, lastOfEachId } from "../mismatch.ts";
import { toIndexedTerms, toQueryTerms } from "../terms.ts";
import { statusOf, toQdrantError, unreadable } from "./qdrant-error.ts";
import { toSparseDocument, toSparseQuery } from "./sparse-terms.ts";

export type QdrantApi = ReturnType<QdrantClient["api"]>;

export type QdrantCollectionDeps = {
  name: CollectionName;
  api: QdrantApi;
  /** The way out of the process. */
  dispatcher: RequestInit["dispatcher"];
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
export function createQdrantCollection({ name, api, dispatcher, secrets }: QdrantCollectionDeps): VectorCollection {
  const collection_name = name.collection;
  const vectorName = name.embedderId;

  /** Undefined when the collection does not exist. A refused request may mean that it is another embedder's. */
  async function call<T extends { data: unknown }>(
    signal: AbortSignal,
    send: (init: RequestInit) => Promise<T>,
  ): Promise<T | undefined> {
    signal.throwIfAborted();
    const init = { signal, ...(dispatcher === undefined ? {} : { dispatcher }) };
    try {
      const answer = await send(init);
      if (typeof answer.data !== "object") throw unreadable();
      return answer;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (statusOf(error) === 404) return undefined;
      if (statusOf(error) === 400) await assertOwn(init);
      throw toQdrantError(error, secrets);
    }
  }

  async function assertOwn(init: RequestInit): Promise<void> {
    const info = await api.getCollection({ collection_name }, init).catch(() => undefined);
    const [stored] = Object.entries(info?.data.result?.config.params.vectors ?? {});
    const size = (stored?.[1] as { size?: number } | undefined)?.size;
    if (stored !== undefined && size !== undefined)
      assertSameEmbedder({ embedderId: stored[0], dimension: size }, name);
  }

  async function create(signal: AbortSignal): Promise<void> {
    const vectors = { [vectorName]: { size: name.dimension, distance: "Cosine" as const } };
    const sparse_vectors = { [termsVector]: { modifier: "idf" as const } };
    await call(signal, async (init) => {
      try {
        await api.createCollection({ collection_name, vectors, sparse_vectors }, init);
      } catch (error) {
        // Another process was first.
        if (statusOf(error) !== 409) throw error;
      }
      const field = { field_name: "filters", field_schema: "keyword" as const, wait: true };
      return api.createFieldIndex({ collection_name, ...field }, init);
    });
  }

  async function put(points: ReturnType<typeof toPoint>[], signal: AbortSignal): Promise<boolean> {
    return (
      (await call(signal, (init) => api.upsertPoints({ collection_name, wait: true, points }, init))) !== undefined
    );
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
      await call(signal, (init) => api.deletePoints({ collection_name, wait: true, points: [...ids] }, init));
    },

    async search(search) {
      search.signal.throwIfAborted();
      assertVectorLengths(name, [search.vector]);
      const searches = toQueries(search, vectorName);
      if (searches.length === 0) return [];
      const answer = await call(search.signal, (init) => api.queryBatchPoints({ collection_name, searches }, init));
      const lists = (answer?.data.result ?? []).map(({ points }) => points.map(toMatch));
      return toMatches(lists, search);
    },

    async count({ signal }) {
      const answer = await call(signal, (init) => api.countPoints({ collection_name, exact: true }, init));
      return answer?.data.result?.count ?? 0;
    },

    async drop({ signal }) {
      await call(signal, (init) => api.deleteCollection({ collection_name }, init));
    },
  };
}

function toPoint({ id, vector, text, metadata }: VectorRecord, vectorName: string) {
  const terms = toIndexedTerms(text);
  const sparse = terms.length === 0 ? {} : { [termsVector]: toSparseDocument(terms) };
  const payload: Payload = { text, metadata, filters: toFilterKeys(metadata) };
  return { id, vector: { [vectorName]: [...vector], ...sparse }, payload };
}

/** Of vector, keywords or both. A question without words has no keyword query. */
function toQueries({ vector, text, mode, topK, filter = {} }: VectorSearch, vectorName: string) {
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
