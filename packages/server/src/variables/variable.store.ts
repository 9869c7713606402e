import type { Tables } from "@weft/database";
import type { Kysely } from "kysely";

export type VariableRow = {
  id: string;
  name: string;
  /** `string`, `number`, `boolean`, `json` or `runtime`. */
  type: string;
  createdDate: string;
  updatedDate: string;
  value: string | null;
};

declare module "@weft/database" {
  interface Tables {
    variables: VariableRow;
  }
}

type Handle = Kysely<Tables>;

export type Window = { offset: number; limit: number };

/** Most recently updated first; of equal moments the one created last. */
export function listVariables(db: Handle, window?: Window): Promise<VariableRow[]> {
  const rows = db.selectFrom("variables").selectAll().orderBy("updatedDate", "desc").orderBy("id", "desc");
  return (window === undefined ? rows : rows.limit(window.limit).offset(window.offset)).execute();
}

export async function countVariables(db: Handle): Promise<number> {
  const row = await db
    .selectFrom("variables")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

export function findVariable(db: Handle, id: string): Promise<VariableRow | undefined> {
  return db.selectFrom("variables").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Reads a variable and locks out every other writer until the transaction ends, on both databases. */
export function lockVariable(tx: Handle, id: string): Promise<VariableRow | undefined> {
  return tx
    .updateTable("variables")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

/** False if the id is taken: then nothing was written. */
export async function insertVariable(tx: Handle, row: VariableRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("variables")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateVariable(tx: Handle, row: VariableRow): Promise<void> {
  const { id, createdDate: _, ...changes } = row;
  await tx.updateTable("variables").set(changes).where("id", "=", id).execute();
}

/** False if there was none. */
export async function deleteVariable(tx: Handle, id: string): Promise<boolean> {
  const deleted = await tx.deleteFrom("variables").where("id", "=", id).returning("id").executeTakeFirst();
  return deleted !== undefined;
}
