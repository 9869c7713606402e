import type { Tables } from "@weft/database";
import type { PersonalChat } from "@weft/run-host";
import { type Kysely, sql } from "kysely";

/** A chat, and all chats of its session, which may be more. */
export type IdleChat = PersonalChat & { sessionChats: readonly string[] };

export type IdleQuery = { agentId: string; owner: string; before: string };

type Handle = Kysely<Tables>;

const rowsAtOnce = 200;

/** Chats in whose sessions nothing was said since a moment, oldest first. They may be erased while this goes on. */
export async function* idleChats(read: Handle, query: IdleQuery): AsyncGenerator<IdleChat[]> {
  for (let last = { createdDate: "", id: "" }; ; ) {
    const rows = await oldMessages(read, query, last);
    const found = new Map(rows.map((row) => [JSON.stringify([row.chatId, row.sessionId]), row]));
    const idle: IdleChat[] = [];
    for (const { chatId, sessionId } of found.values()) {
      if (!(await isIdle(read, query, { chatId, sessionId }))) continue;
      const { agentId, owner } = query;
      idle.push({ agentId, chatId, owner, sessionChats: await chatsOfSession(read, query, sessionId) });
    }
    if (idle.length > 0) yield idle;
    const end = rows.at(-1);
    if (end === undefined || rows.length < rowsAtOnce) return;
    last = end;
  }
}

/** As the index of an owner's messages names it. */
const ownerColumn = sql<string>`("owner" || '')`;

function messagesOf(read: Handle, { agentId, owner }: IdleQuery) {
  return read.selectFrom("chatMessages").where("chatflowid", "=", agentId).where(ownerColumn, "=", owner);
}

function oldMessages(read: Handle, query: IdleQuery, last: { createdDate: string; id: string }) {
  return messagesOf(read, query)
    .select(["id", "createdDate", "chatId", "sessionId"])
    .where("createdDate", "<", query.before)
    .where(({ eb, refTuple, tuple }) => eb(refTuple("createdDate", "id"), ">", tuple(last.createdDate, last.id)))
    .orderBy("createdDate")
    .orderBy("id")
    .limit(rowsAtOnce)
    .execute();
}

async function isIdle(read: Handle, query: IdleQuery, of: { chatId: string; sessionId: string }): Promise<boolean> {
  const { agentId, owner, before } = query;
  for (const column of ["chatId", "sessionId"] as const) {
    const newer = await read
      .selectFrom("chatMessages")
      .select("id")
      .where("chatflowid", "=", agentId)
      .where(column, "=", of[column])
      .where("owner", "=", owner)
      .where("createdDate", ">=", before)
      .limit(1)
      .executeTakeFirst();
    if (newer !== undefined) return false;
  }
  return true;
}

async function chatsOfSession(read: Handle, { agentId, owner }: IdleQuery, sessionId: string): Promise<string[]> {
  const rows = read.selectFrom("chatMessages").select("chatId").distinct().where("chatflowid", "=", agentId);
  return (await rows.where("sessionId", "=", sessionId).where("owner", "=", owner).execute()).map(
    ({ chatId }) => chatId,
  );
}
