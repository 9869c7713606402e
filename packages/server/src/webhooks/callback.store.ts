import type { Tables } from "@weft/database";
import type { CallbackDeliveryState } from "@weft/schema";
import type { Kysely, NotNull } from "kysely";

/** A receiver to notify when a run ends. */
export type CallbackRow = {
  runId: string;
  agentId: string;
  url: string;
  /** Id of the credential that signs; empty: the secret of the agent's webhook. */
  credential: string;
  /** The run's last event covered by a delivery; 0: none. */
  sentSeq: number;
  createdDate: string;
};

/** One message about a run, and its progress. */
export type CallbackDeliveryRow = {
  id: string;
  runId: string;
  agentId: string;
  url: string;
  credential: string;
  /** The last event of the run that it covers. */
  seq: number;
  state: CallbackDeliveryState;
  attempts: number;
  /** Earliest next attempt, while it is pending. */
  nextDate: string;
  /** The receiver's last status; 0: no answer. */
  lastStatus: number;
  error: string | null;
  attemptDate: string | null;
  createdDate: string;
};

declare module "@weft/database" {
  interface Tables {
    callbacks: CallbackRow;
    callbackDeliveries: CallbackDeliveryRow;
  }
}

type Handle = Kysely<Tables>;

/** A callback whose run has ended or started waiting since its last delivery. */
export type DueCallback = CallbackRow & { status: string; lastSeq: number };

/** False if the run has one already. */
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
  await tx.deleteFrom("callbackDeliveries").where("agentId", "=", agentId).execute();
}

/** Of all these runs; resolves with the count. */
export async function deleteCallbacksOfRuns(tx: Handle, runIds: readonly string[]): Promise<number> {
  let count = 0;
  for (const table of ["callbacks", "callbackDeliveries"] as const) {
    const deleted = await tx.deleteFrom(table).where("runId", "in", runIds).executeTakeFirstOrThrow();
    count += Number(deleted.numDeletedRows);
  }
  return count;
}

/** Those whose runs never started, or were deleted. */
export async function deleteWithoutRun(tx: Handle, createdBefore: string): Promise<void> {
  for (const table of ["callbacks", "callbackDeliveries"] as const) {
    await tx
      .deleteFrom(table)
      .where("createdDate", "<", createdBefore)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("runs").select("runs.id").whereRef("runs.id", "=", `${table}.runId`))),
      )
      .execute();
  }
}

export function listDueCallbacks(db: Handle, limit: number): Promise<DueCallback[]> {
  const withRuns = db
    .selectFrom("callbacks")
    .selectAll("callbacks")
    // Each run is looked up: joined, PostgreSQL may start with all runs, although the callbacks are few.
    .select(({ selectFrom }) => {
      const run = selectFrom("runs").whereRef("runs.id", "=", "callbacks.runId");
      return [run.select("runs.status").as("status"), run.select("runs.lastSeq").as("lastSeq")];
    });
  return db
    .selectFrom(withRuns.as("callbacks"))
    .selectAll()
    .where("status", "!=", "running")
    .whereRef("lastSeq", ">", "sentSeq")
    .orderBy("createdDate")
    .orderBy("runId")
    .limit(limit)
    .$narrowType<{ status: NotNull; lastSeq: NotNull }>()
    .execute();
}

/** Creates the delivery, once across processes. Once the run is over, nothing more is sent. */
export async function insertDelivery(tx: Handle, row: CallbackDeliveryRow, isLast: boolean): Promise<void> {
  await tx
    .insertInto("callbackDeliveries")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  if (isLast) return deleteCallback(tx, row.runId);
  await tx.updateTable("callbacks").set({ sentSeq: row.seq }).where("runId", "=", row.runId).execute();
}

