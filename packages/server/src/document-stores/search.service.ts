import type { Retriever, VectorMatch } from "@weft/engine";
import { type Document, type VectorQuery, type VectorQueryResult, WeftError } from "@weft/schema";
import type { Database } from "../storage/database.ts";
import type { DocumentStoreRow } from "../storage/document-tables.ts";
import { findChunkNumbers } from "./chunk.store.ts";
import { findStore, lockStore } from "./document-store.store.ts";
import { findLoader, listLoaders, updateLoader } from "./loader.store.ts";
import { type LoaderStatus, nextStatus } from "./loader-status.ts";
import { deleteUnwritten, findCollection, listCollections, listRecords, markUnwritten } from "./record.store.ts";
import { collectionName, readChoice, type StoreBackend } from "./store-backend.ts";
import { storeNotFound } from "./store-not-found.ts";
import type { UpsertJobs } from "./upsert-jobs.service.ts";

export type SearchServiceDeps = {
  database: Database;
  backend: StoreBackend;
  jobs: Pick<UpsertJobs, "assertIdle">;
};

export type SearchService = {
  /** Rejects with `parameters-invalid` for an unknown store, and with what the model or the database fails with. */
  query(query: VectorQuery, signal: AbortSignal): Promise<VectorQueryResult>;
  /** For flows. */
  retriever: Retriever;
  /**
   * Deletes the vectors that the record manager knows, of one loader or all; chunks stay. Rejects with `not-found` for
   * an unknown store, and with `conflict` during an upsert.
   */
  deleteVectors(storeId: string, options: { loaderId: string | undefined; signal: AbortSignal }): Promise<void>;
};

const defaultTopK = 4;
const idsAtOnce = 500;
const isolation = { isolation: "read-committed" } as const;

type Search = Pick<VectorQuery, "query" | "topK" | "mode" | "filter">;

export function createSearchService({ database, backend, jobs }: SearchServiceDeps): SearchService {
  const { read } = database;

  async function search(store: DocumentStoreRow, { query, topK, mode, filter }: Search, signal: AbortSignal) {
    const model = await backend.embedder(store);
    const known = await findCollection(read, collectionName(store, model.id));
    if (known === undefined) return [];
    const { config } = readChoice(store.vectorStoreConfig);
    const [vector] = await backend.embed(model, { texts: [query], purpose: "query", signal });
    if (vector === undefined) throw new Error("The embedding model answered no vector.");
    const collection = await backend.open(store, { ...known, dimension: vector.length });
    return collection.search({
      vector,
      text: query,
      topK: topK ?? (Number(config.topK) || defaultTopK),
      mode: mode ?? "hybrid",
      filter: filter ?? undefined,
      signal,
    });
  }

  /**
   * A crash between the two leaves records of vectors that are gone: they are marked before, so that an upsert writes
   * them anew.
   */
  async function removeFrom(
    store: DocumentStoreRow,
    { collection, loaderId, signal }: { collection: string; loaderId: string | undefined; signal: AbortSignal },
  ): Promise<void> {
    const place = await findCollection(read, collection);
    if (place === undefined) return;
    const open = await backend.open(place, place);
    for (;;) {
      const records = await listRecords(read, { collection, loaderId }, idsAtOnce);
      const [first] = records;
      if (first === undefined) return;
      const scope = { collection, loaderId: first.loaderId };
      const ids = records.filter((record) => record.loaderId === first.loaderId).map(({ id }) => id);
      await database.write(async (tx) => {
        if ((await lockStore(tx, store.id)) === undefined) throw storeNotFound(store.id);
        await jobs.assertIdle(tx, store.id);
        await markUnwritten(tx, scope, ids);
      }, isolation);
      await open.delete(ids, { signal });
      await database.write((tx) => deleteUnwritten(tx, scope, ids), isolation);
    }
  }

  async function noteDeleted(storeId: string, loaderId: string | undefined): Promise<void> {
    await database.write(async (tx) => {
      const one = loaderId === undefined ? undefined : await findLoader(tx, storeId, loaderId);
      const loaders = loaderId === undefined ? await listLoaders(tx, [storeId]) : one ? [one] : [];
      for (const { id, status } of loaders) {
        await updateLoader(tx, { id, status: nextStatus(status as LoaderStatus, "vectors-deleted") });
      }
    }, isolation);
  }

  return {
    async query({ storeId, query, topK, mode, filter, inputs }, signal) {
      const since = performance.now();
      const store = await findStore(read, storeId);
      if (store === undefined) throw unknownStore(storeId);
      const asked = topK ?? (Number(inputs?.topK) > 0 ? Math.min(Math.trunc(Number(inputs?.topK)), 100) : undefined);
      const found = await search(store, { query, topK: asked, mode, filter }, signal);
      const ids = found.map(({ id }) => id);
      const numbers = await findChunkNumbers(read, storeId, ids);
      return {
        docs: found.map((match) => {
          return { ...toDocument(match), id: match.id, chunkNo: numbers.get(match.id) ?? -1, score: match.score };
        }),
        timeTaken: Math.round(performance.now() - since),
      };
    },

    retriever: {
      async retrieve({ storeId, query, topK, signal }) {
        const store = await findStore(read, storeId);
        if (store === undefined) throw notRetrieved(storeId, "no store of this id exists. Choose another one.");
        try {
          return (await search(store, { query, topK }, signal)).map(toDocument);
        } catch (cause) {
          signal.throwIfAborted();
          if (cause instanceof WeftError) throw notRetrieved(storeId, cause.message, cause);
          throw cause;
        }
      },
    },

    async deleteVectors(storeId, { loaderId, signal }) {
      const store = await findStore(read, storeId);
      if (store === undefined) throw storeNotFound(storeId);
      await jobs.assertIdle(read, storeId);
      for (const { collection } of await listCollections(read, storeId)) {
        await removeFrom(store, { collection, loaderId, signal });
      }
      await noteDeleted(storeId, loaderId);
    },
  };
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
