import type { Kysely } from "kysely";
import type { CallbackRow, RunRow, Tables } from "../storage/tables.ts";

type Handle = Kysely<Tables>;

/** A callback whose run has ended, or waits, since it was last told of. */
export type DueCallback = CallbackRow & Pick<RunRow, "status" | "lastSeq">;

/** False when the run has one already. */
export async function insertCallback(tx: Handle, row: CallbackRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("callbacks")
    .values(row)
    .onConflict((conflict) => conflict.column("runId").doNothing())
    .returning("runId")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function deleteCallback(tx: Handle, runId: string): Promise<void> {
  await tx.deleteFrom("callbacks").where("runId", "=", runId).execute();
}

export async function deleteCallbacksOfAgent(tx: Handle, agentId: string): Promise<void> {
  await tx.deleteFrom("callbacks").where("agentId", "=", agentId).execute();
}

/** Those whose runs never began, or were deleted. */
export async function deleteWithoutRun(tx: Handle, createdBefore: string): Promise<void> {
  await tx
    .deleteFrom("callbacks")
    .where("createdDate", "<", createdBefore)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("runs").select("runs.id").whereRef("runs.id", "=", "callbacks.runId"))),
    )
    .execute();
}

export function listDueCallbacks(db: Handle, nowDate: string, limit: number): Promise<DueCallback[]> {
  return db
    .selectFrom("callbacks")
    .innerJoin("runs", "runs.id", "callbacks.runId")
    .selectAll("callbacks")
    .select(["runs.status", "runs.lastSeq"])
    .where("callbacks.nextDate", "<=", nowDate)
    .where("runs.status", "!=", "running")
    .whereRef("runs.lastSeq", ">", "callbacks.sentSeq")
    .orderBy("callbacks.nextDate")
    .orderBy("callbacks.runId")
    .limit(limit)
    .execute();
}

/** Takes one attempt. False when another process took it. */
export async function takeAttempt(tx: Handle, read: CallbackRow, nextDate: string): Promise<boolean> {
  const taken = await tx
    .updateTable("callbacks")
    .set({ attempts: read.attempts + 1, nextDate })
    .where("runId", "=", read.runId)
    .where("attempts", "=", read.attempts)
    .where("nextDate", "=", read.nextDate)
    .returning("runId")
    .executeTakeFirst();
  return taken !== undefined;
}

export async function postponeCallback(tx: Handle, runId: string, nextDate: string): Promise<void> {
  await tx.updateTable("callbacks").set({ nextDate }).where("runId", "=", runId).execute();
}

/** What was to be told up to `sentSeq` is done with, and the run goes on. */
export async function settleCallback(
  tx: Handle,
  { runId, ...changes }: Pick<CallbackRow, "runId" | "sentSeq" | "nextDate">,
): Promise<void> {
  const settled = { ...changes, attempts: 0 };
  await tx.updateTable("callbacks").set(settled).where("runId", "=", runId).execute();
}
