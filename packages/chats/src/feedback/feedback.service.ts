import type { Database, FeedbackRow, Tables } from "@weft/database";
import type { Clock, IdSource } from "@weft/engine";
import { type Reach, reaches, reachOf } from "@weft/http";
import {
  type Feedback,
  type FeedbackCreate,
  type FeedbackUpdate,
  type PageQuery,
  ratingSchema,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import type { ChatMessageService, MessageOwner } from "../chat-messages/index.ts";
import * as store from "./feedback.store.ts";

export type FeedbackServiceDeps = {
  database: Database;
  clock: Pick<Clock, "now">;
  ids: IdSource;
  messages: Pick<ChatMessageService, "findOwner" | "lockOwner">;
};

export type FeedbackListQuery = store.FeedbackFilter & PageQuery & { order?: "asc" | "desc" | undefined };

/** What the address of a create says, beside its body. */
export type FeedbackAddress = {
  /** The feedback's id or, as existing clients have it, the agent's: that names no feedback. */
  pathId?: string | undefined;
  /** For feedback that no one gave an id. */
  newId?: string | undefined;
  reach: Reach;
};

export type FeedbackChange = { reach: Reach; assertCurrent?: (current: Feedback) => void };

/** Feedback on messages, at most one for each. It goes with its message. */
export type FeedbackService = {
  /** Oldest first unless `order` says otherwise. An unknown agent has no feedback. */
  list(agentId: string, query: FeedbackListQuery): Promise<Feedback[] | { data: Feedback[]; total: number }>;
  /** Rejects with `not-found`. */
  get(id: string): Promise<Feedback>;
  /**
   * Leaves feedback on a message, or changes what was left: its id and date stay, and its content where the body has
   * none. Rejects with `not-found` for an unknown message, with `parameters-invalid` when the message belongs to
   * another agent or chat than the body says, and with `conflict` when the id is that of other feedback.
   */
  create(body: FeedbackCreate, address: FeedbackAddress): Promise<Feedback>;
  /** Rejects with `not-found`. What `assertCurrent` throws on the feedback as it is keeps it so. */
  update(id: string, body: FeedbackUpdate, change: FeedbackChange): Promise<Feedback>;
  /** The agent on whose message a visitor leaves feedback; undefined for an unknown message, and one of others. */
  agentOf(messageId: string): Promise<string | undefined>;
};

export function createFeedbackService({ database, clock, ids, messages }: FeedbackServiceDeps): FeedbackService {
  const { read } = database;
  // Every write begins with the one message or feedback, locked: others wait for it and need no retry.
  const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn, { isolation: "read-committed" });

  return {
    async list(agentId, { page, limit, order = "asc", ...filter }) {
      if (page === undefined || limit === undefined) {
        return (await store.listFeedback(read, agentId, filter, { order })).map(toFeedback);
      }
      const rows = await store.listFeedback(read, agentId, filter, { order, offset: (page - 1) * limit, limit });
      return { data: rows.map(toFeedback), total: await store.countFeedback(read, agentId, filter) };
    },

    async get(id) {
      return toFeedback(existing(await store.findFeedback(read, id), id));
    },

    create(body, { pathId, newId, reach }) {
      return write(async (tx) => {
        const { messageId, rating, content } = body;
        const owner = await messages.lockOwner(tx, messageId);
        if (owner === undefined || !isReached(owner, reach)) {
          throw new WeftError("not-found", { params: { resource: "message", id: messageId } });
        }
        assertBelongs(body, owner);
        const left = await store.findFeedbackOfMessage(tx, messageId);
        if (left !== undefined) return change(tx, left, { rating, content });
        const id = body.id ?? (pathId === owner.chatflowid ? undefined : pathId) ?? newId ?? ids.uuid();
        const createdDate = toMoment(clock.now());
        const { chatflowid, chatId } = owner;
        const row = { id, chatflowid, chatId, messageId, rating, createdDate, content: content ?? "" };
        if (await store.insertFeedback(tx, row)) return toFeedback(row);
        throw new WeftError("conflict", { params: { reason: `The id ${id} belongs to feedback on another message.` } });
      });
    },

    update(id, body, { reach, assertCurrent }) {
      return write(async (tx) => {
        const row = existing(await store.lockFeedback(tx, id), id);
        const owner = await messages.lockOwner(tx, row.messageId);
        if (owner === undefined || !isReached(owner, reach)) existing(undefined, id);
        assertCurrent?.(toFeedback(row));
        return change(tx, row, body);
      });
    },

    async agentOf(messageId) {
      const owner = await messages.findOwner(messageId);
      return owner && isReached(owner, reachOf(undefined)) ? owner.chatflowid : undefined;
    },
  };
}

async function change(tx: Kysely<Tables>, row: FeedbackRow, { rating, content }: FeedbackUpdate): Promise<Feedback> {
  const next = { ...row, rating: rating ?? row.rating, content: content ?? row.content };
  await store.updateFeedback(tx, next);
  return toFeedback(next);
}

function assertBelongs({ messageId, ...said }: FeedbackCreate, owner: { chatflowid: string; chatId: string }): void {
  const wrong = (["chatflowid", "chatId"] as const).filter((name) => (said[name] ?? owner[name]) !== owner[name]);
  if (wrong.length === 0) return;
  const named = wrong.map((name) => (name === "chatId" ? "chat" : "agent")).join(" and ");
  throw new WeftError("parameters-invalid", {
    params: { reason: `The message ${messageId} belongs to another ${named}. Correct ${wrong.join(" and ")}.` },
    errors: wrong.map((path) => ({ path, message: "does not match the message" })),
  });
}

function isReached({ chatflowid, owner }: MessageOwner, reach: Reach): boolean {
  return reaches(reach, { agentId: chatflowid, owner });
}

function existing(row: FeedbackRow | undefined, id: string): FeedbackRow {
  if (row === undefined) throw new WeftError("not-found", { params: { resource: "feedback", id } });
  return row;
}

function toFeedback(row: FeedbackRow): Feedback {
  return { ...row, rating: ratingSchema.parse(row.rating) };
}
