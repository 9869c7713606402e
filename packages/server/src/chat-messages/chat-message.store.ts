import type { ExpressionBuilder, Kysely } from "kysely";
import { prepareQuery } from "../storage/prepared-query.ts";
import type { ChatMessageRow, Tables } from "../storage/tables.ts";

const messageColumns = [
  "id",
  "role",
  "chatflowid",
  "content",
  "sourceDocuments",
  "usedTools",
  "fileAnnotations",
  "agentReasoning",
  "fileUploads",
  "action",
  "chatType",
  "chatId",
  "memoryType",
  "sessionId",
  "createdDate",
  "leadEmail",
  "executionId",
] as const satisfies readonly (keyof ChatMessageRow)[];

type Handle = Kysely<Tables>;

/** Which messages of an agent are meant; what is absent does not restrict. Both dates are inclusive. */
export type MessageFilter = {
  messageId?: string | undefined;
  chatId?: string | undefined;
  sessionId?: string | undefined;
  memoryType?: string | undefined;
  chatType?: readonly string[] | undefined;
  /** Only messages that carry feedback. */
  withFeedback?: boolean | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
};

export type MessageWindow = { order: "ASC" | "DESC"; offset?: number; limit?: number };

/** By date; at the same moment the user's message comes before the answer, then by id. */
export function listMessages(
  db: Handle,
  agentId: string,
  filter: MessageFilter,
  window: MessageWindow,
): Promise<ChatMessageRow[]> {
  const ascending = window.order === "ASC";
  let rows = db
    .selectFrom("chatMessages")
    .selectAll()
    .where("chatflowid", "=", agentId)
    .where(matches(filter))
    .orderBy("createdDate", ascending ? "asc" : "desc")
    .orderBy("role", ascending ? "desc" : "asc")
    .orderBy("id", ascending ? "asc" : "desc");
  if (window.limit !== undefined) rows = rows.limit(window.limit);
  if (window.offset !== undefined) rows = rows.offset(window.offset);
  return rows.execute();
}

export async function countMessages(db: Handle, agentId: string, filter: MessageFilter): Promise<number> {
  const row = await db
    .selectFrom("chatMessages")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("chatflowid", "=", agentId)
    .where(matches(filter))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

type Session = { agentId: string; sessionId: string };
type Remembered = Pick<ChatMessageRow, "role" | "content">;

/** The last `limit` messages of a session, newest first. */
export const lastSessionMessages = prepareQuery<Session & { limit: number }, Remembered>(
  ["agentId", "sessionId", "limit"],
  (db, { agentId, sessionId, limit }) =>
    db
      .selectFrom("chatMessages")
      .select(["role", "content"])
      .where("chatflowid", "=", agentId)
      .where("sessionId", "=", sessionId)
      .orderBy("createdDate", "desc")
      .orderBy("id", "desc")
      .limit(limit),
);

/** Date of the newest message of a session; none when it has none. */
export const lastSessionDates = prepareQuery<Session, Pick<ChatMessageRow, "createdDate">>(
  ["agentId", "sessionId"],
  (db, { agentId, sessionId }) =>
    db
      .selectFrom("chatMessages")
      .select("createdDate")
      .where("chatflowid", "=", agentId)
      .where("sessionId", "=", sessionId)
      .orderBy("createdDate", "desc")
      .limit(1),
);

export const insertMessage = prepareQuery<ChatMessageRow, never>(messageColumns, (db, row) =>
  db.insertInto("chatMessages").values(row),
);

/** Resolves with the number of deleted messages. */
export async function deleteMessages(tx: Handle, agentId: string, filter: MessageFilter): Promise<number> {
  const result = await tx
    .deleteFrom("chatMessages")
    .where("chatflowid", "=", agentId)
    .where(matches(filter))
    .executeTakeFirstOrThrow();
  return Number(result.numDeletedRows);
}

const textColumns = ["chatId", "sessionId", "memoryType"] as const satisfies readonly (keyof ChatMessageRow)[];

function matches(filter: MessageFilter) {
  return (eb: ExpressionBuilder<Tables, "chatMessages">) =>
    eb.and([
      ...textColumns.flatMap((column) => (filter[column] === undefined ? [] : [eb(column, "=", filter[column])])),
      ...(filter.messageId === undefined ? [] : [eb("id", "=", filter.messageId)]),
      ...(filter.chatType === undefined ? [] : [eb("chatType", "in", filter.chatType)]),
      // No table holds feedback, so no message carries any.
      ...(filter.withFeedback === true ? [eb.lit(false)] : []),
      ...(filter.startDate === undefined ? [] : [eb("createdDate", ">=", filter.startDate)]),
      ...(filter.endDate === undefined ? [] : [eb("createdDate", "<=", filter.endDate)]),
    ]);
}
