import type { Database, Tables } from "@weft/database";
import type { IdSource, WallClock } from "@weft/engine/ports/clock";
import { type Reach, reaches, reachesAgent, reachOf } from "@weft/http/identity";
import { defineRows, listOrPage } from "@weft/http/rows";
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

type FeedbackServiceDeps = {
  database: Database;
  clock: WallClock;
  ids: IdSource;
  messages: ChatMessageService;
};

type FeedbackListQuery = FeedbackFilter & PageQuery & { order?: "asc" | "desc" | undefined };

/** The URL's part of a create, beside its body. */
export type FeedbackAddress = {
  /** The feedback's id or, as existing clients send it, the agent's, which names no feedback. */
  pathId?: string | undefined;
  /** For feedback without a given id. */
  newId?: string | undefined;
  reach: Reach;
};

type FeedbackChange = { reach: Reach; assertCurrent?: (current: Feedback) => void };

/** Feedback on messages, at most one per message. Deleted with its message. */
export type FeedbackService = {
  /** Oldest first unless `order` says otherwise. An unknown agent has no feedback. */
  list(agentId: string, query: FeedbackListQuery): Promise<Feedback[] | { data: Feedback[]; total: number }>;
  /** Rejects with `not-found`. */
  get(id: string): Promise<Feedback>;
  /**
   * Leaves feedback on a message, or changes existing feedback: its id and date stay, as does its content if the body
   * has none. Rejects with `not-found` for an unknown message, with `parameters-invalid` if the message belongs to
   * another agent or chat than the body's, and with `conflict` if the id is that of other feedback.
   */
  create(body: FeedbackCreate, address: FeedbackAddress): Promise<Feedback>;
  /** Rejects with `not-found`. If `assertCurrent` throws on the stored feedback, nothing changes. */
  update(id: string, body: FeedbackUpdate, change: FeedbackChange): Promise<Feedback>;
  /** The agent on whose message a visitor leaves feedback; undefined for an unknown message, and one of others. */
  agentOf(messageId: string): Promise<string | undefined>;
};

export function createFeedbackService({ database, clock, ids, messages }: FeedbackServiceDeps): FeedbackService {
  const { read } = database;
  // Every write starts with the message or feedback, locked: others wait for it and need no retry.
  const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn, { isolation: "read-committed" });

  return {
    list(agentId, { order = "asc", ...query }) {
      const found = filtered(read, agentId, query).selectAll().orderBy("createdDate", order).orderBy("id", order);
      return listOrPage(found, query, toFeedback);
    },

    get: async (id) => toFeedback(await rows.get(read, id)),

    create(body, { pathId, newId, reach }) {
      return write(async (tx) => {
        const { messageId, rating, content } = body;
        const owner = await messages.lockOwner(tx, messageId);
        if (owner === undefined || !isReached(owner, reach)) {
          throw new WeftError("not-found", { params: { resource: "message", id: messageId } });
        }
        assertBelongs(body, owner);
        const left = await findFeedbackOfMessage(tx, messageId);
        if (left !== undefined) return change(tx, left, { rating, content });
        const id = body.id ?? (pathId === owner.chatflowid ? undefined : pathId) ?? newId ?? ids.uuid();
        const createdDate = toMoment(clock.now());
        const { chatflowid, chatId } = owner;
        const row = { id, chatflowid, chatId, messageId, rating, createdDate, content: content ?? "" };
        if (await insertFeedback(tx, row)) return toFeedback(row);
        throw new WeftError("conflict", { params: { reason: `The id ${id} belongs to feedback on another message.` } });
      });
    },

    update(id, body, { reach, assertCurrent }) {
      return write(async (tx) => {
        const row = await rows.lock(tx, id);
        const owner = await messages.lockOwner(tx, row.messageId);
        if (owner === undefined || !isReached(owner, reach)) rows.found(undefined, id);
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
  await rows.update(tx, next);
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

function toFeedback(row: FeedbackRow): Feedback {
  return { ...row, rating: ratingSchema.parse(row.rating) };
}

/** One per rated message. */
type FeedbackRow = {
  id: string;
  chatflowid: string;
  chatId: string;
  messageId: string;
  rating: string;
  createdDate: string;
  content: string;
};

declare module "@weft/database" {
  interface Tables {
    feedback: FeedbackRow;
  }
}

type Handle = Kysely<Tables>;

/** Selects feedback of an agent; absent fields do not restrict. Both dates are inclusive. */
type FeedbackFilter = {
  chatId?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
  /** Only feedback on messages within reach. */
  reach: Reach;
};

const rows = defineRows<FeedbackRow>("feedback", "feedback");

function findFeedbackOfMessage(db: Handle, messageId: string): Promise<FeedbackRow | undefined> {
  return db.selectFrom("feedback").selectAll().where("messageId", "=", messageId).executeTakeFirst();
}

/** False when the id is taken: then nothing was written. */
async function insertFeedback(tx: Handle, row: FeedbackRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("feedback")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

function filtered(db: Handle, agentId: string, { chatId, startDate, endDate, reach }: FeedbackFilter) {
  let query = db.selectFrom("feedback").where("chatflowid", "=", reachesAgent(reach.agents, agentId) ? agentId : "");
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
