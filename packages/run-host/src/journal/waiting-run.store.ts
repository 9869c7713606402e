import type { Tables } from "@weft/database";
import { type RunEvent, toMoment } from "@weft/schema";
import type { Kysely } from "kysely";
import type { RunRow } from "../run-tables.ts";
import { toEventRow } from "./event-row.ts";
import { noLease } from "./run-lease.store.ts";
import { isOfChat, type ReachedChat } from "./run-reads.ts";

export type RunFilter = { agentId: string; chatId?: string } | { runId: string };

/** Suspended runs, most recently suspended first. */
export function listWaiting(read: Kysely<Tables>, filter: RunFilter): Promise<RunRow[]> {
  return read
    .selectFrom("runs")
    .selectAll()
    .where("status", "=", "suspended")
    .where((eb) => eb.and(columnsOf(filter)))
    .orderBy("updatedDate", "desc")
    .orderBy("id", "desc")
    .limit(100)
    .execute();
}

/** Whether a human ever answered a run of the chat. */
export async function hasAnswer(read: Kysely<Tables>, chat: ReachedChat): Promise<boolean> {
  const answered = await read
    .selectFrom("runs")
    .innerJoin("runEvents", "runEvents.runId", "runs.id")
    .select("runs.id")
    .where(isOfChat(chat))
    .where("runEvents.type", "=", "node-resumed")
    // Matched as text, which is JSON and never packed: quotation marks within messages are escaped.
    .where("runEvents.event", "not like", '%,"resumedBy":"%')
    .limit(1)
    .executeTakeFirst();
  return answered !== undefined;
}

export type CancelledRun = { run: RunRow; events: readonly RunEvent[] };

/**
 * Ends suspended runs, and journals the end. A process about to continue one can no longer write.
 * Other consequences are up to the caller's transaction.
 */
export async function cancelWaiting(tx: Kysely<Tables>, filter: RunFilter, at: number): Promise<CancelledRun[]> {
  const moment = toMoment(at);
  const runs = await tx
    .updateTable("runs")
    .set((eb) => ({
      ...noLease,
      status: "cancelled",
      lastSeq: eb("lastSeq", "+", 1),
      leaseEpoch: eb("leaseEpoch", "+", 1),
      cancelRequested: 1,
      dueAt: null,
      updatedDate: moment,
      stoppedDate: moment,
    }))
    .where("status", "=", "suspended")
    .where((eb) => eb.and(columnsOf(filter)))
    .returningAll()
    .execute();
  const cancelled = runs.map((run) => ({ run, events: [{ type: "run-cancelled", seq: run.lastSeq, at } as const] }));
  for (const { run, events } of cancelled) {
    const rows = events.map((event) => toEventRow(run.id, event));
    await tx.insertInto("runEvents").values(rows).execute();
  }
  return cancelled;
}

function columnsOf(filter: RunFilter): Partial<RunRow> {
  return "runId" in filter ? { id: filter.runId } : filter;
}
