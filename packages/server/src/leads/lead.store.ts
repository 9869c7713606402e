import type { Kysely } from "kysely";
import type { LeadRow, Tables } from "../storage/tables.ts";

type Handle = Kysely<Tables>;

export type Window = { offset: number; limit: number };

/** Oldest first. */
export function listLeads(db: Handle, agentId: string, window?: Window): Promise<LeadRow[]> {
  const rows = db
    .selectFrom("leads")
    .selectAll()
    .where("chatflowid", "=", agentId)
    .orderBy("createdDate")
    .orderBy("id");
  return (window === undefined ? rows : rows.limit(window.limit).offset(window.offset)).execute();
}

export async function countLeads(db: Handle, agentId: string): Promise<number> {
  const row = await db
    .selectFrom("leads")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("chatflowid", "=", agentId)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

export function findLead(db: Handle, id: string): Promise<LeadRow | undefined> {
  return db.selectFrom("leads").selectAll().where("id", "=", id).executeTakeFirst();
}

/** False when the id is taken: then nothing was written. */
export async function insertLead(tx: Handle, row: LeadRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("leads")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function deleteLeads(tx: Handle, agentId: string): Promise<void> {
  await tx.deleteFrom("leads").where("chatflowid", "=", agentId).execute();
}
