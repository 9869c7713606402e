import type { Tables } from "@weft/database";
import { type Identity, isGranted, ownerOf, type Permission, readingReachOf } from "@weft/http/identity";
import { type Notice, type NoticeKind, type NoticePage, noticeKinds } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Context } from "../context.ts";
import type { ListedNotice } from "./notice.store.ts";
import * as store from "./notice.store.ts";
import { linkOf, plainName, tellNotice } from "./notice-text.ts";

/** Notices as their readers see them: each may read what the notice is about. */
export type NoticeService = {
  /** Open ones first, then those that came last. */
  list(reader: Identity, query: { page: number; limit: number }): Promise<NoticePage>;
  /** Those of them that the reader sees. Resolves with how many open ones are left unseen. */
  see(reader: Identity, ids: readonly string[]): Promise<{ unseen: number }>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
};

/** What a reader needs, by what the notice is about. */
const needs: Readonly<Record<NoticeKind, Permission>> = {
  "failed-runs": "executions:read",
  "budget-near": "agents:read",
  "budget-spent": "agents:read",
  "callbacks-failing": "server:read",
  "person-awaited": "executions:read",
  "hand-over": "messages:read",
  "store-failing": "document-stores:read",
  "schedule-failing": "executions:read",
  "channel-failing": "server:read",
};

export function createNoticeService({ database }: Pick<Context, "database">): NoticeService {
  const { read } = database;
  return {
    async list(reader, { page, limit }) {
      const filter = filterOf(reader);
      const { total, unseen } = await store.countNotices(read, filter);
      const listed = await store.listNotices(read, filter, { offset: (page - 1) * limit, limit });
      return { data: listed.map(toNotice), total, unseen };
    },
    async see(reader, ids) {
      const filter = filterOf(reader);
      await database.write((tx) => store.markSeen(tx, filter, ids), { isolation: "read-committed" });
      return { unseen: (await store.countNotices(read, filter)).unseen };
    },
    removeOfAgent: store.deleteNoticesOfAgent,
  };
}

function filterOf(reader: Identity): store.NoticeFilter {
  const kinds = noticeKinds.filter((kind) => isGranted(reader.grants, needs[kind]));
  return { kinds, agents: readingReachOf(reader).agents, owner: ownerOf(reader) };
}

function toNotice(row: ListedNotice): Notice {
  const { id, kind, subjectId, name, count, total, detail, since, resolvedDate, seenBy } = row;
  return {
    ...{ id, kind, subject: { id: subjectId, name: plainName(name) }, text: tellNotice(row), link: linkOf(row) },
    ...{ count, of: total, detail, state: resolvedDate === null ? "open" : "resolved" },
    ...{ since, resolvedDate, isSeen: seenBy !== null },
  };
}
