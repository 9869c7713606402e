import type { DocumentLoaderRow, Tables } from "@weft/database";
import type { Kysely } from "kysely";

type Handle = Kysely<Tables>;

/** In the order in which they were added. */
export function listLoaders(db: Handle, storeIds: readonly string[]): Promise<DocumentLoaderRow[]> {
  if (storeIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("documentLoaders")
    .selectAll()
    .where("storeId", "in", storeIds)
    .orderBy("createdDate")
    .orderBy("id")
    .execute();
}

/** As `listLoaders`, without what may be large: a configuration holds whole texts. */
export function listLoaderStates(
  db: Handle,
  storeId: string,
): Promise<Pick<DocumentLoaderRow, "id" | "status" | "chunkSet">[]> {
  return db
    .selectFrom("documentLoaders")
    .select(["id", "status", "chunkSet"])
    .where("storeId", "=", storeId)
    .orderBy("createdDate")
    .orderBy("id")
    .execute();
}

export function findLoader(db: Handle, storeId: string, id: string): Promise<DocumentLoaderRow | undefined> {
  return db
    .selectFrom("documentLoaders")
    .selectAll()
    .where("id", "=", id)
    .where("storeId", "=", storeId)
    .executeTakeFirst();
}

export function findLoaderByIdentity(
  db: Handle,
  storeId: string,
  identity: string,
): Promise<DocumentLoaderRow | undefined> {
  return db
    .selectFrom("documentLoaders")
    .selectAll()
    .where("storeId", "=", storeId)
    .where("identity", "=", identity)
    .orderBy("createdDate")
    .orderBy("id")
    .executeTakeFirst();
}

/** Inserts it, or writes over the one of that id. */
export async function saveLoader(tx: Handle, row: DocumentLoaderRow): Promise<void> {
  const { id: _, storeId: _store, createdDate: _created, ...changes } = row;
  await tx
    .insertInto("documentLoaders")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
    .execute();
}

export async function updateLoader(
  tx: Handle,
  { id, ...changes }: Partial<DocumentLoaderRow> & { id: string },
): Promise<void> {
  await tx.updateTable("documentLoaders").set(changes).where("id", "=", id).execute();
}

/** The configuration of a loader, which nobody changes before the transaction ends. Undefined when it is gone. */
export async function holdConfig(tx: Handle, id: string): Promise<string | undefined> {
  const held = await tx
    .updateTable("documentLoaders")
    .set((eb) => ({ id: eb.ref("id") }))
    .where("id", "=", id)
    .returning("loaderConfig")
    .executeTakeFirst();
  return held?.loaderConfig;
}

/** With its chunks and files. The vectors stay, and what the record manager knows of them. */
export async function deleteLoader(tx: Handle, id: string): Promise<void> {
  await tx.deleteFrom("documentChunks").where("loaderId", "=", id).execute();
  await tx.deleteFrom("documentFiles").where("loaderId", "=", id).execute();
  await tx.deleteFrom("documentLoaders").where("id", "=", id).execute();
}
