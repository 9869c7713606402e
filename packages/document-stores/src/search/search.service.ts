import { isDeepStrictEqual } from "node:util";
import type { Retriever } from "@weft/engine/ports/retriever";
import type { VectorCollection, VectorMatch, VectorSearch } from "@weft/engine/ports/vector-store";
import type { Logger } from "@weft/http/logger";
import {
  comparedNames,
  type Document,
  type Json,
  type JsonObject,
  readFilter,
  type VectorQuery,
  type VectorQueryResult,
  WeftError,
} from "@weft/schema";
import { findLiveChunks, findMetadataNames, hasMetadataName } from "../state/chunk.store.ts";
import { findStore } from "../state/document-store.store.ts";
import { changeLoaders, listLoaderStates } from "../state/loader.store.ts";
import { findCollection, findLeftBehind, listCollections } from "../state/record.store.ts";
import { collectionName, readChoice, type StoreBackend } from "../stores/store-backend.ts";
import type { DocumentCollectionRow, DocumentStoreRow } from "../tables.ts";
import { createDeleteVectors, type DeleteVectors, type DeleteVectorsDeps } from "./delete-vectors.ts";
import { resolveStoreId } from "./resolve-store-id.ts";

export type SearchServiceDeps = DeleteVectorsDeps & { backend: StoreBackend; logger: Pick<Logger, "info"> };

export type SearchService = {
  /**
   * Finds passages that exist, although vectors of deleted ones may still be in the database. Rejects with
   * `parameters-invalid` for an unknown store, filter or override, with `embedding-mismatch` when the store's settings
   * name another model than its vectors are of, and with what the model or the database fails with.
   */
  query(query: VectorQuery, signal: AbortSignal): Promise<VectorQueryResult>;
  /** For flows. */
  retriever: Retriever;
  /** As `createDeleteVectors`. The log says what went. */
  deleteVectors(storeId: string, options: Parameters<DeleteVectors>[1]): Promise<void>;
};

const defaultTopK = 4;

export function createSearchService(deps: SearchServiceDeps): SearchService {
  const { read } = deps.database;
  const deleteVectors = createDeleteVectors(deps);
  return {
    async query(asked, signal) {
      const since = performance.now();
      const { storeId, query, includeOrphans } = asked;
      const store = await findStore(read, storeId);
      if (store === undefined) throw unknownStore(storeId);
      const settings = readQuerySettings(asked, readChoice(store.vectorStoreConfig).config);
      const found = await search(deps, store, { query, includeOrphans, ...settings, signal });
      if (found.length === 0) await assertKnownFilter(deps, storeId, settings.filter);
      return {
        docs: found.map((match) => {
          return { ...toDocument(match), id: match.id, chunkNo: match.chunkNo ?? -1, score: match.score };
        }),
        timeTaken: Math.round(performance.now() - since),
      };
    },

    retriever: {
      async retrieve({ storeId: given, agentId, query, topK, filter, signal }) {
        const storeId = resolveStoreId(given, agentId);
        const store = await findStore(read, storeId);
        if (store === undefined) throw notRetrieved(storeId, storeId === given ? noStore : noOwnStore);
        try {
          return (await search(deps, store, { query, topK, filter, signal })).map(toDocument);
        } catch (cause) {
          signal.throwIfAborted();
          if (cause instanceof WeftError) throw notRetrieved(storeId, cause.message, cause);
          throw cause;
        }
      },
    },

    async deleteVectors(storeId, options) {
      const count = await deleteVectors(storeId, options);
      deps.logger.info("vectors-deleted", { storeId, loaderId: options.loaderId, count });
    },
  };
}

const noStore = "no store of this id exists. Choose another one.";
const noOwnStore =
  "the agent's own store was not made yet, or was deleted. Send POST /api/v1/vector/upsert/<id of the agent> to make it.";

type Search = Pick<VectorQuery, "query" | "topK" | "mode" | "filter" | "includeOrphans"> & { signal: AbortSignal };

