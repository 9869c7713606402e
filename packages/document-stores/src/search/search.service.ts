import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Retrieval, Retrieved, Retriever } from "@weft/engine/ports/retriever";
import {
  comparedNames,
  type Document,
  type Json,
  type JsonObject,
  keyOfOwnStore,
  readFilter,
  toRelevanceNote,
  type VectorQuery,
  type VectorQueryResult,
  WeftError,
  withoutCitation,
  withRelevance,
} from "@weft/schema";
import { findMetadataNames, hasMetadataName } from "../state/chunk.store.ts";
import { findStore } from "../state/document-store.store.ts";
import type { StoreContext } from "../store-context.ts";
import { readChoice } from "../stores/store-backend.ts";
import type { DocumentStoreRow } from "../tables.ts";
import { askStores, type FoundPassage, type StoreAsked } from "./ask-stores.ts";
import { withoutDuplicates } from "./choose-passages.ts";
import { createDeleteVectors, type DeleteVectors } from "./delete-vectors.ts";

export type SearchService = {
  /**
   * Finds existing passages, although vectors of deleted ones may still be in the database. Rejects with
   * `parameters-invalid` for an unknown store, filter or override, with `embedding-mismatch` if the store's settings
   * name another model than its vectors', and with errors of a model or the database.
   */
  query(query: VectorQuery, signal: AbortSignal): Promise<VectorQueryResult>;
  /** For flows. */
  retriever: Retriever;
  /** As `createDeleteVectors`. Logs the deletion. */
  deleteVectors(storeId: string, options: Parameters<DeleteVectors>[1]): Promise<void>;
};

export function createSearchService(context: StoreContext): SearchService {
  const { read } = context.database;
  const deleteVectors = createDeleteVectors(context);
  return {
    async query(asked, signal) {
      const since = performance.now();
      const { storeId, query, includeOrphans } = asked;
      const row = await findStore(read, storeId);
      if (row === undefined) throw unknownStore(storeId);
      const { topK, mode, filter } = readQuerySettings(asked, readChoice(row.vectorStoreConfig).config);
      const settings = { ...asked.settings, ...(mode && { mode }) };
      const stores = [{ row, topK, filter }];
      const found = await askStores(context, { stores, query, settings, includeOrphans, isTrial: true, signal });
      const [failure] = found.failures;
      if (failure !== undefined) throw failure.cause;
      const passages = found.lists[0] ?? [];
      if (passages.length === 0) await assertKnownFilter(context, storeId, filter);
      return {
        docs: passages.map(({ text: pageContent, metadata, id, chunkNo = -1, score, relevance }) => {
          return { pageContent, metadata, id, chunkNo, score, ...toRelevanceNote(relevance) };
        }),
        warnings: found.warnings.map(({ message }) => message),
        timeTaken: Math.round(performance.now() - since),
      };
    },

    retriever: { retrieve: (retrieval) => retrieve(context, retrieval) },

    async deleteVectors(storeId, options) {
      const count = await deleteVectors(storeId, options);
      context.logger.info("vectors-deleted", { storeId, loaderId: options.loaderId, count });
    },
  };
}

const noStore = "no store of this id exists. Choose another one.";
const noOwnStore =
  "the agent's own store was not made yet, or was deleted. Send POST /api/v1/vector/upsert/<id of the agent> to make it.";

/** As `Retriever`. Several stores succeed as long as one of them does. */
async function retrieve(context: StoreContext, { stores, agentId, topK, ...asked }: Retrieval): Promise<Retrieved> {
  const known: StoreAsked[] = [];
  const failures: WeftError[] = [];
  for (const { storeId: given, ...store } of stores) {
    const storeId = resolveStoreId(given, agentId);
    const row = await findStore(context.database.read, storeId);
    if (row === undefined) failures.push(notRetrieved(storeId, storeId === given ? noStore : noOwnStore));
    else known.push({ row, ...store });
  }
  const found = await askStores(context, { ...asked, stores: known });
  failures.push(...found.failures.map(({ row, cause }) => notRetrieved(row.id, messageOf(cause), cause)));
  const [failure] = failures;
  if (failure !== undefined && failures.length === stores.length) throw failure;
  const lists = found.lists.flatMap((list) => list ?? []);
  const merged = stores.length > 1 ? withoutDuplicates(lists.sort((a, b) => b.relevance - a.relevance)) : lists;
  const documents = merged.slice(0, topK ?? merged.length).map(toDocument);
  return {
    documents,
    warnings: [...failures.map(({ message }) => ({ code: "store-failed", message })), ...found.warnings],
    ...(documents.length === 0 && found.below.length > 0 && { nothing: nothingIn(found.below) }),
  };
}

function nothingIn(stores: readonly DocumentStoreRow[]): string {
  const names = [...new Set(stores.map(({ name }) => `"${name}"`))].join(", ");
  return `Nothing about this was found in ${names}.`;
}

function toDocument({ text, metadata, relevance }: FoundPassage): Document {
  return withRelevance(withoutCitation({ pageContent: text, metadata }), relevance);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : "it failed.";
}

/** An empty result may be due to a name that no passage has: reports that mistake. */
async function assertKnownFilter(
  { database: { read } }: StoreContext,
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

/** The reference documents no 404 here. */
function unknownStore(id: string): WeftError {
  const reason = `No document store with the id ${id} exists. GET /api/v1/document-store/store lists them.`;
  return new WeftError("parameters-invalid", { params: { reason } });
}

function notRetrieved(storeId: string, reason: string, cause?: unknown): WeftError {
  const known = cause instanceof WeftError ? cause : undefined;
  const options = { params: { storeId, reason }, cause, retryable: known?.retryable ?? false };
  return new WeftError("retrieval-failed", known?.upstream ? { ...options, upstream: known.upstream } : options);
}

type QuerySettings = Pick<VectorQuery, "topK" | "mode" | "filter">;

/** Query settings that `inputs` may override. */
const overridable = ["topK", "mode", "filter"] as const;
const mostTopK = 100;

/**
 * A query with the overrides of its `inputs`. Existing clients send the settings of the vector database in them:
 * unchanged ones are ignored. Throws `parameters-invalid` for any other override.
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

/** Throws `parameters-invalid` for a meaningless filter. */
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

/** The id that a reference to a store means to an agent: deterministic for an agent and key. */
export function resolveStoreId(storeId: string, agentId: string | undefined): string {
  const key = keyOfOwnStore(storeId);
  return key === undefined || agentId === undefined ? storeId : toUuid(hash("sha256", `${agentId} ${key}`, "hex"));
}

/** A name-based UUID, version 8. */
function toUuid(hex: string): string {
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join("-");
}