export function listDueDeliveries(
  db: Handle,
  { nowDate, futureDate, limit }: { nowDate: string; futureDate: string; limit: number },
): Promise<CallbackDeliveryRow[]> {
  return db
    .selectFrom("callbackDeliveries")
    .selectAll()
    .where("state", "=", "PENDING")
    .where((eb) =>
      eb.or([eb("nextDate", "<=", nowDate), eb(eb.fn.coalesce("attemptDate", "createdDate"), ">", futureDate)]),
    )
    .orderBy("nextDate")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Takes one attempt. False if another process took it. */
export async function takeAttempt(
  tx: Handle,
  read: CallbackDeliveryRow,
  { nextDate, attemptDate }: { nextDate: string; attemptDate: string },
): Promise<boolean> {
  const taken = await tx
    .updateTable("callbackDeliveries")
    .set({ attempts: read.attempts + 1, nextDate, attemptDate })
    .where("id", "=", read.id)
    .where("state", "=", "PENDING")
    .where("attempts", "=", read.attempts)
    .where("nextDate", "=", read.nextDate)
    .returning("id")
    .executeTakeFirst();
  return taken !== undefined;
}

export type AttemptOutcome = Pick<CallbackDeliveryRow, "state" | "nextDate" | "lastStatus" | "error">;

/**
 * Records the result of an attempt. The result of a process that was stalled until another one made the next attempt
 * counts only if it was a success: a late failure reverts nothing.
 */
export async function noteAttempt(
  tx: Handle,
  { id, attemptDate }: { id: string; attemptDate: string },
  outcome: AttemptOutcome,
): Promise<void> {
  const noted = tx.updateTable("callbackDeliveries").set(outcome).where("id", "=", id);
  const mayCount =
    outcome.state === "DELIVERED"
      ? noted.where("state", "!=", "DELIVERED")
      : noted.where("state", "=", "PENDING").where("attemptDate", "=", attemptDate);
  await mayCount.execute();
}

/** Stops all deliveries of an agent to an address. */
export async function stopDeliveries(tx: Handle, { agentId, url }: CallbackDeliveryRow) {
  const stopped = { state: "STOPPED", error: "The receiver answered 410 Gone to another delivery." } as const;
  await tx
    .updateTable("callbackDeliveries")
    .set(stopped)
    .where("agentId", "=", agentId)
    .where("url", "=", url)
    .where("state", "=", "PENDING")
    .execute();
  await tx.deleteFrom("callbacks").where("agentId", "=", agentId).where("url", "=", url).execute();
}

export type DeliveryFilter = {
  agentId: string;
  state?: CallbackDeliveryState | undefined;
  executionId?: string | undefined;
};

/** Newest first. */
export function listDeliveries(
  db: Handle,
  filter: DeliveryFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<CallbackDeliveryRow[]> {
  return selectDeliveries(db, filter)
    .selectAll()
    .orderBy("createdDate", "desc")
    .orderBy("id", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
}

export async function countDeliveries(db: Handle, filter: DeliveryFilter): Promise<number> {
  const counted = selectDeliveries(db, filter).select(({ fn }) => fn.countAll<number>().as("total"));
  return Number((await counted.executeTakeFirstOrThrow()).total);
}

function selectDeliveries(db: Handle, { agentId, state, executionId }: DeliveryFilter) {
  let selected = db.selectFrom("callbackDeliveries").where("agentId", "=", agentId);
  if (executionId !== undefined) selected = selected.where("runId", "=", executionId);
  return state === undefined ? selected : selected.where("state", "=", state);
}

/**
 * At least one attempt has failed, and none has succeeded since. Those with a retry pending come first, soonest first.
 */
export async function listFailing(db: Handle, limit: number): Promise<CallbackDeliveryRow[]> {
  const [retried, givenUp] = [selectFailing(db, "PENDING"), selectFailing(db, "FAILED")];
  const next = await retried.selectAll().orderBy("nextDate").orderBy("id").limit(limit).execute();
  const last = await givenUp.selectAll().orderBy("nextDate", "desc").orderBy("id", "desc").limit(limit).execute();
  return [...next, ...last].slice(0, limit);
}

export async function countFailing(db: Handle, most: number): Promise<number> {
  let count = 0;
  for (const state of ["PENDING", "FAILED"] as const) {
    const some = selectFailing(db, state).select("id").limit(most);
    const counted = db.selectFrom(some.as("failing")).select(({ fn }) => fn.countAll<number>().as("count"));
    count += Number((await counted.executeTakeFirstOrThrow()).count);
  }
  return Math.min(most, count);
}

function selectFailing(db: Handle, state: "PENDING" | "FAILED") {
  return db.selectFrom("callbackDeliveries").where("state", "=", state).where("error", "is not", null);
}

/** Restarts a delivery, whatever its state. Undefined if the agent has no delivery with this id. */
export function resendDelivery(
  tx: Handle,
  { agentId, id, nextDate }: { agentId: string; id: string; nextDate: string },
): Promise<CallbackDeliveryRow | undefined> {
  return tx
    .updateTable("callbackDeliveries")
    .set({ state: "PENDING", attempts: 0, nextDate, lastStatus: 0, error: null })
    .where("agentId", "=", agentId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}
