import type { Database, DocumentStoreRow } from "@weft/database";
import {
  changeLoaders,
  deleteUnwritten,
  findCollection,
  findStore,
  listCollections,
  listRecords,
  lockStore,
  markUnwritten,
  type StoreBackend,
  storeNotFound,
} from "../state/index.ts";
import type { UpsertJobs } from "../upserts/index.ts";

export type DeleteVectorsDeps = {
  database: Database;
  backend: Pick<StoreBackend, "open">;
  jobs: Pick<UpsertJobs, "assertIdle">;
};

export type DeleteVectors = (
  storeId: string,
  options: { loaderId: string | undefined; signal: AbortSignal },
) => Promise<void>;

const idsAtOnce = 500;
const isolation = { isolation: "read-committed" } as const;

/**
 * Deletes the vectors that the record manager knows, of one loader or all, deleted loaders included; chunks stay.
 * Rejects with `not-found` for an unknown store, and with `conflict` during an upsert.
 */
export function createDeleteVectors({ database, backend, jobs }: DeleteVectorsDeps): DeleteVectors {
  const { read } = database;

  /**
   * A crash between the two leaves records of vectors that are gone: they are marked before, so that an upsert writes
   * them again. Resolves with the loaders that had some.
   */
  async function removeFrom(
    store: DocumentStoreRow,
    { collection, loaderId, signal }: { collection: string; loaderId: string | undefined; signal: AbortSignal },
  ): Promise<Set<string>> {
    const emptied = new Set<string>();
    const place = await findCollection(read, collection);
    if (place === undefined) return emptied;
    const open = await backend.open(place, place);
    for (;;) {
      const records = await listRecords(read, { collection, loaderId }, idsAtOnce);
      const [first] = records;
      if (first === undefined) return emptied;
      emptied.add(first.loaderId);
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

  return async (storeId, { loaderId, signal }) => {
    const store = await findStore(read, storeId);
    if (store === undefined) throw storeNotFound(storeId);
    await jobs.assertIdle(read, storeId);
    const emptied = new Set<string>();
    for (const { collection } of await listCollections(read, storeId)) {
      for (const id of await removeFrom(store, { collection, loaderId, signal })) emptied.add(id);
    }
    await changeLoaders(database, storeId, { event: "vectors-deleted", only: emptied });
  };
}
