import type { Database, Tables } from "@weft/database";
import type { IdSource, WallClock } from "@weft/engine/ports/clock";
import { listOrPage } from "@weft/http/rows";
import { type Json, type PageQuery, toMoment, type UpsertHistoryRecord, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";

type UpsertHistoryRow = {
  id: string;
  chatflowid: string;
  date: string;
  /** Deletion date; null while listed. */
  deletedDate: string | null;
  /** JSON text. */
  result: string;
  /** JSON text. */
  flowData: string;
};

declare module "@weft/database" {
  interface Tables {
    upsertHistory: UpsertHistoryRow;
  }
}

/** Filter of records; absent fields do not restrict. Both dates are inclusive. */
type HistoryFilter = { startDate?: string | undefined; endDate?: string | undefined };

export type UpsertHistoryQuery = HistoryFilter & PageQuery & { order?: "ASC" | "DESC" | undefined };

/** An upsert's record: `chatflowid` is the agent or the document store, `flowData` the settings it used. */
export type Upserted = { chatflowid: string; result: Json; flowData: Json };

/** Upserts of agents and document stores, kept until deleted. */
export type UpsertHistoryService = {
  /** Oldest first unless `order` says otherwise. An unknown agent has no history. */
  list(
    agentId: string,
    query: UpsertHistoryQuery,
  ): Promise<UpsertHistoryRecord[] | { data: UpsertHistoryRecord[]; total: number }>;
  /**
   * Hides records, which stay in the database; with `agentId` only those of that agent. Rejects with
   * `upsert-history-not-found` if none of them is listed.
   */
  remove(ids: readonly string[], agentId?: string): Promise<void>;
  /** In the caller's transaction, so that a record exists if and only if the upsert happened. */
  record(tx: Kysely<Tables>, upserted: Upserted): Promise<void>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
};

export function createUpsertHistoryService({
  database,
  clock,
  ids: idSource,
}: {
  database: Database;
  clock: WallClock;
  ids: IdSource;
}): UpsertHistoryService {
  const { read } = database;
  return {
    list(agentId, { order = "ASC", ...query }) {
      const direction = order === "ASC" ? "asc" : "desc";
      const listed = filtered(read, agentId, query).selectAll().orderBy("date", direction).orderBy("id", direction);
      return listOrPage(listed, query, (record) => record);
    },

    async remove(ids, agentId) {
      const marked = await database.write((tx) => markDeleted(tx, { ids, agentId, at: toMoment(clock.now()) }), {
        isolation: "read-committed",
      });
      if (marked === 0) throw new WeftError("upsert-history-not-found");
    },

    async record(tx, { chatflowid, result, flowData }) {
      await insertRecord(tx, {
        id: idSource.uuid(),
        chatflowid,
        date: toMoment(clock.now()),
        deletedDate: null,
        result: JSON.stringify(result),
        flowData: JSON.stringify(flowData),
      });
    },

    removeOfAgent: deleteRecords,
  };
}

async function insertRecord(tx: Kysely<Tables>, row: UpsertHistoryRow): Promise<void> {
  await tx.insertInto("upsertHistory").values(row).execute();
}

/** Resolves with the number of records marked: those still listed, of the agent if given. */
async function markDeleted(
  tx: Kysely<Tables>,
  { ids, agentId, at }: { ids: readonly string[]; agentId: string | undefined; at: string },
): Promise<number> {
  let records = tx
    .updateTable("upsertHistory")
    .set({ deletedDate: at })
    .where("id", "in", ids)
    .where("deletedDate", "is", null);
  if (agentId !== undefined) records = records.where("chatflowid", "=", agentId);
  return Number((await records.executeTakeFirstOrThrow()).numUpdatedRows);
}

async function deleteRecords(tx: Kysely<Tables>, agentId: string): Promise<void> {
  await tx.deleteFrom("upsertHistory").where("chatflowid", "=", agentId).execute();
}

function filtered(db: Kysely<Tables>, agentId: string, { startDate, endDate }: HistoryFilter) {
  let query = db.selectFrom("upsertHistory").where("chatflowid", "=", agentId).where("deletedDate", "is", null);
  if (startDate !== undefined) query = query.where("date", ">=", startDate);
  if (endDate !== undefined) query = query.where("date", "<=", endDate);
  return query;
}
