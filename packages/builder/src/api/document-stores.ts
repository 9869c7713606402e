import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { DocumentStore, Operations, RequestOptions, StoredLoader, StoreEvaluation, UpsertJob } from "@weft/client";
import type { JsonObject } from "@weft/schema";
import { errorStrings } from "../strings.ts";
import { client, isApiError, withEtag } from "./client.ts";

/** Keys of everything about document stores; invalidate `all` after a change to any. */
export const documentStoreKeys = {
  all: ["document-stores"] as const,
  one: (id: string) => ["document-stores", "one", id] as const,
  upserts: (storeId: string) => ["document-stores", "upserts", storeId] as const,
  upsert: (id: string) => ["document-stores", "upsert", id] as const,
};

const { all } = documentStoreKeys;

export const documentStoresQuery = queryOptions({
  queryKey: [...all, "list"],
  queryFn: async ({ signal }) => (await client.listDocumentStores({ signal })).map(toStoreView),
});

/** A store with its loaders, whose long settings are truncated: see `loaderQuery`. */
export const documentStoreQuery = (id: string) =>
  queryOptions({
    queryKey: documentStoreKeys.one(id),
    queryFn: async ({ signal }) => toStoreView(await client.getDocumentStore({ id }, { signal })),
  });

/** A loader with its whole configuration. */
export const loaderQuery = (storeId: string, loaderId: string) =>
  queryOptions({
    queryKey: [...all, "loader", storeId, loaderId],
    queryFn: async ({ signal }) => toLoaderView(await client.getLoader({ storeId, loaderId }, { signal })),
  });

export const chunksPerPage = 50;

type ChunkQuery = Parameters<Operations["listChunks"]>[0];

export const chunksQuery = (query: ChunkQuery) =>
  queryOptions({
    queryKey: [...all, "chunks", query],
    queryFn: ({ signal }) => client.listChunks(query, { signal }),
    placeholderData: keepPreviousData,
  });

/** The last upserts of a store, newest first. */
export const upsertsQuery = (storeId: string) =>
  queryOptions({
    queryKey: documentStoreKeys.upserts(storeId),
    queryFn: ({ signal }) => client.listUpserts({ id: storeId }, { signal }),
    staleTime: 0,
  });

export const upsertHistoryQuery = (storeId: string) =>
  queryOptions({
    queryKey: [...all, "history", storeId],
    queryFn: ({ signal }) => client.listUpsertHistory({ id: storeId, page: 1, limit: 100, order: "DESC" }, { signal }),
    staleTime: 0,
  });

/** The components a store can use, each with its form. Changes only with the server. */
export const loaderTypesQuery = componentsQuery("loaders", (options) => client.listLoaderTypes(options));
export const splittersQuery = componentsQuery("splitters", (options) => client.listSplitters(options));
export const embeddingsQuery = componentsQuery("embeddings", (options) => client.listEmbeddingProviders(options));
export const vectorStoresQuery = componentsQuery("vector-stores", (options) => client.listVectorStores(options));
export const recordManagersQuery = componentsQuery("record-managers", (options) => client.listRecordManagers(options));
export const retrievalSettingsQuery = componentsQuery("retrieval", (options) => client.listRetrievalSettings(options));

type Components = ReturnType<Operations["listLoaderTypes"]>;

