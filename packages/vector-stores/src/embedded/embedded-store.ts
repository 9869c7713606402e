import { totalmem } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database, Tables } from "@weft/database";
import type { CollectionName, VectorCollection, VectorRecord } from "@weft/engine/ports/vector-store";
import { WeftError } from "@weft/schema";
import { createWorkerClient, type WorkerClient, WorkerEnded } from "@weft/workers";
import type { Kysely } from "kysely";
import { z } from "zod";
import { assertVectorLengths, defineVectorStore, lastOfEachId, type VectorStore } from "../port/define-vector-store.ts";
import { keywordIndexes } from "./keyword-indexes.ts";
import * as store from "./vector-record.store.ts";
import {
  findDropped,
  type HeldVectors,
  purgeRecords,
  type SearchAnswer,
  type SearchNote,
  type SearchRequest,
  type SearchWorkerData,
  type VectorsLoading,
} from "./vector-record.store.ts";

export type EmbeddedStoreOptions = Omit<SearchWorkerData, "memoryBytes" | "toldRows"> & {
  database: Database;
  /** Memory limit of all collections. Default: a quarter of the machine's, or the container's. */
  memoryBytes?: number | undefined;
  /** How long they stay there without a search. Default 1 hour. */
  idleMs?: number;
  /** Called while the vectors of a large collection are read into memory, and at the end. */
  onLoading?(loading: VectorsLoading): void;
  /** Size of a large collection, and rows between two calls. Default 50,000. */
  toldRows?: number;
};

/** Memory used by the vectors of all collections in this process, and its limit. */
export type VectorMemory = HeldVectors & { limitBytes: number };