async function search(deps: SearchServiceDeps, store: DocumentStoreRow, asked: Search): Promise<LiveMatch[]> {
  const { backend, database } = deps;
  const { query, topK, mode, filter, includeOrphans, signal } = asked;
  const model = await backend.embedder(store);
  const known = await findCollection(database.read, collectionName(store, model.id));
  if (known === undefined) {
    await assertNotWrittenElsewhere(deps, store, model.id);
    return [];
  }
  const leftBehind = await findLeftBehind(database.read, known);
  if (leftBehind !== undefined) throw otherSettings(store, leftBehind, model.id);
  const { config } = readChoice(store.vectorStoreConfig);
  const [vector] = await backend.embed(model, { texts: [query], purpose: "query", signal });
  if (vector === undefined) throw new Error("The embedding model answered no vector.");
  if (vector.length !== known.dimension) {
    await outdate(deps, store.id);
    throw otherLength(store, known.dimension, vector.length);
  }
  const collection = await backend.open(store, known);
  const wanted = {
    vector,
    text: query,
    topK: topK ?? (Number(config.topK) || defaultTopK),
    mode: mode ?? "hybrid",
    filter: filter ?? undefined,
    signal,
  } as const;
  const searched = includeOrphans ? searchAll : searchLive;
  return searched(collection, wanted, (ids) => findLiveChunks(database.read, store.id, ids));
}

/** Nothing was written with these settings: with others it was, or there is nothing to be found yet. */
async function assertNotWrittenElsewhere(
  deps: SearchServiceDeps,
  store: DocumentStoreRow,
  embedderId: string,
): Promise<void> {
  const { read } = deps.database;
  const [other] = await listCollections(read, store.id);
  if (other === undefined) return;
  const loaders = await listLoaderStates(read, store.id);
  if (!loaders.some(({ chunkSet }) => chunkSet !== "")) return;
  await outdate(deps, store.id);
  throw otherSettings(store, other, embedderId);
}

/** Loaders whose vectors are no longer usable. */
function outdate({ database }: SearchServiceDeps, storeId: string): Promise<void> {
  return changeLoaders(database, storeId, { event: "changed" });
}

/** An empty result may be for a name that no passage has: that is a mistake, and is said. */
async function assertKnownFilter(
  { database: { read } }: SearchServiceDeps,
  storeId: string,
  filter: VectorQuery["filter"],
): Promise<void> {
  const asked = readFilter(filter ?? {});
  for (const name of "problem" in asked ? [] : comparedNames(asked.condition)) {
    if (name === "docId" || (await hasMetadataName(read, storeId, name))) continue;
    const known = await findMetadataNames(read, storeId);
    if (known.length === 0) return;
    const path = `filter.${name}`;
    throw invalid(
      path,
      `${path}: no passage in this document store has metadata with this name. Available names: ${known.join(", ")}.`,
    );
  }
}

function toDocument({ text, metadata }: VectorMatch): Document {
  return { pageContent: text, metadata };
}

/** The collection is that of another model, or of the same one in another vector database. */
function otherSettings(
  store: DocumentStoreRow,
  { embedderId: stored }: Pick<DocumentCollectionRow, "embedderId">,
  given: string,
): WeftError {
  if (stored !== given) return otherVectors(store, stored, given);
  return otherVectors(store, "another vector database", "the one of its settings");
}

function otherVectors({ id, name }: DocumentStoreRow, stored: string, given: string): WeftError {
  const message = `The vectors of the document store "${name}" (${id}) come from ${stored}, but its settings specify ${given}: they cannot be compared. Upsert it again (POST /api/v1/document-store/refresh/${id}), or restore the earlier settings.`;
  return new WeftError("embedding-mismatch", { message });
}

function otherLength({ id, name }: DocumentStoreRow, stored: number, given: number): WeftError {
  const message = `The vectors of the document store "${name}" (${id}) have ${stored} dimensions, but its embedding model now returns ${given}: they cannot be compared. Delete them (DELETE /api/v1/document-store/vectorstore/${id}) and upsert it again.`;
  return new WeftError("embedding-mismatch", { message });
}

/** The row of the reference has no 404. */
function unknownStore(id: string): WeftError {
  const reason = `No document store with the id ${id} exists. GET /api/v1/document-store/store lists them.`;
  return new WeftError("parameters-invalid", { params: { reason } });
}

function notRetrieved(storeId: string, reason: string, cause?: WeftError): WeftError {
  const options = { params: { storeId, reason }, cause, retryable: cause?.retryable ?? false };
  return new WeftError("retrieval-failed", cause?.upstream ? { ...options, upstream: cause.upstream } : options);
}

