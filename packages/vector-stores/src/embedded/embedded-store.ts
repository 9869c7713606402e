import type { Database } from "@weft/database";
import { createWorkerClient } from "@weft/workers";
import { z } from "zod";
import { defineVectorStore, type VectorStore } from "../port/define-vector-store.ts";
import { openEmbeddedCollection } from "./embedded-collection.ts";
import {
  findDropped,
  purgeRecords,
  type SearchAnswer,
  type SearchRequest,
  type SearchWorkerData,
} from "./vector-record.store.ts";

export type EmbeddedStoreOptions = Omit<SearchWorkerData, "memoryBytes"> & {
  database: Database;
  /** What collections may take in memory. Default 400 MiB. */
  memoryBytes?: number;
  /** How long they stay there when nothing is searched. Default 10 minutes. */
  idleMs?: number;
};

export type EmbeddedStore = { definition: VectorStore; close(): Promise<void> };

export const embeddedTraits = {
  name: "embedded",
  title: "Embedded",
  summary: "In the platform's own database. Nothing to set up; for up to some 100,000 chunks a store.",
  credentialFields: [],
  config: z.strictObject({}),
  aliases: { names: ["memoryVectorStore", "faiss", "simpleStoreLlamaIndex"], config: {} },
} as const satisfies Partial<VectorStore>;

/** Records that are removed in one write. */
const purgeBatch = 200;

/**
 * The vector store of the platform itself. Invariants:
 * 1. The database is the only truth. A copy in memory is compared with the collection's count of changes before every
 *    search, so what any process committed before is found.
 * 2. Nothing but the search worker reads vectors, and it never writes.
 * 3. A dropped collection is gone at once; its records are removed little by little, after a crash by the next drop or
 *    the next start.
 */
export function createEmbeddedStore(options: EmbeddedStoreOptions): EmbeddedStore {
  const { database, databaseUrl, dataDir, memoryBytes = 400 * 1024 * 1024, idleMs = 600_000 } = options;
  const workerData: SearchWorkerData = { databaseUrl, dataDir, memoryBytes };
  const url = new URL("./search-worker.ts", import.meta.url);
  const worker = createWorkerClient<SearchRequest, SearchAnswer>({ url, workerData, idleMs });
  const closing = new AbortController();

  async function purge(signal: AbortSignal): Promise<void> {
    const stopped = AbortSignal.any([signal, closing.signal]);
    for (const key of await findDropped(database.read)) {
      for (let isGone = false; !isGone; ) {
        stopped.throwIfAborted();
        const { dialect } = database;
        isGone = await database.write((tx) => purgeRecords({ tx, dialect }, key, purgeBatch), {
          isolation: "read-committed",
        });
      }
    }
  }

  // What a crash left: whatever stops this, the next drop tries again.
  purge(closing.signal).catch(() => {});
  return {
    definition: defineVectorStore({
      ...embeddedTraits,
      open: async (_config, name) => openEmbeddedCollection(name, { database, worker, purge }),
    }),
    async close() {
      closing.abort(new Error("The vector store is closed."));
      await worker.close();
    },
  };
}
