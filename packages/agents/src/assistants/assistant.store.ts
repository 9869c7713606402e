import type { Tables } from "@weft/database";
import type { Reach } from "@weft/http/reach";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";

export type AssistantRow = {
  id: string;
  credential: string;
  iconSrc: string;
  createdDate: string;
  updatedDate: string;
  /** Id of the version, in `agentVersions`, that new runs use: the flow that the details amount to. */
  versionId: string;
  /** JSON text of an object. */
  details: string;
};

declare module "@weft/database" {
  interface Tables {
    assistants: AssistantRow;
  }
}

type Handle = Kysely<Tables>;
export type Window = { offset: number; limit: number };

/** Most recently updated first. */
export function listAssistants(db: Handle, reach: Reach, window?: Window): Promise<AssistantRow[]> {
  const rows = reached(db, reach).selectAll().orderBy("updatedDate", "desc").orderBy("id");
  return (window === undefined ? rows : rows.limit(window.limit).offset(window.offset)).execute();
}

export async function countAssistants(db: Handle, reach: Reach): Promise<number> {
  const counted = reached(db, reach).select((eb) => eb.fn.countAll<number>().as("total"));
  return Number((await counted.executeTakeFirstOrThrow()).total);
}

export function findAssistant(db: Handle, id: string): Promise<AssistantRow | undefined> {
  return db.selectFrom("assistants").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function hasAssistant(db: Handle, id: string): Promise<boolean> {
  return (await db.selectFrom("assistants").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

/** As `hasAssistant`, as a condition of a statement. */
export function isAssistantThere(id: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from ${sql.table("assistants")} where "id" = ${id})`;
}

/** Others that want to change the assistant wait until the transaction ends. */
export function lockAssistant(tx: Handle, id: string): Promise<AssistantRow | undefined> {
  return tx
    .updateTable("assistants")
    .set((eb) => ({ id: eb.ref("id") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

/** False when the id is taken. */
export async function insertAssistant(tx: Handle, row: AssistantRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("assistants")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateAssistant(tx: Handle, row: AssistantRow): Promise<void> {
  await tx.updateTable("assistants").set(row).where("id", "=", row.id).execute();
}

export async function deleteAssistant(tx: Handle, id: string): Promise<void> {
  await tx.deleteFrom("assistants").where("id", "=", id).execute();
}

function reached(db: Handle, { agents }: Reach) {
  const assistants = db.selectFrom("assistants");
  return agents === "all" ? assistants : assistants.where("id", "in", [...agents]);
}
