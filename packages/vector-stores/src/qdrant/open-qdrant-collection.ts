import { describeNetworkError, isHttpAddress, isNetworkError, toReason } from "@weft/engine/http";
import type {
  CollectionName,
  VectorCollection,
  VectorMatch,
  VectorRecord,
  VectorSearch,
} from "@weft/engine/ports/vector-store";
import {
  findWeftError,
  type JsonObject,
  readCredentialField,
  textOrEmpty,
  toJsonObject,
  WeftError,
} from "@weft/schema";
import {
  assertSameEmbedder,
  assertVectorLengths,
  lastOfEachId,
  type VectorStoreServices,
} from "../port/define-vector-store.ts";
import { candidatesOf, fuseMatches, toIndexedTerms, toQueryTerms } from "../port/fuse-matches.ts";
import { type SearchFilter, toFilterKeys, toSearchFilter } from "../port/search-filter.ts";
import {
  createQdrantApi,
  type QdrantApi,
  type QdrantPoint,
  type QdrantQuery,
  QdrantRefusal,
  QdrantUnreadable,
} from "./qdrant-api.ts";

export type QdrantConfig = { url: string; credential?: string | undefined; collection?: string | undefined };

/** Rejects with `vector-store-not-configured`. */
export async function openQdrantCollection(
  { url, credential, collection }: QdrantConfig,
  name: CollectionName,
  { readCredential, fetch }: VectorStoreServices,
): Promise<VectorCollection> {
  if (!isHttpAddress(url)) {
    throw notConfigured("it needs the address of the server, such as https://qdrant.example.com:6333.");
  }
  const apiKey = credential?.trim() ? await readKey(credential, readCredential) : undefined;
  return createQdrantCollection({
    name,
    api: createQdrantApi({ address: url, apiKey, fetch }, collection ?? name.collection),
    secrets: apiKey === undefined ? [] : [apiKey],
  });
}

const keyField = { name: "apiKey", aliases: ["qdrantApiKey"] };

async function readKey(
  credential: string,
  readCredential: VectorStoreServices["readCredential"],
): Promise<string | undefined> {
  const fields = await readCredential(credential);
  if (fields === undefined) throw notConfigured("its credential does not exist any more. Choose another.");
  return readCredentialField(keyField, fields);
}

function notConfigured(reason: string): WeftError {
  return new WeftError("vector-store-not-configured", { params: { store: "qdrant", reason } });
}

type QdrantCollection = {
  name: CollectionName;
  api: QdrantApi;
  /** Texts that no message may contain. */
  secrets: readonly string[];
};

/** Data of a point besides its vectors. */
type Payload = { text: string; metadata: JsonObject; filters: string[] };

/** Points per request. */
const writeBatch = 100;
/** The sparse vector of a text's words. */
const termsVector = "terms";

/**
 * A collection of Qdrant, created by the first upsert. Its dense vector is named after the embedder's id: vectors of
 * another embedder do not fit. Keyword search uses a sparse vector of the same words that other stores index.
 */
function createQdrantCollection(collection: QdrantCollection): VectorCollection {
  const { name, api } = collection;
  const vectorName = name.embedderId;
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
        if (await put(collection, points, signal)) continue;
        await create(collection, signal);
        await put(collection, points, signal);
      }
    },

    async delete(ids, { signal }) {
      signal.throwIfAborted();
      if (ids.length === 0) return;
      await call(collection, signal, () => api.delete(ids, signal));
    },

    async search(search) {
      search.signal.throwIfAborted();
      assertVectorLengths(name, [search.vector]);
      const filter = toSearchFilter(search.filter);
      if (filter.isImpossible) return [];
      const wanted = search.mode === "hybrid" ? candidatesOf(search.topK) : search.topK;
      for (let limit = wanted; ; limit = Math.min(limit * widening, farthest)) {
        const searches = toQueries(search, { vectorName, filter, limit });
        if (searches.length === 0) return [];
        const results = await call(collection, search.signal, () => api.query(searches, search.signal));
        const found = (results ?? []).map(({ points }) => points.map(toMatch));
        const lists = found.map((list) => list.filter(({ metadata }) => filter.matches(metadata)).slice(0, wanted));
        const isShort = lists.some((list, at) => list.length < wanted && found[at]?.length === limit);
        if (filter.isExact || !isShort || limit >= farthest) return toMatches(lists, search);
      }
    },

    async count({ signal }) {
      return (await call(collection, signal, () => api.count(signal)))?.count ?? 0;
    },

    async drop({ signal }) {
      await call(collection, signal, () => api.drop(signal));
    },
  };
}

/** Undefined if the collection does not exist. A refused request may mean that it belongs to another embedder. */
async function call<T>(
  collection: QdrantCollection,
  signal: AbortSignal,
  send: () => Promise<T>,
): Promise<T | undefined> {
  signal.throwIfAborted();
  try {
    return await send();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (statusOf(error) === 404) return undefined;
    if (statusOf(error) === 400) await assertOwn(collection, signal);
    throw toQdrantError(error, collection.secrets);
  }
}

