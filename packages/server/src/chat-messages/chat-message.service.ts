import type { Clock, Memory } from "@weft/engine";
import {
  type ChatMessage,
  chatTypeSchema,
  type HistoryMessage,
  momentAfter,
  type PageQuery,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import type { Database } from "../storage/database.ts";
import type { ChatMessageRow, Tables } from "../storage/tables.ts";
import * as store from "./chat-message.store.ts";
import { type ChatTurn, toTurnRows } from "./chat-turn.ts";

export type ChatMessageServiceDeps = { database: Database; clock: Pick<Clock, "now"> };

export type ChatMessageListQuery = store.MessageFilter & PageQuery & { order?: "ASC" | "DESC" | undefined };

/** Messages of agents: the chats that people see, and the memory that runs read. */
export type ChatMessageService = {
  /** Oldest first unless `order` says otherwise. An unknown agent has no messages. */
  list(agentId: string, query: ChatMessageListQuery): Promise<ChatMessage[] | { data: ChatMessage[]; total: number }>;
  /** Deletes the matching messages. Rejects with `messages-not-found` when none matches. */
  remove(agentId: string, filter: store.MessageFilter): Promise<void>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
  /**
   * Writes both messages of a turn in the caller's transaction. Within a session every message is later than the
   * ones before it: a turn that waited for another, or a clock that went back, does not change the order.
   */
  recordTurn(tx: Kysely<Tables>, turn: ChatTurn): Promise<void>;
  /** The last messages of a session, oldest first; at most `limit`, and never more than 1,000. */
  history(agentId: string, sessionId: string, limit?: number): Promise<HistoryMessage[]>;
};

const historyBound = 1_000;

export function createChatMessageService({ database, clock }: ChatMessageServiceDeps): ChatMessageService {
  const { read } = database;
  return {
    async list(agentId, { page, limit, order = "ASC", ...filter }) {
      if (page === undefined || limit === undefined) {
        return (await store.listMessages(read, agentId, filter, { order })).map(toChatMessage);
      }
      const rows = await store.listMessages(read, agentId, filter, { order, offset: (page - 1) * limit, limit });
      return { data: rows.map(toChatMessage), total: await store.countMessages(read, agentId, filter) };
    },

    async remove(agentId, filter) {
      const deleted = await database.write((tx) => store.deleteMessages(tx, agentId, filter), {
        isolation: "read-committed",
      });
      if (deleted === 0) throw new WeftError("messages-not-found");
    },

    async removeOfAgent(tx, agentId) {
      await store.deleteMessages(tx, agentId, {});
    },

    async recordTurn(tx, turn) {
      const [newest] = await store.lastSessionDates(tx, turn);
      const last = newest?.createdDate;
      const user = last === undefined ? toMoment(turn.askedAt) : momentAfter(last, turn.askedAt);
      const [question, answer] = toTurnRows(turn, { user, api: momentAfter(user, clock.now()) });
      await store.insertMessage(tx, question);
      await store.insertMessage(tx, answer);
    },

    async history(agentId, sessionId, limit = historyBound) {
      const bounded = Math.min(Math.max(Math.trunc(limit), 0), historyBound);
      const rows = await store.lastSessionMessages(read, { agentId, sessionId, limit: bounded });
      return rows.reverse().map(({ role, content }) => ({ role: toRole(role), content }));
    },
  };
}

/** The engine's memory port over the stored messages. */
export function createMemory(service: Pick<ChatMessageService, "history">): Memory {
  return { messages: ({ agentId, sessionId, limit }) => service.history(agentId, sessionId, limit) };
}

function toChatMessage(row: ChatMessageRow): ChatMessage {
  return {
    ...row,
    role: toRole(row.role),
    chatType: chatTypeSchema.parse(row.chatType),
    sourceDocuments: JSON.parse(row.sourceDocuments) as ChatMessage["sourceDocuments"],
    usedTools: JSON.parse(row.usedTools) as ChatMessage["usedTools"],
    fileAnnotations: JSON.parse(row.fileAnnotations) as ChatMessage["fileAnnotations"],
    agentReasoning: JSON.parse(row.agentReasoning) as ChatMessage["agentReasoning"],
    fileUploads: JSON.parse(row.fileUploads) as ChatMessage["fileUploads"],
    action: JSON.parse(row.action) as ChatMessage["action"],
    executionId: row.executionId ?? "",
  };
}

function toRole(role: string): HistoryMessage["role"] {
  return role === "userMessage" ? "userMessage" : "apiMessage";
}
