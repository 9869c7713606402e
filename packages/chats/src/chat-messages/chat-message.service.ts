import type { Database, Tables } from "@weft/database";
import type { WallClock } from "@weft/engine/ports/clock";
import type { Memory, MemorySession, RememberedMessage } from "@weft/engine/ports/memory";
import { everything, reachesAgent } from "@weft/http/identity";
import {
  type AgentReasoning,
  asToolInput,
  type ChatMessage,
  type ChatStats,
  chatTypeSchema,
  type HistoryMessage,
  type JsonObject,
  type PageQuery,
  type RunInput,
  ratingSchema,
  type UsedTool,
  WeftError,
} from "@weft/schema";
import { type CompiledQuery, type Kysely, sql } from "kysely";
import type { ChatMessageRow } from "./chat-message.store.ts";
import * as store from "./chat-message.store.ts";
import type { MessageFilter } from "./message-filter.ts";
import { type ChatTurn, createTurnStatement, type IsThere } from "./run-projection.ts";

export type ChatMessageServiceDeps = {
  database: Database;
  clock: WallClock;
  /** Removes what came with the messages of chats, in the transaction that deleted messages of them. */
  onRemove?: (tx: Kysely<Tables>, agentId: string, chats: readonly store.ChatOfOwner[]) => Promise<void>;
  /** Whether the agent of a turn exists. Default: it does. */
  isThere?: IsThere;
};

/** The agent, the chat and the chat's owner of a message. */
export type MessageOwner = store.MessageOwner;

export type ChatMessageListQuery = MessageFilter & PageQuery & { order?: "ASC" | "DESC" | undefined };

/** Messages of agents: the chats that people see, and the memory that runs read. */
export type ChatMessageService = {
  /**
   * Oldest first unless `order` says otherwise. An unknown agent has no messages. If the filter concerns feedback, each
   * message includes its own.
   */
  list(agentId: string, query: ChatMessageListQuery): Promise<ChatMessage[] | { data: ChatMessage[]; total: number }>;
  /** Counts matching messages. An unknown agent has none. */
  stats(agentId: string, filter: MessageFilter): Promise<ChatStats>;
  /** The agent and the chat of a message; undefined for an unknown message. */
  findOwner(messageId: string): Promise<store.MessageOwner | undefined>;
  /** As `findOwner`, and locks the message against deletion until the caller's transaction ends. */
  lockOwner(tx: Kysely<Tables>, messageId: string): Promise<store.MessageOwner | undefined>;
  /** The runs of the matching messages. */
  runsOf(agentId: string, filter: MessageFilter): Promise<string[]>;
  /** Deletes the matching messages, with their feedback. Rejects with `messages-not-found` if none matches. */
  remove(agentId: string, filter: MessageFilter): Promise<void>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
  /**
   * Writes the messages of a turn, unless their agent was deleted or a question of that id is stored. Within a session every message is later than the
   * ones before it: a turn that waited for another, or a clock that went back, does not change the order. They have the
   * request's e-mail address, or the one left in the chat.
   */
  turnStatement(turn: ChatTurn): CompiledQuery;
  /** Adds a new lead's address to its chat's messages, except those that have one. */
  nameLead(tx: Kysely<Tables>, lead: store.MessageOwner & { email: string }): Promise<void>;
  /** Removes a deleted lead's address from its chat's messages that have it. */
  unnameLead(tx: Kysely<Tables>, lead: store.MessageOwner & { email: string }): Promise<void>;
  /** Marks a run's questions as no longer awaiting an answer. */
  closeActions(run: store.RunOfChat): CompiledQuery;
  /** For the transaction that deletes runs: their messages stay, without a run. */
  forgetRuns(tx: Kysely<Tables>, runs: readonly store.RunOfChat[]): Promise<void>;
  /**
   * The last messages of a session, oldest first; at most `limit`, and never more than 1,000. With `beforeRun` those
   * that existed when that run began.
   */
  history(session: MemorySession & { limit?: number; beforeRun?: string }): Promise<StoredMessage[]>;
  /** The first of these owners with messages in a session of that id; undefined if none has. */
  firstOwner(session: Omit<MemorySession, "owner">, owners: readonly string[]): Promise<string | undefined>;
  /** The last run to end of those that answered in a session, other than `beforeRun`. */
  lastAnsweringRun(session: MemorySession & { beforeRun: string }): Promise<string | undefined>;
};

/** A message of a session; `filesOfRun` is the run whose input contains its files. */
export type StoredMessage = Omit<RememberedMessage, "files"> & { filesOfRun?: string };

const historyBound = 1_000;

