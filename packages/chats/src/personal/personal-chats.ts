import { type Database, type IdRange, idRanges, inIdRange, type Tables } from "@weft/database";
import { everything } from "@weft/http/identity";
import type { PersonalChat, PersonKey } from "@weft/run-host";
import type { ChatMessage, Feedback, Lead } from "@weft/schema";
import { type Kysely, sql } from "kysely";
import type { ChatMessageService } from "../chat-messages/index.ts";
import type { ConversationService } from "../conversations/index.ts";
import type { FileService } from "../files/index.ts";
import { type IdleChat, type IdleQuery, idleChats } from "./idle-chats.ts";

/** A file of a chat with its bytes in base64. */
export type PersonalFile = {
  id: string;
  chatflowid: string;
  chatId: string;
  name: string;
  mime: string;
  createdDate: string;
  data: string;
};

/** How much of a chat there was. */
export type ErasedChat = { messages: number; feedback: number; files: number; leads: number };

/** What chats keep of a person. A chat is what one owner said to one agent under one id. */
export type PersonalChats = {
  /** The chats that messages, leads and files name. */
  findChats(key: PersonKey): Promise<PersonalChat[]>;
  messages(chat: PersonalChat): AsyncGenerator<ChatMessage>;
  /** What people noted about it; undefined: nothing. */
  noted: ConversationService["noted"];
  feedback(chat: PersonalChat): AsyncGenerator<Feedback>;
  files(chat: PersonalChat): AsyncGenerator<PersonalFile>;
  leads(chat: PersonalChat): AsyncGenerator<Lead>;
  /** Chats in whose sessions nothing was said since a moment. */
  idle(query: IdleQuery): AsyncGenerator<IdleChat[]>;
  /** A few rows a write. What tells the person comes last, so that an interrupted erasure finds the chat again. */
  erase(chat: PersonalChat, keep?: { leads: boolean }): Promise<ErasedChat>;
};

type Handle = Kysely<Tables>;

const isolation = { isolation: "read-committed" } as const;
const rowsAtOnce = 1_000;
/** Whose owner stands behind its bytes, which SQLite walks through. */
const filesAtOnce = 50;
const erasedAtOnce = 200;

type Keepers = { messages: ChatMessageService; files: FileService; conversations: ConversationService };

export function createPersonalChats(database: Database, { messages, files, conversations }: Keepers): PersonalChats {
  const { read } = database;
  return {
    async findChats(key) {
      const chats: PersonalChat[] = [];
      for await (const range of idRanges(read, "chatMessages", rowsAtOnce))
        chats.push(...(await chatsOfMessages(read, range, key)));
      for await (const range of idRanges(read, "leads", rowsAtOnce))
        chats.push(...(await chatsOfLeads(read, range, key)));
      if (key.kind !== "chat" && key.kind !== "owner") return chats;
      for await (const range of idRanges(read, "files", filesAtOnce))
        chats.push(...(await chatsOfFiles(read, range, key)));
      return chats;
    },

    async *messages({ agentId, chatId, owner }) {
      const reach = { ...everything, owners: [owner] };
      for (let page = 1; ; page += 1) {
        const answer = await messages.list(agentId, { chatId, reach, page, limit: erasedAtOnce });
        const listed = Array.isArray(answer) ? answer : answer.data;
        yield* listed;
        if (listed.length < erasedAtOnce) return;
      }
    },

    noted: conversations.noted,

    async *feedback(chat) {
      const ofChat = messagesOf(read, chat).select("id");
      const rows = await read.selectFrom("feedback").selectAll().where("messageId", "in", ofChat).execute();
      for (const row of rows) yield { ...row, rating: row.rating === "THUMBS_UP" ? "THUMBS_UP" : "THUMBS_DOWN" };
    },

    async *files({ agentId, chatId, owner }) {
      const rows = await read
        .selectFrom("files")
        .select(["id", "agentId", "chatId", "name", "mime", "createdDate"])
        .where("agentId", "=", agentId)
        .where("chatId", "=", chatId)
        .where("owner", "=", owner)
        .execute();
      for (const { agentId: chatflowid, ...row } of rows) {
        const found = await files.read(row.id);
        if (found !== undefined) yield { ...row, chatflowid, data: Buffer.from(found.bytes).toString("base64") };
      }
    },

    async *leads(chat) {
      for (const { owner: _, ...lead } of await leadsOf(read, chat).selectAll().execute()) yield lead;
    },

    idle: (query) => idleChats(read, query),

    async erase(chat, keep) {
      const removeNotes = () => database.write((tx) => conversations.remove(tx, chat), isolation);
      await removeNotes();
      const files = await eraseInPortions(database, (tx) => eraseFiles(tx, chat));
      const messages = await eraseMessages(database, chat);
      // Someone may have replied meanwhile.
      await removeNotes();
      const leads = keep?.leads ? 0 : await eraseInPortions(database, (tx) => eraseLeads(tx, chat));
      return { files, ...messages, leads };
    },
  };
}

