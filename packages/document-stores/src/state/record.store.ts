import type { Tables } from "@weft/database";
import type { Kysely } from "kysely";
import type { DocumentCollectionRow, DocumentRecordRow } from "../tables.ts";

type Handle = Kysely<Tables>;

export type RecordScope = { collection: string; loaderId: string };

/** Databases limit the parameters of a statement. */
const rowsAtOnce = 200;

/** Records after the id `after`, in order. */
export function readRecords(
  db: Handle,
  scope: RecordScope,
  { after, limit }: { after: string; limit: number },
): Promise<DocumentRecordRow[]> {
  return ofScope(db, scope).selectAll().where("id", ">", after).orderBy("id").limit(limit).execute();
}

/** Inserts or replaces them. */
export async function putRecords(tx: Handle, rows: readonly DocumentRecordRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    await tx
      .insertInto("documentRecords")
      .values(rows.slice(start, start + rowsAtOnce))
      .onConflict((conflict) =>
        conflict.columns(["collection", "loaderId", "id"]).doUpdateSet((eb) => ({
          source: eb.ref("excluded.source"),
          metadataHash: eb.ref("excluded.metadataHash"),
          outdatedBy: eb.ref("excluded.outdatedBy"),
        })),
      )
      .execute();
  }
}

/** Marks these for deletion by the upsert. */
export async function markOutdated(
  tx: Handle,
  { runId, ids, ...scope }: RecordScope & { runId: string; ids: readonly string[] },
): Promise<void> {
  for (let start = 0; start < ids.length; start += rowsAtOnce) {
    await tx
      .updateTable("documentRecords")
      .set({ outdatedBy: runId })
      .where("collection", "=", scope.collection)
      .where("loaderId", "=", scope.loaderId)
      .where("id", "in", ids.slice(start, start + rowsAtOnce))
      .execute();
  }
}

/** Clears the marks of an earlier attempt of the upsert. */
export async function clearOutdated(tx: Handle, { runId, ...scope }: RecordScope & { runId: string }): Promise<void> {
  await tx
    .updateTable("documentRecords")
    .set({ outdatedBy: "" })
    .where("collection", "=", scope.collection)
    .where("loaderId", "=", scope.loaderId)
    .where("outdatedBy", "=", runId)
    .execute();
}

export async function listOutdated(
  db: Handle,
  { runId, ...scope }: RecordScope & { runId: string },
  limit: number,
): Promise<string[]> {
  const rows = await ofScope(db, scope)
    .select("id")
    .where("outdatedBy", "=", runId)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Records of a collection, or of one loader in it; or only those of deleted passages. */
export function listRecords(
  db: Handle,
  {
    collection,
    loaderId,
    orphansOnly = false,
  }: { collection: string; loaderId: string | undefined; orphansOnly?: boolean | undefined },
  limit: number,
) {
  let rows = (orphansOnly ? orphansIn(db) : db.selectFrom("documentRecords"))
    .select(["documentRecords.id", "documentRecords.loaderId"])
    .where("documentRecords.collection", "=", collection);
  if (loaderId !== undefined) rows = rows.where("documentRecords.loaderId", "=", loaderId);
  return rows.orderBy("documentRecords.loaderId").orderBy("documentRecords.id").limit(limit).execute();
}

/** Numbers of vectors of deleted passages, by store and loader. Excludes stores during an upsert. */
export async function countOrphans(
  db: Handle,
): Promise<{ storeId: string; storeName: string; loaderId: string; vectors: number }[]> {
  const found = await orphansIn(db)
    .innerJoin("documentStores", "documentStores.id", "documentRecords.storeId")
    .groupBy(["documentStores.id", "documentStores.name", "documentRecords.loaderId"])
    .select(({ fn }) => [
      "documentStores.id as storeId",
      "documentStores.name as storeName",
      "documentRecords.loaderId",
      fn.countAll().as("vectors"),
    ])
    .orderBy("documentStores.name")
    .orderBy("documentStores.id")
    .orderBy("documentRecords.loaderId")
    .execute();
  return found.map(({ vectors, ...orphans }) => ({ ...orphans, vectors: Number(vectors) }));
}

/** Records without a current chunk. During an upsert of a store its chunks are not current yet. */
function orphansIn(db: Handle) {
  return db.selectFrom("documentRecords").where(({ not, exists, selectFrom, and }) =>
    and([
      not(
        exists(
          selectFrom("documentChunks")
            .innerJoin("documentLoaders", (join) =>
              join
                .onRef("documentLoaders.id", "=", "documentChunks.loaderId")
                .onRef("documentLoaders.chunkSet", "=", "documentChunks.chunkSet"),
            )
            .select("documentChunks.id")
            .whereRef("documentChunks.storeId", "=", "documentRecords.storeId")
            .whereRef("documentChunks.id", "=", "documentRecords.id"),
        ),
      ),
      not(
        exists(
          selectFrom("upsertJobs")
            .select("upsertJobs.runId")
            .whereRef("upsertJobs.storeId", "=", "documentRecords.storeId")
            .where("upsertJobs.state", "=", "open"),
        ),
      ),
    ]),
  );
}

/** No metadata has this hash: an upsert sees the record as changed, and writes its vector again. */
const unwritten = "";

/** Marks these before their vectors are deleted. */
export async function markUnwritten(tx: Handle, scope: RecordScope, ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += rowsAtOnce) {
    await tx
      .updateTable("documentRecords")
      .set({ metadataHash: unwritten })
      .where("collection", "=", scope.collection)
      .where("loaderId", "=", scope.loaderId)
      .where("id", "in", ids.slice(start, start + rowsAtOnce))
      .execute();
  }
}

