import type { Tables } from "@weft/database";
import type { RunEvent } from "@weft/schema";
import { type Kysely, sql } from "kysely";
import { eventColumns, fromEventRow, isLongerThan, toEventRow } from "../journal/index.ts";

/** A place in the order in which runs ended. */
export type EndOfRun = { updatedDate: string; id: string };

const ended = ["completed", "failed", "cancelled"];
const marker = "payloads-removed-until";
/** Events that are shorter hold no large value. */
const maxBytes = 64 * 1_024;

/** Up to which run the large payloads are gone already; undefined: of none. */
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

/** Runs that ended after a mark and before a moment, in the order in which they did. */
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
    // In the order of the index by date, whose ids go the other way.
    runs = runs
      .where("updatedDate", ">=", updatedDate)
      .where((eb) => eb.or([eb("updatedDate", ">", updatedDate), eb("id", "<", id)]));
  }
  return runs.orderBy("updatedDate").orderBy("id", "desc").limit(limit).execute();
}

export type EventAddress = { runId: string; seq: number };

/** Events of these runs that are long. */
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

/** How many runs ended after a mark and before a moment, and the bytes that their long events take. */
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

/** Nothing where the run was deleted meanwhile. */
export async function replaceEvent(tx: Kysely<Tables>, { runId, seq }: EventAddress, event: RunEvent): Promise<void> {
  await tx
    .updateTable("runEvents")
    .set({ event: toEventRow(runId, event).event })
    .where("runId", "=", runId)
    .where("seq", "=", seq)
    .execute();
}