const isEmail = (column: string, email: string) => sql<boolean>`lower(${sql.ref(column)}) = ${email.toLowerCase()}`;

async function chatsOfMessages(read: Handle, range: IdRange, key: PersonKey): Promise<PersonalChat[]> {
  const columns = ["chatflowid as agentId", "chatId", "owner"] as const;
  const rows = read.selectFrom("chatMessages").select(columns).distinct().where(inIdRange(range));
  switch (key.kind) {
    case "chat":
      return rows.where("chatId", "=", key.chatId).execute();
    case "session":
      return rows.where("sessionId", "=", key.sessionId).execute();
    case "owner":
      return rows.where("owner", "=", key.owner).execute();
    case "email":
      return rows.where(isEmail("leadEmail", key.email)).execute();
  }
}

async function chatsOfLeads(read: Handle, range: IdRange, key: PersonKey): Promise<PersonalChat[]> {
  const rows = read.selectFrom("leads").select(["chatflowid as agentId", "chatId", "owner"]).where(inIdRange(range));
  switch (key.kind) {
    case "chat":
      return rows.where("chatId", "=", key.chatId).execute();
    case "session":
      return rows.where("chatId", "=", key.sessionId).execute();
    case "owner":
      return rows.where("owner", "=", key.owner).execute();
    case "email":
      return rows.where(isEmail("email", key.email)).execute();
  }
}

async function chatsOfFiles(
  read: Handle,
  range: IdRange,
  key: PersonKey & { kind: "chat" | "owner" },
): Promise<PersonalChat[]> {
  const rows = read.selectFrom("files").select(["agentId", "chatId", "owner"]).where(inIdRange(range));
  const found = key.kind === "chat" ? rows.where("chatId", "=", key.chatId) : rows.where("owner", "=", key.owner);
  return found.execute();
}

function messagesOf(db: Handle, { agentId, chatId, owner }: PersonalChat) {
  const ofChat = db.selectFrom("chatMessages").where("chatflowid", "=", agentId).where("chatId", "=", chatId);
  return ofChat.where("owner", "=", owner);
}

function leadsOf(db: Handle, { agentId, chatId, owner }: PersonalChat) {
  const ofChat = db.selectFrom("leads").where("chatflowid", "=", agentId).where("chatId", "=", chatId);
  return ofChat.where("owner", "=", owner);
}

/** Repeats a write until it finds nothing more; resolves with how many rows all of them found. */
async function eraseInPortions(database: Database, erase: (tx: Handle) => Promise<number>): Promise<number> {
  for (let count = 0; ; ) {
    const erased = await database.write(erase, isolation);
    if (erased === 0) return count;
    count += erased;
  }
}

async function eraseMessages(database: Database, chat: PersonalChat) {
  for (const total = { messages: 0, feedback: 0 }; ; ) {
    const erased = await database.write((tx) => eraseSomeMessages(tx, chat), isolation);
    if (erased.messages === 0) return total;
    total.messages += erased.messages;
    total.feedback += erased.feedback;
  }
}

async function eraseSomeMessages(tx: Handle, chat: PersonalChat) {
  const found = await messagesOf(tx, chat).select("id").limit(erasedAtOnce).execute();
  if (found.length === 0) return { messages: 0, feedback: 0 };
  const ids = found.map(({ id }) => id);
  // The messages first: feedback that is being left at the same moment is waited for, and goes too.
  await tx.deleteFrom("chatMessages").where("id", "in", ids).execute();
  const rated = await tx.deleteFrom("feedback").where("messageId", "in", ids).executeTakeFirstOrThrow();
  return { messages: ids.length, feedback: Number(rated.numDeletedRows) };
}

async function eraseFiles(tx: Handle, { agentId, chatId, owner }: PersonalChat): Promise<number> {
  const found = await tx
    .selectFrom("files")
    .select("id")
    .where("agentId", "=", agentId)
    .where("chatId", "=", chatId)
    .where("owner", "=", owner)
    // With all of its parts, which are many where it is long.
    .limit(1)
    .execute();
  const ids = found.map(({ id }) => id);
  if (ids.length > 0) await tx.deleteFrom("files").where("id", "in", ids).execute();
  return ids.length;
}

async function eraseLeads(tx: Handle, chat: PersonalChat): Promise<number> {
  const found = await leadsOf(tx, chat).select("id").limit(erasedAtOnce).execute();
  const ids = found.map(({ id }) => id);
  if (ids.length > 0) await tx.deleteFrom("leads").where("id", "in", ids).execute();
  return ids.length;
}
