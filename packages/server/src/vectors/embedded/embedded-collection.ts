import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database, Tables } from "@weft/database";
import type { CollectionName, VectorCollection } from "@weft/engine";
import { assertVectorLengths, lastOfEachId, type WorkerClient, WorkerEnded } from "@weft/providers/vector-stores";
import { WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import type { SearchAnswer, SearchRequest } from "./search-protocol.ts";
import * as store from "./vector-record.store.ts";
import { createWriteAhead } from "./write-ahead.ts";
import { toWriteBatches } from "./write-batches.ts";

export type EmbeddedCollectionDeps = {
  database: Database;
  worker: WorkerClient<SearchRequest, SearchAnswer>;
  /** Removes the records of dropped collections, a few at a time. */
  purge(signal: AbortSignal): Promise<void>;
};

/** Ids that are removed in one write. */
const removalBatch = 200;

/** A collection in the platform's database: written in small transactions, searched by a worker thread. */
export function openEmbeddedCollection(
  name: CollectionName,
  { database, worker, purge }: EmbeddedCollectionDeps,
): VectorCollection {
  const { dialect } = database;
  // Every write begins with the collection's row: others wait for it and need no retry.
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