type EmbeddedStore = {
  definition: VectorStore;
  memory(): VectorMemory;
  eraseRemoved(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

const nothingHeld: HeldVectors = { bytes: 0, collections: 0, loading: null };

export const embeddedTraits = {
  name: "embedded",
  title: "Embedded",
  summary: "In the platform's own database. Nothing to set up; for up to about 500,000 chunks per store.",
  credentialFields: [],
  config: z.strictObject({}),
  aliases: { names: ["memoryVectorStore", "faiss", "simpleStoreLlamaIndex"], config: {} },
} as const satisfies Partial<VectorStore>;

/** Records removed per write. */
const purgeBatch = 200;

/**
 * The vector store of the platform itself. Invariants:
 * 1. The database is the only truth. A copy in memory is compared with the collection's count of changes before every
 * search, so every earlier commit of any process is found.
 * 2. Only the search worker reads vectors, and it never writes.
 * 3. A dropped collection disappears at once; its records are removed in small steps, after a crash by the next drop or
 * the next start.
 */
export function createEmbeddedStore(options: EmbeddedStoreOptions): EmbeddedStore {
  const { database, databaseUrl, dataDir, memoryBytes = toUsualMemory(), idleMs = 3_600_000 } = options;
  const workerData: SearchWorkerData = { databaseUrl, dataDir, memoryBytes, toldRows: options.toldRows ?? 50_000 };
  const url = new URL("./search-worker.ts", import.meta.url);
  let held = nothingHeld;
  const worker = createWorkerClient<SearchRequest, SearchAnswer, SearchNote>({
    url,
    workerData,
    idleMs,
    onNote(note) {
      if ("held" in note) held = note.held;
      else options.onLoading?.(note.loading);
    },
    onEnd() {
      held = nothingHeld;
    },
  });
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

  // Leftovers of a crash: if this fails, the next drop tries again.
  purge(closing.signal).catch(() => {});
  return {
    definition: defineVectorStore({
      ...embeddedTraits,
      open: async (_config, name) => openEmbeddedCollection(name, { database, worker, purge }),
    }),
    memory: () => ({ ...held, limitBytes: memoryBytes }),
    async eraseRemoved(signal) {
      const { eraseRemoved } = keywordIndexes[database.dialect];
      const isolation = { isolation: "read-committed" } as const;
      for (let begins = true; await database.write((tx) => eraseRemoved(tx, begins), isolation); begins = false) {
        signal.throwIfAborted();
        await nextTurn();
      }
    },
    async close() {
      closing.abort(new Error("The vector store is closed."));
      await worker.close();
    },
  };
}

function toUsualMemory(): number {
  // Without a container's limit it is 0, or more than any machine has.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.floor(Math.min(limit, totalmem()) / 4);
}

/** Ids removed per write. */
const removalBatch = 200;

/**
 * A collection in the platform's database: written in small transactions, searched by a worker thread. `purge` removes
 * the records of dropped collections, a few at a time.
 */
export function openEmbeddedCollection(
  name: CollectionName,
  {
    database,
    worker,
    purge,
  }: {
    database: Database;
    worker: WorkerClient<SearchRequest, SearchAnswer>;
    purge(signal: AbortSignal): Promise<void>;
  },
): VectorCollection {
  const { dialect } = database;
  // Every write starts with the collection's row: others wait for it and need no retry.
  const write = (fn: (tx: Kysely<Tables>) => Promise<void>) => database.write(fn, { isolation: "read-committed" });
  return {
    async upsert(records, { signal }) {
      assertVectorLengths(
        name,
        records.map(({ vector }) => vector),
      );
      const writes = createWriteAhead();
      try {
        for (const batch of toWriteBatches(lastOfEachId(records))) {
          await nextTurn();
          signal.throwIfAborted();
          const writable = batch.map(store.toWritable);
          await writes.add(() => write((tx) => store.putRecords({ tx, dialect }, name, writable)));
        }
      } finally {
        await writes.end();
      }
    },

    async delete(ids, { signal }) {
      for (let start = 0; start < ids.length; start += removalBatch) {
        signal.throwIfAborted();
        const batch = ids.slice(start, start + removalBatch);
        await write((tx) => store.removeRecords({ tx, dialect }, name.collection, batch));
      }
    },

    async search({ signal, ...search }) {
      assertVectorLengths(name, [search.vector]);
      return worker.ask({ ...search, name }, { signal }).catch((error: unknown) => {
        throw error instanceof WorkerEnded ? failed(error.message) : error;
      });
    },

    async count({ signal }) {
      signal.throwIfAborted();
      const stored = await store.findCollection(database.read, name.collection);
      return stored === undefined ? 0 : store.countRecords(database.read, stored);
    },

    async drop({ signal }) {
      signal.throwIfAborted();
      await write((tx) => store.unnameCollection(tx, name.collection));
      await purge(signal);
    },
  };
}

function failed(reason: string): WeftError {
  const params = { store: "embedded", reason: `its search ended: ${reason.replace(/\.$/, "")}. Try again.` };
  return new WeftError("vector-store-failed", { params, retryable: true });
}

/** Small enough for SQLite to write and index within a few milliseconds, which blocks the event loop. */
const maxBatchRecords = 32;
const maxBatchCharacters = 32_000;

/** Batches of records to write. A batch has at least one record, however long. */
function* toWriteBatches(records: readonly VectorRecord[]): Generator<VectorRecord[]> {
  let batch: VectorRecord[] = [];
  let characters = 0;
  for (const record of records) {
    const isFull = batch.length === maxBatchRecords || characters + record.text.length > maxBatchCharacters;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(record);
    characters += record.text.length;
  }
  if (batch.length > 0) yield batch;
}

/** At most two concurrent writes: the next one is prepared while the disk still works on the previous one. */
type WriteAhead = {
  /** Starts a write. Resolves once no other is open; rejects with an earlier one's error. */
  add(write: () => Promise<void>): Promise<void>;
  /** Resolves once none is open; rejects with the last ones' error. */
  end(): Promise<void>;
};

function createWriteAhead(): WriteAhead {
  let before: Promise<void> = Promise.resolve();
  let last: Promise<void> = Promise.resolve();
  return {
    async add(write) {
      before = last;
      last = write();
      // A later call reports its failure.
      last.catch(() => {});
      await before;
    },
    async end() {
      await Promise.allSettled([before, last]);
      await before;
      await last;
    },
  };
}
