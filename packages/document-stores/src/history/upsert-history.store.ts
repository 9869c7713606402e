import type { Tables, UpsertHistoryRow } from "@weft/database";
import type { Kysely } from "kysely";

type Handle = Kysely<Tables>;

/** Which records are meant; what is absent does not restrict. Both dates are inclusive. */
export type HistoryFilter = { startDate?: string | undefined; endDate?: string | undefined };

export type HistoryWindow = { order: "ASC" | "DESC"; offset?: number; limit?: number };

/** By date, then by id. Without the deleted ones. */
export function listRecords(
  db: Handle,
  agentId: string,
  filter: HistoryFilter,
  { order, offset, limit }: HistoryWindow,
): Promise<UpsertHistoryRow[]> {
  const direction = order === "ASC" ? "asc" : "desc";
  const rows = filtered(db, agentId, filter).selectAll().orderBy("date", direction).orderBy("id", direction);
  return (limit === undefined ? rows : rows.limit(limit).offset(offset ?? 0)).execute();
}

export async function countRecords(db: Handle, agentId: string, filter: HistoryFilter): Promise<number> {
  const row = await filtered(db, agentId, filter)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

export async function insertRecord(tx: Handle, row: UpsertHistoryRow): Promise<void> {
  await tx.insertInto("upsertHistory").values(row).execute();
}

/** Resolves with the number of records that were marked: those listed so far, of the agent where there is one. */
export async function markDeleted(
  tx: Handle,
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

export async function deleteRecords(tx: Handle, agentId: string): Promise<void> {
  await tx.deleteFrom("upsertHistory").where("chatflowid", "=", agentId).execute();
}

function filtered(db: Handle, agentId: string, { startDate, endDate }: HistoryFilter) {
  let query = db.selectFrom("upsertHistory").where("chatflowid", "=", agentId).where("deletedDate", "is", null);
  if (startDate !== undefined) query = query.where("date", ">=", startDate);
  if (endDate !== undefined) query = query.where("date", "<=", endDate);
  return query;
}
