import type { Database } from "@weft/database";
import type { VectorCollection } from "@weft/engine/ports/vector-store";
import type { VectorStores } from "@weft/vector-stores";
import { readChunks } from "../state/chunk.store.ts";
import { getStore, lockStore } from "../state/document-store.store.ts";
import { changeLoaders, findLoader } from "../state/loader.store.ts";
import { deleteUnwritten, findCollection, listCollections, listRecords, markUnwritten } from "../state/record.store.ts";
import { assertIdle } from "../state/upsert-job.store.ts";
import type { StoreContext } from "../store-context.ts";
import { openPlace } from "../stores/store-backend.ts";

export type DeleteVectors = (
  storeId: string,
  options: {
    loaderId: string | undefined;
    /** Only of passages that no longer exist, so that no search loses a result. */
    orphansOnly?: boolean;
    signal: AbortSignal;
  },
) => Promise<number>;

const idsAtOnce = 500;
const isolation = { isolation: "read-committed" } as const;

/**
 * Deletes the vectors in the record manager, of one loader or all, including deleted loaders; chunks stay. For one
 * loader also the vectors of its chunks without a record. Resolves with the number of records. Rejects with `not-found`
 * for an unknown store, and with `conflict` during an upsert.
 */
export function createDeleteVectors({
  database,
  vectors,
}: {
  database: Database;
  vectors: VectorStores;
}): DeleteVectors {
  const { read } = database;

  /** Resolves with the number of vectors of each loader. */
  async function removeFrom(
    storeId: string,
    { collection, loaderId, orphansOnly, signal }: { collection: string } & Parameters<DeleteVectors>[1],
  ): Promise<Map<string, number>> {
    const emptied = new Map<string, number>();
    const place = await findCollection(read, collection);
    if (place === undefined) return emptied;
    const open = await openPlace(vectors, place, place);
    for (;;) {
      const records = await listRecords(read, { collection, loaderId, orphansOnly }, idsAtOnce);
      const [first] = records;
      if (first === undefined) return emptied;
      const ids = records.filter((record) => record.loaderId === first.loaderId).map(({ id }) => id);
      emptied.set(first.loaderId, (emptied.get(first.loaderId) ?? 0) + ids.length);
      await remove(database, open, { storeId, collection, loaderId: first.loaderId, ids, signal });
    }
  }

  async function removeUnrecorded(storeId: string, loaderId: string, signal: AbortSignal): Promise<void> {
    const loader = await findLoader(read, storeId, loaderId);
    if (loader === undefined || loader.chunkSet === "") return;
    for (const place of await listCollections(read, storeId)) {
      const open = await openPlace(vectors, place, place);
      for (let afterNo = 0; ; ) {
        const rows = await readChunks(read, { loaderId, chunkSet: loader.chunkSet }, { afterNo, limit: idsAtOnce });
        const last = rows.at(-1);
        if (last === undefined) break;
        await open.delete(
          rows.map(({ id }) => id),
          { signal },
        );
        afterNo = last.chunkNo;
      }
    }
  }

  return async (storeId, { loaderId, orphansOnly = false, signal }) => {
    await getStore(read, storeId);
    await assertIdle(read, storeId);
    const emptied = new Set<string>();
    let count = 0;
    for (const { collection } of await listCollections(read, storeId)) {
      for (const [id, vectorCount] of await removeFrom(storeId, { collection, loaderId, orphansOnly, signal })) {
        emptied.add(id);
        count += vectorCount;
      }
    }
    if (orphansOnly) return count;
    if (loaderId !== undefined) await removeUnrecorded(storeId, loaderId, signal);
    await changeLoaders(database, storeId, { event: "vectors-deleted", only: emptied });
    return count;
  };
}

/** Deletes the vector of one chunk wherever the store has or had its vectors. Rejects as `createDeleteVectors`. */
export async function deleteChunkVector(
  { database, vectors }: StoreContext,
  { storeId, loaderId, chunkId, signal }: { storeId: string; loaderId: string; chunkId: string; signal: AbortSignal },
): Promise<void> {
  for (const place of await listCollections(database.read, storeId)) {
    const open = await openPlace(vectors, place, place);
    await remove(database, open, { storeId, collection: place.collection, loaderId, ids: [chunkId], signal });
  }
}

type Removal = { storeId: string; collection: string; loaderId: string; ids: readonly string[]; signal: AbortSignal };

/**
 * A crash between the two leaves records of deleted vectors: they are marked before, so that an upsert writes them
 * again.
 */
async function remove(
  database: Database,
  open: VectorCollection,
  { storeId, collection, loaderId, ids, signal }: Removal,
): Promise<void> {
  const scope = { collection, loaderId };
  await database.write(async (tx) => {
    await lockStore(tx, storeId);
    await assertIdle(tx, storeId);
    await markUnwritten(tx, scope, ids);
  }, isolation);
  await open.delete(ids, { signal });
  await database.write((tx) => deleteUnwritten(tx, scope, ids), isolation);
}
