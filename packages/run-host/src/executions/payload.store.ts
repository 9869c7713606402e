import type { Tables } from "@weft/database";
import type { RunEvent } from "@weft/schema";
import { type Kysely, sql } from "kysely";
import { eventColumns, fromEventRow, isLongerThan, toEventRow } from "../journal/index.ts";

/** A position in the order in which runs ended. */
export type EndOfRun = { updatedDate: string; id: string };

const ended = ["completed", "failed", "cancelled"];
const marker = "payloads-removed-until";
/** Shorter events hold no large value. */
const maxBytes = 64 * 1_024;

/** The run up to which large payloads are already removed; undefined if none are. */
export async function readMark(read: Kysely<Tables>): Promise<EndOfRun | undefined> {
  const row = await read.selectFrom("settings").select("value").where("name", "=", marker).executeTakeFirst();
  return row && (JSON.parse(row.value) as EndOfRun);
}

export async function writeMark(tx: Kysely<Tables>, mark: EndOfRun): Promise<void> {
  const value = JSON.stringify(mark);
  await tx
    .insertInto("settings")
    .values({ name: marker, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** Runs that ended after a mark and before a moment, in that order. */
export async function listEnded(
  read: Kysely<Tables>,
  { after, before, limit }: { after: EndOfRun | undefined; before: string; limit: number },
): Promise<EndOfRun[]> {
  let runs = read
    .selectFrom("runs")
    .select(["updatedDate", "id"])
    .where("status", "!=", sql.lit("running"))
    .where("status", "in", ended)
    .where("updatedDate", "<", before);
  if (after !== undefined) {
    const { updatedDate, id } = after;
    // In the order of the index by date, where ids descend.
    runs = runs
      .where("updatedDate", ">=", updatedDate)
      .where((eb) => eb.or([eb("updatedDate", ">", updatedDate), eb("id", "<", id)]));
  }
  return runs.orderBy("updatedDate").orderBy("id", "desc").limit(limit).execute();
}

export type EventAddress = { runId: string; seq: number };

/** The long events of these runs. */
export async function listLong(read: Kysely<Tables>, runIds: readonly string[]): Promise<EventAddress[]> {
  if (runIds.length === 0) return [];
  return read
    .selectFrom("runEvents")
    .select(["runId", "seq"])
    .where("runId", "in", runIds)
    .where(isLongerThan(maxBytes))
    .orderBy("runId")
    .orderBy("seq")
    .execute();
}

/** Number of runs that ended after a mark and before a moment, and the total bytes of their long events. */
export async function measureEnded(
  read: Kysely<Tables>,
  { after, before }: { after: EndOfRun | undefined; before: string },
): Promise<{ runs: number; bytes: number }> {
  let runs = read
    .selectFrom("runs")
    .where("status", "!=", sql.lit("running"))
    .where("status", "in", ended)
    .where("updatedDate", "<", before);
  if (after !== undefined) runs = runs.where("updatedDate", ">", after.updatedDate);
  const { total } = await runs.select((eb) => eb.fn.countAll().as("total")).executeTakeFirstOrThrow();
  const bytes = sql<number>`octet_length(${sql.ref("event")})`;
  const long = await read
    .selectFrom("runEvents")
    .where("runId", "in", runs.select("id"))
    .where(isLongerThan(maxBytes))
    .select(({ fn }) => fn.sum(bytes).as("bytes"))
    .executeTakeFirstOrThrow();
  return { runs: Number(total), bytes: Number(long.bytes ?? 0) };
}

export async function readEvent(read: Kysely<Tables>, { runId, seq }: EventAddress): Promise<RunEvent | undefined> {
  const row = await read
    .selectFrom("runEvents")
    .select(eventColumns)
    .where("runId", "=", runId)
    .where("seq", "=", seq)
    .executeTakeFirst();
  return row && fromEventRow(row);
}

/** Does nothing if the run was deleted meanwhile. */
export async function replaceEvent(tx: Kysely<Tables>, { runId, seq }: EventAddress, event: RunEvent): Promise<void> {
  await tx
    .updateTable("runEvents")
    .set({ event: toEventRow(runId, event).event })
    .where("runId", "=", runId)
    .where("seq", "=", seq)
    .execute();
}
