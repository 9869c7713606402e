import { type LeadRow, prepareQuery, type Tables } from "@weft/database";
import { type Reach, reachesAgent } from "@weft/http";
import type { Kysely } from "kysely";

type Handle = Kysely<Tables>;

export type Window = { offset: number; limit: number };

/** Leads of an agent, as far as somebody reaches them. */
export type ReachedLeads = { agentId: string; reach: Reach };

/** Oldest first. */
export function listLeads(db: Handle, leads: ReachedLeads, window?: Window): Promise<LeadRow[]> {
  const rows = reached(db, leads).selectAll().orderBy("createdDate").orderBy("id");
  return (window === undefined ? rows : rows.limit(window.limit).offset(window.offset)).execute();
}

export async function countLeads(db: Handle, leads: ReachedLeads): Promise<number> {
  const row = await reached(db, leads)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** The address that was left in a chat last. */
export const findEmails = prepareQuery<{ agentId: string; chatId: string; owner: string }, Pick<LeadRow, "email">>(
  ["agentId", "chatId", "owner"],
  (db, { agentId, chatId, owner }) =>
    db
      .selectFrom("leads")
      .select("email")
      .where("chatflowid", "=", agentId)
      .where("chatId", "=", chatId)
      .where("owner", "=", owner)
      .where("email", "!=", "")
      .orderBy("createdDate", "desc")
      .orderBy("id", "desc")
      .limit(1),
);

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

function reached(db: Handle, { agentId, reach }: ReachedLeads) {
  const leads = db.selectFrom("leads").where("chatflowid", "=", reachesAgent(reach, agentId) ? agentId : "");
  return reach.owners === "all" ? leads : leads.where("owner", "in", reach.owners);
}