/** A match and the number of its chunk; undefined if the chunk no longer exists. */
type LiveMatch = VectorMatch & { chunkNo: number | undefined };

/** Chunks of these ids that exist, with their numbers. */
type FindLive = (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** How much farther a search looks when what it found was deleted. */
const widening = 4;
/** Behind this many nearer vectors of deleted passages nothing is looked for: a search ends in reasonable time. */
const farthest = 5_000;

/**
 * Searches a collection, in any vector database, for passages that exist. Vectors of deleted ones may stay in it, so
 * a search that met some of them looks on until it has as many passages as asked for, or has seen them all.
 */
async function searchLive(
  collection: Pick<VectorCollection, "search">,
  search: VectorSearch,
  findLive: FindLive,
): Promise<LiveMatch[]> {
  for (let topK = search.topK; ; topK = Math.min(topK * widening, farthest)) {
    const matches = await collection.search({ ...search, topK });
    const live = (await numbered(matches, findLive)).filter(({ chunkNo }) => chunkNo !== undefined);
    if (live.length >= search.topK || matches.length < topK || topK >= farthest) return live.slice(0, search.topK);
  }
}

/** As `searchLive`, with passages that were deleted among them. */
async function searchAll(
  collection: Pick<VectorCollection, "search">,
  search: VectorSearch,
  findLive: FindLive,
): Promise<LiveMatch[]> {
  return numbered(await collection.search(search), findLive);
}

async function numbered(matches: readonly VectorMatch[], findLive: FindLive): Promise<LiveMatch[]> {
  const numbers = await findLive(matches.map(({ id }) => id));
  return matches.map((match) => ({ ...match, chunkNo: numbers.get(match.id) }));
}

type QuerySettings = Pick<VectorQuery, "topK" | "mode" | "filter">;

/** What `inputs` may override, under the names of the query itself. */
const overridable = ["topK", "mode", "filter"] as const;
const mostTopK = 100;

/**
 * A query with what its `inputs` override. Existing clients send the settings of the vector database in them: what they
 * leave as it is stored counts for nothing. Throws `parameters-invalid` for any other override.
 */
function readQuerySettings({ topK, mode, filter, inputs }: Partial<VectorQuery>, stored: JsonObject): QuerySettings {
  const over: JsonObject = {};
  for (const [name, value] of Object.entries(inputs ?? {})) {
    if (overridable.some((known) => known === name)) over[name] = value;
    else if (!isDeepStrictEqual(value, stored[name])) throw unknownInput(name);
  }
  const settings = {
    topK: topK ?? topKOf(over.topK),
    mode: mode ?? modeOf(over.mode),
    filter: filter ?? objectOf(over.filter),
  };
  assertFilter(settings.filter ?? {});
  return settings;
}

/** Throws `parameters-invalid` for a filter that means nothing. */
function assertFilter(filter: JsonObject): void {
  const read = readFilter(filter);
  if (!("problem" in read)) return;
  const path = ["filter", ...read.problem.path].join(".");
  throw invalid(path, `${path} ${read.problem.reason}`);
}

function topKOf(value: Json | undefined): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const topK = Math.trunc(Number(value));
  if (topK >= 1) return Math.min(topK, mostTopK);
  throw invalid("inputs.topK", `inputs.topK must be a number from 1 to ${mostTopK}.`);
}

function modeOf(value: Json | undefined): QuerySettings["mode"] {
  if (value === undefined || value === null || value === "") return undefined;
  if (value === "vector" || value === "keyword" || value === "hybrid") return value;
  throw invalid("inputs.mode", "inputs.mode must be vector, keyword or hybrid.");
}

function objectOf(value: Json | undefined): JsonObject | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "object" && !Array.isArray(value)) return value;
  throw invalid("inputs.filter", "inputs.filter must be an object of metadata and their values.");
}

function unknownInput(name: string): WeftError {
  const known = overridable.join(", ");
  return invalid(
    `inputs.${name}`,
    `inputs.${name} cannot be overridden by a query. It can override ${known}; the rest belongs to the store's settings.`,
  );
}

function invalid(path: string, reason: string): WeftError {
  return new WeftError("parameters-invalid", { params: { reason }, errors: [{ path, message: reason }] });
}