async function assertOwn({ name, api }: QdrantCollection, signal: AbortSignal): Promise<void> {
  const info = await api.describe(signal).catch(() => undefined);
  const [stored] = Object.entries(info?.config.params.vectors ?? {});
  const size = (stored?.[1] as { size?: number } | undefined)?.size;
  if (stored !== undefined && size !== undefined) assertSameEmbedder({ embedderId: stored[0], dimension: size }, name);
}

async function create(collection: QdrantCollection, signal: AbortSignal): Promise<void> {
  const { name, api } = collection;
  const vectors = { [name.embedderId]: { size: name.dimension, distance: "Cosine" as const } };
  const sparse_vectors = { [termsVector]: { modifier: "idf" as const } };
  await call(collection, signal, async () => {
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
async function put(
  collection: QdrantCollection,
  points: readonly QdrantPoint[],
  signal: AbortSignal,
): Promise<boolean> {
  const isPut = await call(collection, signal, async () => {
    await collection.api.upsert(points, signal);
    return true;
  });
  return isPut === true;
}

function toPoint({ id, vector, text, metadata }: VectorRecord, vectorName: string): QdrantPoint {
  const terms = toIndexedTerms(text);
  const sparse = terms.length === 0 ? {} : { [termsVector]: toSparseDocument(terms) };
  const payload: Payload = { text, metadata, filters: toFilterKeys(metadata) };
  return { id, vector: { [vectorName]: [...vector], ...sparse }, payload };
}

/** Factor by which a search widens if its results do not all match. */
const widening = 8;
/** Limits the search behind this many nearer points that have the filter's keys but do not match. */
const farthest = 10_000;

type QueryScope = { vectorName: string; filter: SearchFilter; limit: number };

/** By vector, keywords or both. A question without words has no keyword query. */
function toQueries({ vector, text, mode }: VectorSearch, { vectorName, filter, limit }: QueryScope): QdrantQuery[] {
  const must = filter.keyGroups.map((keys) => ({ key: "filters", match: { any: [...keys] } }));
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
  const { text, metadata } = toJsonObject(payload);
  return { id: String(id), text: textOrEmpty(text), metadata: toJsonObject(metadata), score };
}

function toMatches([first = [], second = []]: readonly VectorMatch[][], search: VectorSearch): VectorMatch[] {
  return search.mode === "hybrid" ? fuseMatches({ near: first, byTerms: second }, search) : first;
}

/** A sparse vector in Qdrant's format. */
type SparseTerms = { indices: number[]; values: number[] };

/** The usual constants of BM25, and the average length of a chunk, in words. */
const k1 = 1.2;
const b = 0.75;
const usualLength = 200;

/**
 * The words of a text, each weighted with BM25's term frequency. Qdrant multiplies by the inverse document frequency
 * (modifier `idf`), and sums up. Words are identified by a 32-bit hash.
 */
function toSparseDocument(terms: readonly string[]): SparseTerms {
  const counts = new Map<number, number>();
  for (const term of terms) counts.set(hash32(term), (counts.get(hash32(term)) ?? 0) + 1);
  const lengthFactor = k1 * (1 - b + (b * terms.length) / usualLength);
  return {
    indices: [...counts.keys()],
    values: [...counts.values()].map((count) => (count * (k1 + 1)) / (count + lengthFactor)),
  };
}

function toSparseQuery(terms: readonly string[]): SparseTerms {
  const indices = [...new Set(terms.map(hash32))];
  return { indices, values: indices.map(() => 1) };
}

/** FNV-1a. */
function hash32(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return hash >>> 0;
}

/** The status of a refusal; undefined for any other failure. */
function statusOf(error: unknown): number | undefined {
  return error instanceof QdrantRefusal ? error.status : undefined;
}

/**
 * Converts a failure of the server or the connection to a failure of the store. Egress refusals and bugs stay
 * unchanged.
 */
function toQdrantError(error: unknown, secrets: readonly string[]): unknown {
  if (error instanceof QdrantRefusal) {
    const said = toReason(wordsOf(error), secrets).replace(/\.$/, "");
    return failed(describe(error.status, said), error.status === 429 || error.status >= 500);
  }
  if (error instanceof QdrantUnreadable) return failed("its answer is not JSON from Qdrant. Check the address.", false);
  const known = findWeftError(error);
  if (known !== undefined && !known.code.startsWith("egress-")) return known;
  if (known?.code === "egress-refused") return known;
  if (known !== undefined) return failed(known.message, known.retryable);
  if (!isNetworkError(error)) return error;
  return failed(`it could not be reached: ${describeNetworkError(error.cause ?? error, secrets)}.`, true);
}

function describe(status: number, said: string): string {
  if (status === 401 || status === 403) return `it refuses the API key (status ${status}). Correct the credential.`;
  return `it answers with status ${status}: ${said}.`;
}

/** Qdrant's own message: `{ status: { error: "…" } }`. */
function wordsOf({ data }: QdrantRefusal): string {
  const status = typeof data === "object" && data !== null && "status" in data ? data.status : undefined;
  const words = typeof status === "object" && status !== null && "error" in status ? status.error : undefined;
  return typeof words === "string" ? words : "it gave no reason";
}

function failed(reason: string, retryable: boolean): WeftError {
  return new WeftError("vector-store-failed", { params: { store: "qdrant", reason }, retryable });
}
