import { prepareQuery, type Tables } from "@weft/database";
import type { ChatStats } from "@weft/schema";
import { type CompiledQuery, type Kysely, type SqlBool, sql } from "kysely";
import { type MessageFilter, matches } from "./message-filter.ts";

export type ChatMessageRow = {
  id: string;
  role: string;
  chatflowid: string;
  content: string;
  sourceDocuments: string;
  usedTools: string;
  fileAnnotations: string;
  agentReasoning: string;
  fileUploads: string;
  action: string;
  chatType: string;
  chatId: string;
  memoryType: string;
  sessionId: string;
  createdDate: string;
  leadEmail: string;
  executionId: string | null;
  /** The chat's owner: `account:<id>`, `client:<id>`, `anonymous`, or empty if older than owners. */
  owner: string;
  /** The person who wrote it in place of the agent, or "" without a name; null: the agent, or the user. */
  author: string | null;
};

declare module "@weft/database" {
  interface Tables {
    chatMessages: ChatMessageRow;
  }
}

type Handle = Kysely<Tables>;

export type MessageWindow = { order: "ASC" | "DESC"; offset?: number; limit?: number };

/** By date; at the same moment the user's message comes before the answer, then by id. */
export function listMessages(
  db: Handle,
  agentId: string,
  filter: MessageFilter,
  window: MessageWindow,
): Promise<ChatMessageRow[]> {
  return windowed(db, agentId, filter, window).selectAll().execute();
}

/** A message and the feedback on it. */
export type RatedMessageRow = ChatMessageRow & {
  feedbackId: string;
  rating: string;
  feedbackContent: string;
  feedbackDate: string;
};

/** As `listMessages`, only those with feedback. */
export function listRatedMessages(
  db: Handle,
  agentId: string,
  filter: MessageFilter,
  window: MessageWindow,
): Promise<RatedMessageRow[]> {
  return windowed(db, agentId, filter, window)
    .innerJoin("feedback", "feedback.messageId", "chatMessages.id")
    .selectAll("chatMessages")
    .select([
      "feedback.id as feedbackId",
      "feedback.rating",
      "feedback.content as feedbackContent",
      "feedback.createdDate as feedbackDate",
    ])
    .execute();
}

/** The runs that wrote the matching messages. */
export async function listRuns(db: Handle, agentId: string, filter: MessageFilter): Promise<string[]> {
  const rows = filtered(db, agentId, filter).select("executionId").distinct().where("executionId", "is not", null);
  return (await rows.execute()).flatMap(({ executionId }) => executionId ?? []);
}

