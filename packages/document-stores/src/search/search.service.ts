import { isDeepStrictEqual } from "node:util";
import type { Retriever } from "@weft/engine/ports/retriever";
import type { VectorMatch } from "@weft/engine/ports/vector-store";
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
import { findMetadataNames, hasMetadataName } from "../state/chunk.store.ts";
import { findStore } from "../state/document-store.store.ts";
import { readChoice, type StoreBackend } from "../stores/store-backend.ts";
import { createDeleteVectors, type DeleteVectors, type DeleteVectorsDeps } from "./delete-vectors.ts";
import { resolveStoreId } from "./resolve-store-id.ts";
import { searchStore } from "./search-store.ts";

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
      const found = await searchStore(deps, store, { query, includeOrphans, ...settings, signal });
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
          return (await searchStore(deps, store, { query, topK, filter, signal })).map(toDocument);
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

/** The row of the reference has no 404. */
function unknownStore(id: string): WeftError {
  const reason = `No document store with the id ${id} exists. GET /api/v1/document-store/store lists them.`;
  return new WeftError("parameters-invalid", { params: { reason } });
}

function notRetrieved(storeId: string, reason: string, cause?: WeftError): WeftError {
  const options = { params: { storeId, reason }, cause, retryable: cause?.retryable ?? false };
  return new WeftError("retrieval-failed", cause?.upstream ? { ...options, upstream: cause.upstream } : options);
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