export function createChatMessageService(deps: ChatMessageServiceDeps): ChatMessageService {
  const { database, clock, onRemove, isThere = () => sql`1 = 1` } = deps;
  const { read } = database;
  const turnStatement = createTurnStatement(database, isThere, clock.now);
  return {
    async list(id, { page, limit, order = "ASC", ...filter }) {
      const agentId = reachedAgent(id, filter);
      const messages = async (window: store.MessageWindow) =>
        filter.rated === undefined
          ? (await store.listMessages(read, agentId, filter, window)).map(toChatMessage)
          : (await store.listRatedMessages(read, agentId, filter, window)).map(toRatedMessage);
      if (page === undefined || limit === undefined) return messages({ order });
      const data = await messages({ order, offset: (page - 1) * limit, limit });
      return { data, total: await store.countMessages(read, agentId, filter) };
    },

    stats: (id, filter) => store.countStats(read, reachedAgent(id, filter), filter),

    findOwner: (messageId) => store.findOwner(read, messageId),

    lockOwner: store.lockOwner,

    runsOf: (id, filter) => store.listRuns(read, reachedAgent(id, filter), filter),

    async remove(id, filter) {
      const agentId = reachedAgent(id, filter);
      const write = async (tx: Kysely<Tables>) => {
        const chats = await store.listChats(tx, agentId, filter);
        const count = await store.deleteMessages(tx, agentId, filter);
        await onRemove?.(tx, agentId, chats);
        return count;
      };
      const deleted = await database.write(write, { isolation: "read-committed" });
      if (deleted === 0) throw new WeftError("messages-not-found");
    },

    async removeOfAgent(tx, agentId) {
      await store.deleteMessages(tx, agentId, { reach: everything });
    },

    turnStatement,

    nameLead: (tx, lead) => store.setLeadEmail(tx, lead, { from: "", to: lead.email }),

    unnameLead: (tx, lead) => store.setLeadEmail(tx, lead, { from: lead.email, to: "" }),

    closeActions: (run) => store.closeActions(read, run),

    forgetRuns: store.forgetRuns,

    lastAnsweringRun: (session) => store.lastAnsweringRun(read, session),

    async firstOwner(session, owners) {
      const found = await store.sessionOwners(read, session, owners);
      return owners.find((owner) => found.includes(owner));
    },

    async history({ limit = historyBound, beforeRun, ...session }) {
      const window = { ...session, limit: Math.min(Math.max(Math.trunc(limit), 0), historyBound) };
      const rows =
        beforeRun === undefined
          ? await store.lastSessionMessages(read, window)
          : await store.messagesBeforeRun(read, { ...window, beforeRun });
      return rows.reverse().map((row) => ({
        ...toStoredMessage(row),
        ...(row.hasTools && {
          readTools: async () => toUsedTools(toList(await store.findUsedTools(read, row.id))),
        }),
      }));
    },
  };
}

/** One that is not reached is nobody's. */
function reachedAgent(agentId: string, { reach }: MessageFilter): string {
  return reachesAgent(reach.agents, agentId) ? agentId : "";
}

/** Data of earlier runs, as long as they are kept. */
export type EarlierRuns = {
  flowState(runId: string): Promise<JsonObject>;
  /** Undefined if the run was deleted. */
  input(runId: string): Promise<RunInput | undefined>;
};

/** The engine's memory port over stored messages and their runs. */
export function createMemory({ history, lastAnsweringRun }: ChatMessageService, runs: EarlierRuns): Memory {
  async function withFiles({ filesOfRun, ...message }: StoredMessage): Promise<RememberedMessage> {
    const input = filesOfRun === undefined ? undefined : await runs.input(filesOfRun);
    if (input === undefined) return message;
    const { uploads, fileAttachment } = input;
    return { ...message, files: { ...(uploads && { uploads }), ...(fileAttachment && { fileAttachment }) } };
  }
  return {
    messages: async (session) => Promise.all((await history(session)).map(withFiles)),
    async lastState(session) {
      const runId = await lastAnsweringRun(session);
      return runId === undefined ? {} : runs.flowState(runId);
    },
  };
}

function toStoredMessage({ role, content, fileUploads, executionId }: store.Remembered): StoredMessage {
  const message = { role: toRole(role), content };
  return fileUploads === "[]" || executionId === null ? message : { ...message, filesOfRun: executionId };
}

function toRatedMessage(rated: store.RatedMessageRow): ChatMessage {
  const { feedbackId, rating, feedbackContent, feedbackDate, ...row } = rated;
  const feedback = {
    id: feedbackId,
    chatflowid: row.chatflowid,
    chatId: row.chatId,
    messageId: row.id,
    rating: ratingSchema.parse(rating),
    content: feedbackContent,
    createdDate: feedbackDate,
  };
  return { ...toChatMessage(row), feedback };
}

function toChatMessage({ author, ...row }: ChatMessageRow): ChatMessage {
  return {
    ...row,
    ...(author !== null && { author }),
    role: toRole(row.role),
    chatType: chatTypeSchema.parse(row.chatType),
    sourceDocuments: toList(row.sourceDocuments),
    usedTools: toUsedTools(toList(row.usedTools)),
    fileAnnotations: toList(row.fileAnnotations),
    agentReasoning: toList<AgentReasoning>(row.agentReasoning).map((agent) => ({
      ...agent,
      usedTools: toUsedTools(agent.usedTools),
    })),
    fileUploads: toList(row.fileUploads),
    action: toList(row.action),
    executionId: row.executionId ?? "",
  };
}

/** Parses a column's list. Most messages have none in five of their six. */
function toList<T>(column: string): T[] {
  return column === "[]" ? [] : (JSON.parse(column) as T[]);
}

/** Rows of earlier versions, and copied ones, may have a text as the input, and no tool at all. */
function toUsedTools(tools: (UsedTool | null)[] | undefined): UsedTool[] {
  const made = (tools ?? []).filter((tool) => tool !== null);
  return made.map((tool) => ({ ...tool, toolInput: asToolInput(tool.toolInput ?? {}) }));
}

function toRole(role: string): HistoryMessage["role"] {
  return role === "userMessage" ? "userMessage" : "apiMessage";
}
