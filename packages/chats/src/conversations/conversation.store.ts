import { escapeLike, isLike, type Tables } from "@weft/database";
import { type Reach, reachesAgent } from "@weft/http/identity";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";

/** Names a conversation: several may share a chat id, each of another agent or owner. */
export type ConversationKey = { agentId: string; chatId: string; owner: string };

/** What people did with a conversation. It has a row once they did something. */
export type ConversationRow = ConversationKey & {
  /** Who answers in place of the agent, by name and as an owner is named; null: the agent answers. */
  takenBy: string | null;
  takenOwner: string | null;
  takenName: string;
  takenDate: string | null;
  /** When its agent asked for a person, and why; null: it does not ask. */
  askedDate: string | null;
  askedReason: string | null;
  /** JSON, like `events`. */
  labels: string;
  note: string;
  events: string;
};

declare module "@weft/database" {
  interface Tables {
    conversations: ConversationRow;
  }
}

type Handle = Kysely<Tables>;

/** Selects conversations; absent fields do not restrict. Both dates are inclusive, and limit the messages looked at. */
export type ConversationFilter = {
  agentId?: string | undefined;
  chatId?: string | undefined;
  chatType?: string | undefined;
  /** Some message contains these words, in any case. */
  search?: string | undefined;
  /** Some message has a rating like this. */
  rating?: string | undefined;
  label?: string | undefined;
  state?: "hand-over" | "taken-over" | "waiting" | "failed" | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
  reach: Reach;
};

export type ListedConversation = ConversationKey & {
  messageCount: number;
  firstDate: string;
  lastDate: string;
  isWaiting: number;
  /** Of all that match. */
  total: number;
};

/**
 * How many messages a list looks at, the newest of those within its limits: SQLite answers nobody else while it reads
 * them.
 */
const messagesLookedAt = 5_000;

/** The date of the oldest message that a list looks at; undefined: it looks at all. */
export async function findOldest(db: Handle, filter: ConversationFilter): Promise<string | undefined> {
  const { rows } = await sql<{ createdDate: string }>`
    select "createdDate" from "chatMessages" where ${sql.join(toLimits(filter), sql` and `)}
    order by ${newestFirst(filter)} desc limit 1 offset ${sql.lit(messagesLookedAt - 1)}`.execute(db);
  return rows[0]?.createdDate;
}

