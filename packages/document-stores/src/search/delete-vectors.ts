import type { Database } from "@weft/database";
import type { VectorStores } from "@weft/vector-stores";
import { getStore, lockStore } from "../state/document-store.store.ts";
import { changeLoaders } from "../state/loader.store.ts";
import { deleteUnwritten, findCollection, listCollections, listRecords, markUnwritten } from "../state/record.store.ts";
import { assertIdle } from "../state/upsert-job.store.ts";
import { openPlace } from "../stores/store-backend.ts";

export type DeleteVectorsDeps = { database: Database; vectors: Pick<VectorStores, "open"> };

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
export function createDeleteVectors({ database, vectors }: DeleteVectorsDeps): DeleteVectors {
  const { read } = database;

  /**
   * A crash between the two leaves records of vectors that are gone: they are marked before, so that an upsert writes
   * them again. Resolves with the loaders that had some.
   */
  async function removeFrom(
    storeId: string,
    { collection, loaderId, signal }: { collection: string; loaderId: string | undefined; signal: AbortSignal },
  ): Promise<Set<string>> {
    const emptied = new Set<string>();
    const place = await findCollection(read, collection);
    if (place === undefined) return emptied;
    const open = await openPlace(vectors, place, place);
    for (;;) {
      const records = await listRecords(read, { collection, loaderId }, idsAtOnce);
      const [first] = records;
      if (first === undefined) return emptied;
      emptied.add(first.loaderId);
      const scope = { collection, loaderId: first.loaderId };
      const ids = records.filter((record) => record.loaderId === first.loaderId).map(({ id }) => id);
      await database.write(async (tx) => {
        await lockStore(tx, storeId);
        await assertIdle(tx, storeId);
        await markUnwritten(tx, scope, ids);
      }, isolation);
      await open.delete(ids, { signal });
      await database.write((tx) => deleteUnwritten(tx, scope, ids), isolation);
    }
  }

  return async (storeId, { loaderId, signal }) => {
    await getStore(read, storeId);
    await assertIdle(read, storeId);
    const emptied = new Set<string>();
    for (const { collection } of await listCollections(read, storeId)) {
      for (const id of await removeFrom(storeId, { collection, loaderId, signal })) emptied.add(id);
    }
    await changeLoaders(database, storeId, { event: "vectors-deleted", only: emptied });
  };
}
