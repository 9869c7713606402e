import type { Tables } from "@weft/database";
import type { Kysely } from "kysely";

export type ToolRow = {
  id: string;
  name: string;
  description: string;
  color: string;
  createdDate: string;
  updatedDate: string;
  iconSrc: string | null;
  /** JSON text, in any form that clients send. */
  schema: string | null;
  func: string | null;
};

declare module "@weft/database" {
  interface Tables {
    tools: ToolRow;
  }
}

type Handle = Kysely<Tables>;

export type Window = { offset: number; limit: number };

/** Most recently updated first. */
export function listTools(db: Handle, window?: Window): Promise<ToolRow[]> {
  const rows = db.selectFrom("tools").selectAll().orderBy("updatedDate", "desc").orderBy("id");
  return (window === undefined ? rows : rows.limit(window.limit).offset(window.offset)).execute();
}

/** Most recently updated first. */
export async function newestToolIds(db: Handle, count: number): Promise<string[]> {
  const ids = db.selectFrom("tools").select("id").orderBy("updatedDate", "desc").orderBy("id");
  return (await ids.limit(count).execute()).map(({ id }) => id);
}

export async function countTools(db: Handle): Promise<number> {
  const row = await db
    .selectFrom("tools")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

export function findTool(db: Handle, id: string): Promise<ToolRow | undefined> {
  return db.selectFrom("tools").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Reads a tool and locks out every other writer until the transaction ends, on both databases. */
export function lockTool(tx: Handle, id: string): Promise<ToolRow | undefined> {
  return tx
    .updateTable("tools")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

/** False if the id is taken: then nothing was written. */
export async function insertTool(tx: Handle, row: ToolRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("tools")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateTool(tx: Handle, row: ToolRow): Promise<void> {
  const { id, createdDate: _, ...changes } = row;
  await tx.updateTable("tools").set(changes).where("id", "=", id).execute();
}

/** False if there was none. */
export async function deleteTool(tx: Handle, id: string): Promise<boolean> {
  const deleted = await tx.deleteFrom("tools").where("id", "=", id).returning("id").executeTakeFirst();
  return deleted !== undefined;
}
