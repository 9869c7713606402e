import { type Database, keepUntilChange, type Tables } from "@weft/database";
import type { IdSource, WallClock } from "@weft/engine/ports/clock";
import { type Reach, reaches } from "@weft/http/identity";
import {
  type ChatReplies,
  type Conversation,
  type ConversationList,
  type ConversationUpdate,
  chatTypeSchema,
  conversationLimits,
  type FileUpload,
  type PageQuery,
  parseJson,
  type TakeOver,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { CompiledQuery, Kysely } from "kysely";
import type { ChatTurn } from "../chat-messages/index.ts";
import type { ConversationFilter, ConversationKey, ConversationRow, ListedConversation } from "./conversation.store.ts";
import * as store from "./conversation.store.ts";

export type ConversationServiceDeps = {
  database: Database;
  clock: WallClock;
  ids: IdSource;
  turnStatement(turn: ChatTurn): CompiledQuery;
  /** Whether the agent exists; if so, locks it against deletion until the transaction ends. */
  holdAgent(tx: Kysely<Tables>, agentId: string): Promise<boolean>;
};

/** A message to a chat that a person answers. */
export type MessageForPerson = Omit<ChatTurn, "user" | "api"> & {
  id: string;
  content: string;
  fileUploads: readonly FileUpload[];
};

export type ConversationReply = ChatReplies["replies"][number];

/** Who acts: by name, as an owner is named, and how far. */
export type Actor = { by: string; owner: string; reach: Reach };

export type Noted = Pick<Conversation, "labels" | "note" | "events" | "handOver">;

/** What agents and people said to each other, over all agents, and the people who answer in place of an agent. */
export type ConversationService = {
  /** Those within reach, the newest first, by the last 5,000 messages. */
  list(query: ConversationFilter & PageQuery): Promise<ConversationList>;
  /** Functions with an id reject with `not-found` for an unknown conversation, and for one out of reach. */
  get(id: string, reach: Reach): Promise<Conversation>;
  update(id: string, changes: ConversationUpdate, reach: Reach): Promise<Conversation>;
  /**
   * Its agent asks for a person. The reason is cut to 1,000 characters. Does nothing while it is asking already, or while
   * a person answers.
   */
  askForPerson(key: ConversationKey, reason: string): Promise<void>;
  /** Leaves the conversation to its agent. */
  declineHandOver(id: string, by: Actor): Promise<Conversation>;
  /**
   * From now on its messages wait for a person. Rejects with `conflict` while someone else answers, and when people
   * answer 1,000 conversations of the agent already.
   */
  takeOver(id: string, by: Actor & { name: string }): Promise<Conversation>;
  /** Its agent answers again, even if someone else took the conversation over. */
  handBack(id: string, by: Actor): Promise<Conversation>;
  /** Rejects with `conflict` for anyone but the person who took the conversation over. */
  reply(id: string, reply: Actor & { id?: string | undefined; text: string }): Promise<ConversationReply>;
  findReply(id: string): Promise<ConversationReply | undefined>;
  /** Who answers the chat of one of these owners in place of its agent. */
  findTakeOver(agentId: string, chatId: string, owners: readonly string[]): Promise<TakeOver | undefined>;
  /** Stores a message once by its id. */
  receive(message: MessageForPerson): Promise<void>;
  /** What people wrote in a chat of these owners, after a message of it, oldest first; at most 100. */
  replies(
    chat: { agentId: string; chatId: string; owners: readonly string[] },
    after: string | undefined,
  ): Promise<ChatReplies>;
  /** What people noted about a conversation; undefined: nothing. */
  noted(key: ConversationKey): Promise<Noted | undefined>;
  /** For the transactions that delete an agent, messages of chats, and a chat. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
  removeEmptied: typeof store.deleteEmptied;
  remove(tx: Kysely<Tables>, key: ConversationKey): Promise<void>;
};

/** Of one agent, at once. */
const mostTaken = 1_000;
const mostReplies = 100;
const mostEvents = 100;
const agentsKept = 1_000;

export function createConversationService(deps: ConversationServiceDeps): ConversationService {
  const { database } = deps;
  const { read } = database;
  const get = async (id: string, reach: Reach) => {
    const key = reached(id, reach);
    const only = { owners: [key.owner], agents: new Set([key.agentId]) };
    const { agentId, chatId } = key;
    const listed = await store.listConversations(read, { agentId, chatId, reach: only }, { offset: 0, limit: 1 });
    const [found] = await show(read, listed);
    if (found === undefined) throw unknown(id);
    return found;
  };
  return {
    ...peopleOf(deps, get),
    ...forSenders(deps),
    get,

    async list({ page = 1, limit = 50, ...filter }) {
      const window = { offset: (page - 1) * limit, limit };
      const [oldest, listed] = await Promise.all([
        store.findOldest(read, filter),
        store.listConversations(read, filter, window),
      ]);
      return { data: await show(read, listed), total: listed[0]?.total ?? 0, olderThan: oldest ?? null };
    },

    async noted(key) {
      const row = (await store.findRows(read, [key])).find(({ owner }) => owner === key.owner);
      return row && toNoted(row);
    },

    removeOfAgent: store.deleteOfAgent,
    removeEmptied: store.deleteEmptied,
    remove: store.deleteRow,
  };
}

/** What people do with conversations. */
function peopleOf(
  { database, clock, ids, turnStatement, holdAgent }: ConversationServiceDeps,
  get: ConversationService["get"],
) {
  const now = () => toMoment(clock.now());

  /** Works on the row of a conversation that exists, in one transaction. */
  async function change<T>(
    id: string,
    reach: Reach,
    work: (tx: Kysely<Tables>, row: ConversationRow, last: Last) => Promise<T>,
  ): Promise<T> {
    const key = reached(id, reach);
    const write = async (tx: Kysely<Tables>) => {
      const row = await store.lockRow(tx, key);
      const last = await store.findLast(tx, key);
      if (last === undefined) throw unknown(id);
      return work(tx, row, last);
    };
    return database.write(write, { isolation: "read-committed" });
  }

  const nobodyAsked = { askedDate: null, askedReason: null };
  return {
    async askForPerson(key, reason) {
      const askedReason = reason
        .replace(/\p{Cc}+/gu, " ")
        .trim()
        .slice(0, conversationLimits.reason);
      const write = async (tx: Kysely<Tables>) => {
        if (!(await holdAgent(tx, key.agentId))) return;
        const row = await store.lockRow(tx, key);
        if (row.askedDate !== null || row.takenDate !== null) return;
        const at = now();
        const events = withEvent(row, { type: "hand-over-asked", by: "", at });
        await store.updateRow(tx, row, { askedDate: at, askedReason, events });
      };
      await database.write(write, { isolation: "read-committed" });
    },

    async declineHandOver(id, { by, reach }) {
      await change(id, reach, async (tx, row) => {
        if (row.askedDate === null) return;
        const events = withEvent(row, { type: "hand-over-declined", by, at: now() });
        await store.updateRow(tx, row, { ...nobodyAsked, events });
      });
      return get(id, reach);
    },

    async update(id, { labels, note }, reach) {
      const kept = (row: ConversationRow) => ({
        labels: labels === undefined ? row.labels : JSON.stringify(labels),
        note: note ?? row.note,
      });
      await change(id, reach, (tx, row) => store.updateRow(tx, row, kept(row)));
      return get(id, reach);
    },

    async takeOver(id, { by, owner, name, reach }) {
      await change(id, reach, async (tx, row) => {
        assertOwn(row, owner);
        if (row.takenDate === null) await assertFewTaken(tx, row.agentId);
        const since = row.takenDate ?? now();
        const event = { type: "taken-over", by, at: since } as const;
        const events = row.takenDate === null ? withEvent(row, event) : row.events;
        const taken = { takenBy: by, takenOwner: owner, takenName: name, takenDate: since };
        await store.updateRow(tx, row, { ...taken, ...nobodyAsked, events });
      });
      return get(id, reach);
    },

    async handBack(id, { by, reach }) {
      await change(id, reach, async (tx, row) => {
        if (row.takenDate === null) return;
        const events = withEvent(row, { type: "handed-back", by, at: now() });
        await store.updateRow(tx, row, { takenBy: null, takenOwner: null, takenName: "", takenDate: null, events });
      });
      return get(id, reach);
    },

    reply: (id, { id: messageId = ids.uuid(), text, owner: writer, reach }) =>
      change(id, reach, async (tx, row, last) => {
        if (row.takenDate === null) {
          throw new WeftError("conflict", { params: { reason: "Take the conversation over before you answer it." } });
        }
        assertOwn(row, writer);
        const { agentId, chatId, owner, takenName } = row;
        const { sessionId, leadEmail, memoryType } = last;
        const chat = { agentId, chatId, owner, sessionId, leadEmail, memoryType, askedAt: clock.now() };
        const api = { id: messageId, content: text, author: takenName };
        await tx.executeQuery(turnStatement({ ...chat, chatType: chatTypeSchema.parse(last.chatType), api }));
        const written = await store.findReply(tx, messageId);
        if (written === undefined) throw unknown(id);
        return toReply(written);
      }),

    async findReply(id) {
      const found = await store.findReply(database.read, id);
      return found && toReply(found);
    },
  } satisfies Partial<ConversationService>;
}

/** What those see who send the messages. */
function forSenders({ database, turnStatement }: ConversationServiceDeps) {
  const { read } = database;
  const kept = keepUntilChange<Awaited<ReturnType<typeof store.listTaken>>>(database, ["conversations"], agentsKept);

  const findTakeOver: ConversationService["findTakeOver"] = async (agentId, chatId, owners) => {
    const taken = await kept(agentId, () => store.listTaken(read, agentId, mostTaken));
    const found = taken.find((one) => one.chatId === chatId && owners.includes(one.owner));
    return found && { name: found.takenName, since: found.takenDate ?? "" };
  };

  return {
    findTakeOver,

    async receive({ id, content, fileUploads, ...chat }) {
      const statement = turnStatement({ ...chat, user: { id, content, fileUploads } });
      await database.write((tx) => tx.executeQuery(statement), { isolation: "read-committed" });
    },

    async replies(chat, after) {
      const takenOver = (await findTakeOver(chat.agentId, chat.chatId, chat.owners)) ?? null;
      const rows = await store.listReplies(read, chat, { after, limit: mostReplies });
      return { takenOver, replies: (after === undefined ? rows.toReversed() : rows).map(toReply) };
    },
  } satisfies Partial<ConversationService>;
}

async function show(read: Kysely<Tables>, listed: readonly ListedConversation[]): Promise<Conversation[]> {
  const moments = listed.flatMap(({ firstDate, lastDate }) => [firstDate, lastDate]);
  const [edges, facts, rows] = await Promise.all([
    store.messagesAt(read, listed, moments),
    store.factsOf(read, listed),
    store.findRows(read, listed),
  ]);
  const factsById = new Map(facts.map((fact) => [toId(fact), fact]));
  const rowsById = new Map(rows.map((row) => [toId(row), row]));
  const edgesById = Map.groupBy(edges, toId);
  return listed.flatMap((one) => {
    const id = toId(one);
    const ends = edgesById.get(id) ?? [];
    const first = ends.find(({ createdDate }) => createdDate === one.firstDate);
    const last = ends.findLast(({ createdDate }) => createdDate === one.lastDate);
    // Deleted since it was listed.
    if (first === undefined || last === undefined) return [];
    const { thumbsUp = 0, thumbsDown = 0, failed = 0 } = factsById.get(id) ?? {};
    const { agentId, chatId, messageCount } = one;
    return {
      ...{ id, agentId, chatId, messageCount, thumbsUp, thumbsDown },
      sessionId: last.sessionId,
      chatType: chatTypeSchema.parse(last.chatType),
      leadEmail: last.leadEmail,
      first: toSpoken(first),
      last: toSpoken(last),
      isWaiting: Number(one.isWaiting) === 1,
      hasFailed: failed > 0,
      ...toNoted(rowsById.get(id)),
      takenOver: toTakeOver(rowsById.get(id)),
    };
  });
}

type Last = NonNullable<Awaited<ReturnType<typeof store.findLast>>>;

function toId({ agentId, chatId, owner }: ConversationKey): string {
  return Buffer.from(JSON.stringify([agentId, chatId, owner])).toString("base64url");
}

/** Throws `not-found` for an id that names no conversation within reach. */
function reached(id: string, reach: Reach): ConversationKey {
  const key = parseId(id);
  if (key === undefined || !reaches(reach, key)) throw unknown(id);
  return key;
}

function parseId(id: string): ConversationKey | undefined {
  const text = Buffer.from(id, "base64url").toString();
  const parts = parseJson(text);
  if (!Array.isArray(parts) || parts.length !== 3 || !parts.every((part) => typeof part === "string")) return undefined;
  const [agentId = "", chatId = "", owner = ""] = parts;
  return { agentId, chatId, owner };
}

function unknown(id: string): WeftError {
  return new WeftError("not-found", { params: { resource: "conversation", id: id.slice(0, 100) } });
}

/** Throws `conflict` where a message could not be told from one for the agent any more. */
async function assertFewTaken(tx: Kysely<Tables>, agentId: string): Promise<void> {
  if ((await store.listTaken(tx, agentId, mostTaken)).length < mostTaken) return;
  const reason = `People answer ${mostTaken} conversations of this agent. Hand one of them back first.`;
  throw new WeftError("conflict", { params: { reason } });
}

/** Throws `conflict` while someone else answers. */
function assertOwn({ takenBy, takenOwner, takenDate }: ConversationRow, owner: string): void {
  if (takenDate === null || takenOwner === owner) return;
  const reason = `${takenBy} answers this conversation. It can be handed back to its agent first.`;
  throw new WeftError("conflict", { params: { reason } });
}

type ConversationEvent = Conversation["events"][number];

function withEvent({ events }: ConversationRow, event: ConversationEvent): string {
  const before: ConversationEvent[] = JSON.parse(events);
  return JSON.stringify([...before, event].slice(-mostEvents));
}

function toSpoken({ role, content, createdDate }: store.EdgeMessage): Conversation["first"] {
  return { role: role === "userMessage" ? "userMessage" : "apiMessage", content, createdDate };
}

function toNoted(row: ConversationRow | undefined): Noted {
  if (row === undefined) return { labels: [], note: "", events: [], handOver: null };
  const { labels, note, events, askedDate, askedReason } = row;
  const handOver = askedDate === null ? null : { reason: askedReason ?? "", since: askedDate };
  return { labels: JSON.parse(labels), note, events: JSON.parse(events), handOver };
}

function toTakeOver(row: ConversationRow | undefined): Conversation["takenOver"] {
  if (row === undefined || row.takenDate === null) return null;
  return { name: row.takenName, since: row.takenDate, by: row.takenBy ?? "" };
}

function toReply({ author, ...reply }: store.ReplyRow): ConversationReply {
  return { ...reply, author: author ?? "" };
}