/** The newest conversations first. */
export async function listConversations(
  db: Handle,
  filter: ConversationFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ListedConversation[]> {
  const having = toConditions(filter).map((isSo) => sql`max(case when ${isSo} then 1 else 0 end) = 1`);
  const query = sql<ListedConversation>`
    with "recent" as (
      select "id", "chatflowid", "chatId", "owner", "createdDate", "action", "executionId"
        ${filter.search === undefined ? sql`` : sql`, "content"`}
      from "chatMessages"
      where ${sql.join(toLimits(filter), sql` and `)}
      order by ${newestFirst(filter)} desc limit ${sql.lit(messagesLookedAt)})
    select "chatflowid" as "agentId", "chatId", "owner", count(*) as "messageCount",
      min("createdDate") as "firstDate", max("createdDate") as "lastDate",
      max(case when ${isWaiting} then 1 else 0 end) as "isWaiting", count(*) over () as "total"
    from "recent" group by "chatflowid", "chatId", "owner"
    ${having.length === 0 ? sql`` : sql`having ${sql.join(having, sql` and `)}`}
    order by "lastDate" desc, "chatId" limit ${limit} offset ${offset}`;
  const { rows } = await query.execute(db);
  return rows.map((row) => ({ ...row, messageCount: Number(row.messageCount), total: Number(row.total) }));
}

const isWaiting = sql<SqlBool>`"recent"."action" <> '[]'`;

/**
 * Chooses the index: of an agent's messages, or of all messages by an expression that nothing else sorts by (migration
 * 0041). Those of a chat are sorted when they are read.
 */
function newestFirst({ agentId, chatId }: ConversationFilter): RawBuilder<unknown> {
  if (chatId !== undefined) return sql`("createdDate" || '')`;
  return agentId === undefined ? sql`('' || "createdDate")` : sql`"createdDate"`;
}

function toLimits(filter: ConversationFilter): RawBuilder<SqlBool>[] {
  const { agentId, chatId, chatType, startDate, endDate, reach } = filter;
  const { agents, owners } = reach;
  const date = newestFirst(filter);
  const limits = [sql<SqlBool>`1 = 1`];
  if (agentId !== undefined) limits.push(sql`"chatflowid" = ${reachesAgent(agents, agentId) ? agentId : ""}`);
  else if (agents !== "all") limits.push(sql`"chatflowid" in (${sql.join(["", ...agents])})`);
  if (owners !== "all") limits.push(sql`"owner" in (${sql.join(owners)})`);
  if (chatId !== undefined) limits.push(sql`"chatId" = ${chatId}`);
  if (chatType !== undefined) limits.push(sql`"chatType" = ${chatType}`);
  if (startDate !== undefined) limits.push(sql`${date} >= ${startDate}`);
  if (endDate !== undefined) limits.push(sql`${date} <= ${endDate}`);
  return limits;
}

/** Conditions on a message, each of which holds for some message of a conversation that matches. */
function toConditions({ search, rating, label, state }: ConversationFilter): RawBuilder<SqlBool>[] {
  const row = sql`
    select 1 from "conversations" "kept"
    where "kept"."agentId" = "chatflowid" and "kept"."chatId" = "recent"."chatId" and "kept"."owner" = "recent"."owner"`;
  const conditions: RawBuilder<SqlBool>[] = [];
  if (search !== undefined) conditions.push(contains(sql`"recent"."content"`, search));
  if (rating !== undefined) {
    conditions.push(sql`exists (select 1 from "feedback"
      where "feedback"."messageId" = "recent"."id" and "feedback"."rating" = ${rating})`);
  }
  if (label !== undefined) {
    conditions.push(sql`exists (${row} and ${contains(sql`"kept"."labels"`, JSON.stringify(label))})`);
  }
  if (state === "waiting") conditions.push(isWaiting);
  if (state === "hand-over") conditions.push(sql`exists (${row} and "kept"."askedDate" is not null)`);
  if (state === "taken-over") conditions.push(sql`exists (${row} and "kept"."takenDate" is not null)`);
  if (state === "failed") {
    conditions.push(sql`exists (select 1 from "runs"
      where "runs"."id" = "recent"."executionId" and "runs"."status" = 'failed')`);
  }
  return conditions;
}

function contains(text: RawBuilder<unknown>, words: string): RawBuilder<SqlBool> {
  return isLike(text, `%${escapeLike(words)}%`);
}

export type EdgeMessage = ConversationKey & {
  role: string;
  content: string;
  createdDate: string;
  sessionId: string;
  chatType: string;
  leadEmail: string;
};

/** The messages of these chats from these moments, with the first 200 characters of each. */
export async function messagesAt(
  db: Handle,
  chats: readonly ConversationKey[],
  moments: readonly string[],
): Promise<EdgeMessage[]> {
  if (chats.length === 0) return [];
  return db
    .selectFrom("chatMessages")
    .select(["chatflowid as agentId", "chatId", "owner", "role", "createdDate", "sessionId", "chatType", "leadEmail"])
    .select(sql<string>`substr("content", 1, 200)`.as("content"))
    .where("chatId", "in", idsOf(chats, "chatId"))
    .where("chatflowid", "in", idsOf(chats, "agentId"))
    .where("createdDate", "in", [...new Set(moments)])
    .execute();
}

export type ConversationFacts = ConversationKey & { thumbsUp: number; thumbsDown: number; failed: number };

/** What was thought of the answers of these chats, and how many of their runs failed. */
export async function factsOf(db: Handle, chats: readonly ConversationKey[]): Promise<ConversationFacts[]> {
  if (chats.length === 0) return [];
  const rows = await db
    .selectFrom("chatMessages as said")
    .leftJoin("feedback", "feedback.messageId", "said.id")
    .leftJoin("runs", (join) => join.onRef("runs.id", "=", "said.executionId").on("runs.status", "=", "failed"))
    .select(["said.chatflowid as agentId", "said.chatId", "said.owner"])
    .select(({ fn }) => [
      fn.count<number>("feedback.id").filterWhere("feedback.rating", "=", "THUMBS_UP").as("thumbsUp"),
      fn.count<number>("feedback.id").filterWhere("feedback.rating", "=", "THUMBS_DOWN").as("thumbsDown"),
      fn.count<number>("runs.id").as("failed"),
    ])
    .where("said.chatId", "in", idsOf(chats, "chatId"))
    .where("said.chatflowid", "in", idsOf(chats, "agentId"))
    .groupBy(["said.chatflowid", "said.chatId", "said.owner"])
    .execute();
  return rows.map((row) => ({
    ...row,
    thumbsUp: Number(row.thumbsUp),
    thumbsDown: Number(row.thumbsDown),
    failed: Number(row.failed),
  }));
}

function idsOf(chats: readonly ConversationKey[], name: "agentId" | "chatId"): string[] {
  return [...new Set(chats.map((chat) => chat[name]))];
}

export async function findRows(db: Handle, chats: readonly ConversationKey[]): Promise<ConversationRow[]> {
  if (chats.length === 0) return [];
  return db
    .selectFrom("conversations")
    .selectAll()
    .where("chatId", "in", idsOf(chats, "chatId"))
    .where("agentId", "in", idsOf(chats, "agentId"))
    .execute();
}

/** Those of an agent that people answer, the ones taken over first, first. */
export function listTaken(db: Handle, agentId: string, limit: number) {
  return db
    .selectFrom("conversations")
    .select(["chatId", "owner", "takenName", "takenDate"])
    .where("agentId", "=", agentId)
    .where("takenDate", "is not", null)
    .orderBy("takenDate")
    .limit(limit)
    .execute();
}

/** Adds the row of a conversation if it has none, and locks it until the transaction ends, on both databases. */
export async function lockRow(tx: Handle, key: ConversationKey): Promise<ConversationRow> {
  return tx
    .insertInto("conversations")
    .values({
      ...key,
      takenBy: null,
      takenOwner: null,
      takenName: "",
      takenDate: null,
      askedDate: null,
      askedReason: null,
      labels: "[]",
      note: "",
      events: "[]",
    })
    .onConflict((conflict) =>
      conflict.columns(["agentId", "chatId", "owner"]).doUpdateSet((eb) => ({ note: eb.ref("conversations.note") })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateRow(
  tx: Handle,
  { agentId, chatId, owner }: ConversationKey,
  changes: Partial<Omit<ConversationRow, keyof ConversationKey>>,
): Promise<void> {
  await tx
    .updateTable("conversations")
    .set(changes)
    .where("agentId", "=", agentId)
    .where("chatId", "=", chatId)
    .where("owner", "=", owner)
    .execute();
}

/** The last message of a conversation; undefined for an unknown conversation. */
export function findLast(db: Handle, { agentId, chatId, owner }: ConversationKey) {
  return db
    .selectFrom("chatMessages")
    .select(["sessionId", "chatType", "leadEmail", "memoryType", "createdDate"])
    .where("chatId", "=", chatId)
    .where("chatflowid", "=", agentId)
    .where("owner", "=", owner)
    .orderBy(sql`"createdDate" || ''`, "desc")
    .limit(1)
    .executeTakeFirst();
}

const replyColumns = ["id", "author", "content as text", "createdDate"] as const;

export type ReplyRow = { id: string; author: string | null; text: string; createdDate: string };

export function findReply(db: Handle, id: string): Promise<ReplyRow | undefined> {
  const found = db.selectFrom("chatMessages").select(replyColumns).where("id", "=", id);
  return found.where("author", "is not", null).executeTakeFirst();
}

/** What people wrote in a chat after one of its messages, oldest first. */
export function listReplies(
  db: Handle,
  { agentId, chatId, owners }: { agentId: string; chatId: string; owners: readonly string[] },
  { after, limit }: { after: string | undefined; limit: number },
) {
  const ofChat = db
    .selectFrom("chatMessages")
    .where("chatId", "=", chatId)
    .where("chatflowid", "=", agentId)
    .where("owner", "in", owners);
  const written = ofChat
    .select(replyColumns)
    .where("author", "is not", null)
    .orderBy(sql`"createdDate" || ''`, after === undefined ? "desc" : "asc")
    .limit(limit);
  if (after === undefined) return written.execute();
  return written.where("createdDate", ">", ofChat.select("createdDate").where("id", "=", after)).execute();
}

export async function deleteRow(tx: Handle, { agentId, chatId, owner }: ConversationKey): Promise<void> {
  await tx
    .deleteFrom("conversations")
    .where("agentId", "=", agentId)
    .where("chatId", "=", chatId)
    .where("owner", "=", owner)
    .execute();
}

/** Deletes the rows of those of these chats that have no messages left. */
export async function deleteEmptied(
  tx: Handle,
  agentId: string,
  chats: readonly Omit<ConversationKey, "agentId">[],
): Promise<void> {
  if (chats.length === 0) return;
  await tx
    .deleteFrom("conversations")
    .where("agentId", "=", agentId)
    .where("chatId", "in", [...new Set(chats.map(({ chatId }) => chatId))])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("chatMessages")
            .select("id")
            .whereRef("chatMessages.chatId", "=", "conversations.chatId")
            .whereRef("chatMessages.chatflowid", "=", "conversations.agentId")
            .whereRef("chatMessages.owner", "=", "conversations.owner"),
        ),
      ),
    )
    .execute();
}

export async function deleteOfAgent(tx: Handle, agentId: string): Promise<void> {
  await tx.deleteFrom("conversations").where("agentId", "=", agentId).execute();
}