export async function countMessages(db: Handle, agentId: string, filter: MessageFilter): Promise<number> {
  const row = await filtered(db, agentId, filter)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

export async function countStats(db: Handle, agentId: string, filter: MessageFilter): Promise<ChatStats> {
  const row = await filtered(db, agentId, filter)
    .leftJoin("feedback", "feedback.messageId", "chatMessages.id")
    .select(({ fn }) => [
      fn.countAll<number>().as("totalMessages"),
      fn.count<number>("chatMessages.sessionId").distinct().as("totalSessions"),
      fn.count<number>("feedback.id").as("totalFeedback"),
      fn.count<number>("feedback.id").filterWhere("feedback.rating", "=", "THUMBS_UP").as("positiveFeedback"),
    ])
    .executeTakeFirstOrThrow();
  return {
    totalMessages: Number(row.totalMessages),
    totalSessions: Number(row.totalSessions),
    totalFeedback: Number(row.totalFeedback),
    positiveFeedback: Number(row.positiveFeedback),
  };
}

/** A chat of an agent: several may share an id, each with another owner. */
export type ChatOfOwner = { chatId: string; owner: string };

/** Chats that have matching messages. */
export function listChats(db: Handle, agentId: string, filter: MessageFilter): Promise<ChatOfOwner[]> {
  return filtered(db, agentId, filter).select(["chatMessages.chatId", "chatMessages.owner"]).distinct().execute();
}

/** The agent, the chat and the chat's owner of a message. */
export type MessageOwner = ChatOfOwner & { chatflowid: string };

export function findOwner(db: Handle, messageId: string): Promise<MessageOwner | undefined> {
  const columns = ["chatflowid", "chatId", "owner"] as const;
  return db.selectFrom("chatMessages").select(columns).where("id", "=", messageId).executeTakeFirst();
}

/** As `findOwner`, locking the message until the transaction ends, on both databases. */
export function lockOwner(tx: Handle, messageId: string): Promise<MessageOwner | undefined> {
  return tx
    .updateTable("chatMessages")
    .set((eb) => ({ role: eb.ref("role") }))
    .where("id", "=", messageId)
    .returning(["chatflowid", "chatId", "owner"])
    .executeTakeFirst();
}

type Session = { agentId: string; owner: string; sessionId: string };
export type Remembered = Pick<ChatMessageRow, "id" | "role" | "content" | "fileUploads" | "executionId"> & {
  hasTools: SqlBool;
};

const hasTools = sql<SqlBool>`"usedTools" <> '[]'`.as("hasTools");

/** The last `limit` messages of a session, newest first. */
export const lastSessionMessages = prepareQuery<Session & { limit: number }, Remembered>(
  ["agentId", "owner", "sessionId", "limit"],
  (db, { agentId, owner, sessionId, limit }) =>
    db
      .selectFrom("chatMessages")
      .select(["id", "role", "content", "fileUploads", "executionId", hasTools])
      .where("chatflowid", "=", agentId)
      .where("sessionId", "=", sessionId)
      .where("owner", "=", owner)
      .orderBy("createdDate", "desc")
      .orderBy("id", "desc")
      .limit(limit),
);

/** What a message says that its turn called; empty when it is gone. */
export async function findUsedTools(read: Kysely<Tables>, id: string): Promise<string> {
  const row = await read.selectFrom("chatMessages").select("usedTools").where("id", "=", id).executeTakeFirst();
  return row?.usedTools ?? "[]";
}

/** As `lastSessionMessages`, without those of this run and later ones. */
export function messagesBeforeRun(
  read: Kysely<Tables>,
  { agentId, owner, sessionId, limit, beforeRun }: Session & { limit: number; beforeRun: string },
): Promise<Remembered[]> {
  return read
    .selectFrom("chatMessages")
    .select(["id", "role", "content", "fileUploads", "executionId", hasTools])
    .where("chatflowid", "=", agentId)
    .where("sessionId", "=", sessionId)
    .where("owner", "=", owner)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("runs as other")
            .innerJoin("runs as own", (join) => join.on("own.id", "=", beforeRun))
            .select("other.id")
            .whereRef("other.id", "=", "chatMessages.executionId")
            .whereRef("other.createdDate", ">=", "own.createdDate"),
        ),
      ),
    )
    .orderBy("createdDate", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** Sets a lead's address on those messages of its chat that have another one, or none. */
export async function setLeadEmail(
  tx: Handle,
  { chatflowid, chatId, owner }: MessageOwner,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await tx
    .updateTable("chatMessages")
    .set({ leadEmail: to })
    .where("chatflowid", "=", chatflowid)
    .where("chatId", "=", chatId)
    .where("owner", "=", owner)
    .where("leadEmail", "=", from)
    .execute();
}

export type RunOfChat = { chatId: string; executionId: string };

/** Empties the actions of a run's messages. */
export function closeActions(read: Handle, run: RunOfChat): CompiledQuery {
  return emptyActions.statement(read, run);
}

const emptyActions = prepareQuery<RunOfChat, never>(["chatId", "executionId"], (db, { chatId, executionId }) =>
  db
    .updateTable("chatMessages")
    .set({ action: sql.lit("[]") })
    .where("chatId", "=", chatId)
    .where("executionId", "=", executionId)
    .where("action", "!=", sql.lit("[]")),
);

/** Removes references to runs from their messages. */
export async function forgetRuns(tx: Handle, runs: readonly RunOfChat[]): Promise<void> {
  await tx
    .updateTable("chatMessages")
    .set({ executionId: null, action: "[]" })
    .where("chatId", "in", [...new Set(runs.map(({ chatId }) => chatId))])
    .where(
      "executionId",
      "in",
      runs.map(({ executionId }) => executionId),
    )
    .execute();
}

/** The last run to end of those that answered in a session, other than `beforeRun`. */
export async function lastAnsweringRun(
  read: Kysely<Tables>,
  { agentId, owner, sessionId, beforeRun }: Session & { beforeRun: string },
): Promise<string | undefined> {
  const newest = await read
    .selectFrom("chatMessages")
    .innerJoin("runs", "runs.id", "chatMessages.executionId")
    .select("chatMessages.executionId")
    .where("chatMessages.chatflowid", "=", agentId)
    .where("chatMessages.sessionId", "=", sessionId)
    .where("chatMessages.owner", "=", owner)
    .where("chatMessages.executionId", "!=", beforeRun)
    // A run that waits for a human has answered, but has not ended.
    .where("runs.stoppedDate", "is not", null)
    .orderBy("chatMessages.createdDate", "desc")
    .orderBy("chatMessages.id", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest?.executionId ?? undefined;
}

/** The owners among these with messages in a session. */
export async function sessionOwners(
  db: Handle,
  { agentId, sessionId }: Omit<Session, "owner">,
  owners: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom("chatMessages")
    .select("owner")
    .distinct()
    .where("chatflowid", "=", agentId)
    .where("sessionId", "=", sessionId)
    .where("owner", "in", owners)
    .execute();
  return rows.map(({ owner }) => owner);
}

/**
 * Deletes messages and the feedback on them; resolves with the number of deleted messages. Deletes messages first: that
 * waits for concurrent feedback and deletes it too.
 */
export async function deleteMessages(tx: Handle, agentId: string, filter: MessageFilter): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("chatMessages")
    .where("chatflowid", "=", agentId)
    .where(matches(filter))
    .executeTakeFirstOrThrow();
  await tx
    .deleteFrom("feedback")
    .where("chatflowid", "=", agentId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("chatMessages").select("id").whereRef("chatMessages.id", "=", "feedback.messageId"))),
    )
    .execute();
  return Number(numDeletedRows);
}

function windowed(db: Handle, agentId: string, filter: MessageFilter, { order, offset, limit }: MessageWindow) {
  const ascending = order === "ASC";
  // As an expression, so that SQLite uses the narrow index of these messages, and not that of all dates.
  const isNarrow = filter.sessionId !== undefined || filter.chatId !== undefined;
  const date = isNarrow ? sql`${sql.ref("chatMessages.createdDate")} || ''` : sql.ref("chatMessages.createdDate");
  const rows = filtered(db, agentId, filter)
    .orderBy(date, ascending ? "asc" : "desc")
    .orderBy("chatMessages.role", ascending ? "desc" : "asc")
    .orderBy("chatMessages.id", ascending ? "asc" : "desc");
  return limit === undefined ? rows : rows.limit(limit).offset(offset ?? 0);
}

function filtered(db: Handle, agentId: string, filter: MessageFilter) {
  return db.selectFrom("chatMessages").where("chatMessages.chatflowid", "=", agentId).where(matches(filter));
}
