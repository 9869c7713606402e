import type { DocumentStoreRow, Tables } from "@weft/database";
import type { Kysely } from "kysely";

type Handle = Kysely<Tables>;

/** Most recently updated first. */
export function listStores(db: Handle, window?: { offset: number; limit: number }): Promise<DocumentStoreRow[]> {
  const rows = db.selectFrom("documentStores").selectAll().orderBy("updatedDate", "desc").orderBy("id");
  return (window === undefined ? rows : rows.limit(window.limit).offset(window.offset)).execute();
}

export async function countStores(db: Handle): Promise<number> {
  const row = await db
    .selectFrom("documentStores")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

export function findStore(db: Handle, id: string): Promise<DocumentStoreRow | undefined> {
  return db.selectFrom("documentStores").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Reads a store and keeps every other writer away from it until the transaction ends, on both databases. */
export function lockStore(tx: Handle, id: string): Promise<DocumentStoreRow | undefined> {
  return tx
    .updateTable("documentStores")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

/** False when the id is taken: then nothing was written. */
export async function insertStore(tx: Handle, row: DocumentStoreRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("documentStores")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateStore(tx: Handle, { id, ...changes }: Partial<DocumentStoreRow> & { id: string }) {
  await tx.updateTable("documentStores").set(changes).where("id", "=", id).execute();
}

/** With everything that belongs to it. */
export async function deleteStore(tx: Handle, id: string): Promise<void> {
  for (const table of [
    "documentChunks",
    "documentRecords",
    "documentCollections",
    "documentFiles",
    "documentLoaders",
    "documentStoreUses",
    "upsertJobs",
  ] as const) {
    await tx.deleteFrom(table).where("storeId", "=", id).execute();
  }
  await tx.deleteFrom("documentStores").where("id", "=", id).execute();
}
