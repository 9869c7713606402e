import type { Database, Tables } from "@weft/database";
import type { Clock, IdSource } from "@weft/engine";
import { type Json, type PageQuery, toMoment, type UpsertHistoryRecord, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import * as store from "./upsert-history.store.ts";

export type UpsertHistoryServiceDeps = { database: Database; clock: Pick<Clock, "now">; ids: IdSource };

export type UpsertHistoryQuery = store.HistoryFilter & PageQuery & { order?: "ASC" | "DESC" | undefined };

/** What was upserted: `chatflowid` is the agent or the document store, `flowData` the settings it was done with. */
export type Upserted = { chatflowid: string; result: Json; flowData: Json };

/** The upserts of agents and document stores, as long as nobody deletes them. */
export type UpsertHistoryService = {
  /** Oldest first unless `order` says otherwise. An unknown agent has no history. */
  list(
    agentId: string,
    query: UpsertHistoryQuery,
  ): Promise<UpsertHistoryRecord[] | { data: UpsertHistoryRecord[]; total: number }>;
  /**
   * Records stay in the database and are listed no more. With `agentId` only those of that agent are meant.
   * Rejects with `upsert-history-not-found` when none of them is listed.
   */
  remove(ids: readonly string[], agentId?: string): Promise<void>;
  /** In the caller's transaction, so that there is a record if and only if there was an upsert. */
  record(tx: Kysely<Tables>, upserted: Upserted): Promise<void>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
};

export function createUpsertHistoryService(deps: UpsertHistoryServiceDeps): UpsertHistoryService {
  const { database, clock, ids: idSource } = deps;
  const { read } = database;
  return {
    async list(agentId, { page, limit, order = "ASC", ...filter }) {
      if (page === undefined || limit === undefined) return store.listRecords(read, agentId, filter, { order });
      const data = await store.listRecords(read, agentId, filter, { order, offset: (page - 1) * limit, limit });
      return { data, total: await store.countRecords(read, agentId, filter) };
    },

    async remove(ids, agentId) {
      const marked = await database.write((tx) => store.markDeleted(tx, { ids, agentId, at: toMoment(clock.now()) }), {
        isolation: "read-committed",
      });
      if (marked === 0) throw new WeftError("upsert-history-not-found");
    },

    async record(tx, { chatflowid, result, flowData }) {
      await store.insertRecord(tx, {
        id: idSource.uuid(),
        chatflowid,
        date: toMoment(clock.now()),
        deletedDate: null,
        result: JSON.stringify(result),
        flowData: JSON.stringify(flowData),
      });
    },

    removeOfAgent: store.deleteRecords,
  };
}
