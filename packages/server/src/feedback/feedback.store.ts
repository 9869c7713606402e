import type { FeedbackRow, Tables } from "@weft/database";
import { type Reach, reachesAgent } from "@weft/http";
import type { Kysely } from "kysely";

type Handle = Kysely<Tables>;

/** Which feedback of an agent is meant; what is absent does not restrict. Both dates are inclusive. */
export type FeedbackFilter = {
  chatId?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
  /** Only feedback on messages that are reached. */
  reach: Reach;
};

export type FeedbackWindow = { order: "asc" | "desc"; offset?: number; limit?: number };

/** By date, then by id. */
export function listFeedback(
  db: Handle,
  agentId: string,
  filter: FeedbackFilter,
  { order, offset, limit }: FeedbackWindow,
): Promise<FeedbackRow[]> {
  const rows = filtered(db, agentId, filter).selectAll().orderBy("createdDate", order).orderBy("id", order);
  return (limit === undefined ? rows : rows.limit(limit).offset(offset ?? 0)).execute();
}

export async function countFeedback(db: Handle, agentId: string, filter: FeedbackFilter): Promise<number> {
  const row = await filtered(db, agentId, filter)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

export function findFeedback(db: Handle, id: string): Promise<FeedbackRow | undefined> {
  return db.selectFrom("feedback").selectAll().where("id", "=", id).executeTakeFirst();
}

export function findFeedbackOfMessage(db: Handle, messageId: string): Promise<FeedbackRow | undefined> {
  return db.selectFrom("feedback").selectAll().where("messageId", "=", messageId).executeTakeFirst();
}

/** Reads feedback and keeps every other writer away from it until the transaction ends, on both databases. */
export function lockFeedback(tx: Handle, id: string): Promise<FeedbackRow | undefined> {
  return tx
    .updateTable("feedback")
    .set((eb) => ({ rating: eb.ref("rating") }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

/** False when the id is taken: then nothing was written. */
export async function insertFeedback(tx: Handle, row: FeedbackRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("feedback")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateFeedback(tx: Handle, { id, rating, content }: FeedbackRow): Promise<void> {
  await tx.updateTable("feedback").set({ rating, content }).where("id", "=", id).execute();
}

function filtered(db: Handle, agentId: string, { chatId, startDate, endDate, reach }: FeedbackFilter) {
  let query = db.selectFrom("feedback").where("chatflowid", "=", reachesAgent(reach, agentId) ? agentId : "");
  const { owners } = reach;
  if (owners !== "all") {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom("chatMessages")
          .select("chatMessages.id")
          .whereRef("chatMessages.id", "=", "feedback.messageId")
          .where("chatMessages.owner", "in", owners),
      ),
    );
  }
  if (chatId !== undefined) query = query.where("chatId", "=", chatId);
  if (startDate !== undefined) query = query.where("createdDate", ">=", startDate);
  if (endDate !== undefined) query = query.where("createdDate", "<=", endDate);
  return query;
}
