import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Operations, RequestOptions, UpsertJob } from "@weft/client";
import { client, isApiError } from "./client.ts";
import { toLoaderView, toStoreView } from "./document-store-view.ts";

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

/** A store with its loaders, of whose settings long values are cut: see `loaderQuery`. */
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

/** The last upserts of a store, the newest first. */
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
      reject(signal.reason as Error);
    });
  });
}