/** Deletes those records that no upsert has written since they were marked. */
export async function deleteUnwritten(tx: Handle, scope: RecordScope, ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += rowsAtOnce) {
    await tx
      .deleteFrom("documentRecords")
      .where("collection", "=", scope.collection)
      .where("loaderId", "=", scope.loaderId)
      .where("metadataHash", "=", unwritten)
      .where("id", "in", ids.slice(start, start + rowsAtOnce))
      .execute();
  }
}

export async function deleteRecords(
  tx: Handle,
  { collection, loaderId }: RecordScope,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .deleteFrom("documentRecords")
    .where("collection", "=", collection)
    .where("loaderId", "=", loaderId)
    .where("id", "in", ids)
    .execute();
}

export function findCollection(db: Handle, collection: string): Promise<DocumentCollectionRow | undefined> {
  return db.selectFrom("documentCollections").selectAll().where("collection", "=", collection).executeTakeFirst();
}

export function listCollections(db: Handle, storeId: string): Promise<DocumentCollectionRow[]> {
  return db
    .selectFrom("documentCollections")
    .selectAll()
    .where("storeId", "=", storeId)
    .orderBy("collection")
    .execute();
}

/**
 * Another collection of the store with vectors of a loader that has none in `collection`: the loader was not upserted
 * since the store's settings changed.
 */
export function findLeftBehind(
  db: Handle,
  { storeId, collection }: DocumentCollectionRow,
): Promise<DocumentCollectionRow | undefined> {
  return db
    .selectFrom("documentCollections")
    .selectAll()
    .where("storeId", "=", storeId)
    .where("collection", "!=", collection)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("documentLoaders")
          .select("documentLoaders.id")
          .where("documentLoaders.storeId", "=", storeId)
          .where("documentLoaders.chunkSet", "!=", "")
          .where("documentLoaders.status", "!=", "UPSERTED")
          .where((loader) => {
            const records = loader
              .selectFrom("documentRecords")
              .select("documentRecords.id")
              .whereRef("documentRecords.loaderId", "=", "documentLoaders.id");
            return loader.and([
              loader.exists(records.whereRef("documentRecords.collection", "=", "documentCollections.collection")),
              loader.not(loader.exists(records.where("documentRecords.collection", "=", collection))),
            ]);
          }),
      ),
    )
    .executeTakeFirst();
}

export async function putCollection(tx: Handle, row: DocumentCollectionRow): Promise<void> {
  await tx
    .insertInto("documentCollections")
    .values(row)
    .onConflict((conflict) => conflict.column("collection").doNothing())
    .execute();
}

export async function deleteCollection(tx: Handle, collection: string): Promise<void> {
  await tx.deleteFrom("documentCollections").where("collection", "=", collection).execute();
}

function ofScope(db: Handle, { collection, loaderId }: RecordScope) {
  return db.selectFrom("documentRecords").where("collection", "=", collection).where("loaderId", "=", loaderId);
}