function componentsQuery(kind: string, list: (options: RequestOptions) => Components) {
  return queryOptions({
    queryKey: ["document-store-components", kind],
    queryFn: ({ signal }) => list({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Waits before attempts to reconnect; the last is repeated. */
const waitsMs: readonly number[] = [0, 250, 1_000, 2_000, 4_000];

/**
 * Yields the state of an upsert as it progresses until it ends; reconnects after lost connections. Rejects when the API
 * returns an error, and with the signal's reason.
 */
export async function* followUpsert(id: string, signal: AbortSignal): AsyncGenerator<UpsertJob, void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      for await (const { event, data } of await client.streamUpsert({ id }, { signal })) {
        if (event === "end") return;
        attempt = 0;
        yield data as UpsertJob;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (isApiError(error) && !error.retryable && error.status < 500) throw error;
    }
    await pause(waitsMs[Math.min(attempt, waitsMs.length - 1)] ?? 0, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Oldest first. */
export const storeQuestionsQuery = (storeId: string) =>
  queryOptions({
    queryKey: [...all, "questions", storeId],
    queryFn: ({ signal }) => client.listStoreQuestions({ id: storeId }, { signal }),
    staleTime: 0,
  });

/** How well the store answered its questions, the newest first. */
const watchEveryMs = 5_000;
const checkEveryMs = 1_500;

/** Whether and how far the questions of a store are checked after indexing. Refetched during a check. */
export const storeCheckQuery = (storeId: string) =>
  queryOptions({
    queryKey: [...all, "check", storeId],
    queryFn: ({ signal }) => client.getStoreCheck({ id: storeId }, { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.afterIndexing ? (data.state === "idle" ? watchEveryMs : checkEveryMs) : false,
  });

export const storeEvaluationsQuery = (storeId: string, isWatched = false) =>
  queryOptions({
    queryKey: [...all, "evaluations", storeId],
    queryFn: ({ signal }) => client.listStoreEvaluations({ id: storeId }, { signal }),
    staleTime: 0,
    refetchInterval: isWatched ? watchEveryMs : false,
  });

/** One evaluation with the outcome of each question. Immutable while it is the newest. */
export const storeEvaluationQuery = (storeId: string, evaluationId: string) =>
  queryOptions({
    queryKey: [...all, "evaluation", storeId, evaluationId],
    queryFn: ({ signal }) => client.getStoreEvaluation({ id: storeId, evaluationId }, { signal }),
  });

export type EvaluationProgress = { done: number; total: number };

/** Asks all questions of a store. Rejects with the evaluation's error; aborting the signal cancels it on the server. */
export async function evaluateStore(
  storeId: string,
  { onProgress, signal }: { onProgress(progress: EvaluationProgress): void; signal: AbortSignal },
): Promise<StoreEvaluation | undefined> {
  let evaluation: StoreEvaluation | undefined;
  for await (const { event, data } of await client.evaluateStore({ id: storeId }, {}, { signal })) {
    if (event === "progress") onProgress(data as EvaluationProgress);
    if (event === "evaluation") evaluation = data as StoreEvaluation;
    if (event === "error") throw new Error((data as { message: string }).message);
  }
  return evaluation;
}

export type StoreStatus = DocumentStore["status"];
type LoaderStatus = Exclude<StoreStatus, "EMPTY">;

/** An adapter by its name in the catalogue, and its settings. */
export type Choice = { name: string; config: JsonObject };

export type StoredFile = { id: string; name: string; size: number };

/** A document with the same text as a document of another loader. */
export type SameText = { document: string; loaderId: string; loaderName: string; source: string };

/** A loader of a store. */
export type LoaderView = {
  id: string;
  /** Its type in the catalogue. */
  type: string;
  name: string;
  /** A readable source: file names, an address, the beginning of a text. */
  source: string;
  status: LoaderStatus;
  /** The last error; empty if there was none. */
  error: string;
  totalChunks: number;
  config: JsonObject;
  splitter: Choice;
  metadata: JsonObject;
  files: readonly StoredFile[];
  sameAs: readonly SameText[];
  /** Deleting it loses nothing: earlier loaders have all of its documents. */
  isCopy: boolean;
  updatedDate: string;
};

/** A document store, with the API's JSON texts parsed. */
export type StoreView = Pick<
  DocumentStore,
  "id" | "name" | "description" | "status" | "totalChunks" | "updatedDate"
> & {
  loaders: readonly LoaderView[];
  /** Ids of agents and assistants. */
  whereUsed: readonly string[];
  embedding: Choice;
  vectorStore: Choice;
  recordManager: Choice;
  /** Its search settings. */
  retrieval: JsonObject;
};

/** The defaults of a store without configuration. */
const standards = { embedding: "embedded", vectorStore: "embedded", recordManager: "built-in" } as const;

function toStoreView(store: DocumentStore): StoreView {
  const { id, name, description, status, totalChunks, updatedDate } = store;
  return {
    ...{ id, name, description, status, totalChunks, updatedDate },
    loaders: (JSON.parse(store.loaders) as StoredLoader[]).map(toLoaderView),
    whereUsed: JSON.parse(store.whereUsed) as string[],
    embedding: toChoice(store.embeddingConfig, standards.embedding),
    vectorStore: toChoice(store.vectorStoreConfig, standards.vectorStore),
    recordManager: toChoice(store.recordManagerConfig, standards.recordManager),
    retrieval: JSON.parse(store.retrievalConfig || "{}") as JsonObject,
  };
}

/** Converts a loader from the names of existing clients to the builder's. */
export function toLoaderView(loader: StoredLoader): LoaderView {
  const text = (name: string) => (typeof loader[name] === "string" ? loader[name] : "");
  const object = (name: string) => (loader[name] ?? {}) as JsonObject;
  return {
    id: text("id"),
    type: text("loaderId"),
    name: text("loaderName"),
    source: text("source"),
    status: text("status") as LoaderStatus,
    error: text("error"),
    totalChunks: Number(loader.totalChunks ?? 0),
    config: object("loaderConfig"),
    splitter: { name: text("splitterId"), config: object("splitterConfig") },
    metadata: object("metadata"),
    files: (loader.files ?? []) as StoredFile[],
    sameAs: (loader.sameAs ?? []) as SameText[],
    isCopy: loader.isCopy === true,
    updatedDate: text("updatedDate"),
  };
}

function toChoice(text: string, standard: string): Choice {
  const { name, config } = JSON.parse(text || "{}") as Partial<Choice>;
  return { name: name || standard, config: config ?? {} };
}

const preconditionFailed = 412;

/** The fields of a store that people edit. */
type StoreChanges = Partial<
  Pick<StoreView, "name" | "description" | "embedding" | "vectorStore" | "recordManager" | "retrieval">
>;

/** Someone else changed the same fields in the meantime. */
export class StoreChangedError extends Error {
  constructor() {
    super(errorStrings.conflict);
  }
}

/**
 * Changes a store last read as `seen`. Rejects with `StoreChangedError` if someone else has changed one of the same
 * fields since; upserts and changes to other fields do not conflict.
 */
export async function saveDocumentStore(seen: StoreView, changes: StoreChanges): Promise<DocumentStore> {
  const { id } = seen;
  for (;;) {
    const { answer, etag } = await withEtag((options) => client.getDocumentStore({ id }, options));
    const present = toStoreView(answer);
    if (isChanged(seen, present, changes)) throw new StoreChangedError();
    try {
      return await client.updateDocumentStore({ id }, toBody(changes), etag === "" ? {} : { ifMatch: etag });
    } catch (error) {
      if (!isApiError(error) || error.status !== preconditionFailed) throw error;
    }
  }
}

function isChanged(seen: StoreView, present: StoreView, changes: StoreChanges): boolean {
  const keys = Object.keys(changes) as (keyof StoreChanges)[];
  return keys.some((key) => JSON.stringify(seen[key]) !== JSON.stringify(present[key]));
}

function toBody({ name, description, embedding, vectorStore, recordManager, retrieval }: StoreChanges) {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(embedding && { embeddingConfig: JSON.stringify(embedding) }),
    ...(vectorStore && { vectorStoreConfig: JSON.stringify(vectorStore) }),
    ...(recordManager && { recordManagerConfig: JSON.stringify(recordManager) }),
    ...(retrieval && { retrievalConfig: JSON.stringify(retrieval) }),
  };
}
