import type { Tables } from "@weft/database";
import { type AliasableExpression, type ExpressionBuilder, type Kysely, sql } from "kysely";

/** An agent's schedule. It stays if the flow has none any more, for the operator's switch. */
export type ScheduleRow = {
  agentId: string;
  /** Empty: the saved flow has no valid schedule. */
  cron: string;
  timeZone: string;
  /** Empty: forever. */
  endDate: string;
  /** `skip` or `latest`. */
  catchUp: string;
  enabled: number;
  /** The moment of the next firing; null if there is none. */
  nextDate: string | null;
  createdDate: string;
  updatedDate: string;
};

/** One due moment of a schedule: at most one row, so at most one run. */
export type ScheduleFiringRow = {
  agentId: string;
  dueDate: string;
  /** Fixed before the run starts. */
  runId: string;
  /** `pending`, `begun`, `refused` or `skipped`. */
  state: string;
  /** Why it was refused or skipped. */
  message: string;
  createdDate: string;
};

declare module "@weft/database" {
  interface Tables {
    schedules: ScheduleRow;
    scheduleFirings: ScheduleFiringRow;
  }
}

type Handle = Kysely<Tables>;

export type FiringFilter = { agentId: string; status?: FiringStatus | undefined };
export type FiringStatus = "RUNNING" | "SUCCEEDED" | "FAILED" | "SKIPPED";
/** `executionId`: of the run that it started, settled or not yet. */
export type FiringWithStatus = ScheduleFiringRow & { status: FiringStatus; executionId: string | null };

export function findSchedule(db: Handle, agentId: string): Promise<ScheduleRow | undefined> {
  return db.selectFrom("schedules").selectAll().where("agentId", "=", agentId).executeTakeFirst();
}

/** The schedules of flows that have one, soonest first and those that are off last. */
export function listSchedules(db: Handle, agents: "all" | Iterable<string>): Promise<ScheduleRow[]> {
  const found = db
    .selectFrom("schedules")
    .selectAll()
    .where("cron", "<>", "")
    .orderBy((eb) => eb.fn.coalesce("nextDate", sql.lit("9999")))
    .orderBy("agentId");
  return (agents === "all" ? found : found.where("agentId", "in", [...agents])).execute();
}

/** Inserts a schedule, or updates everything of the existing one but its switch and its start. */
export async function saveSchedule(tx: Handle, row: ScheduleRow): Promise<void> {
  const { agentId: _, enabled: __, createdDate: ___, ...changes } = row;
  await tx
    .insertInto("schedules")
    .values(row)
    .onConflict((conflict) => conflict.column("agentId").doUpdateSet(changes))
    .execute();
}

/** Undefined if there is no such schedule. */
export function switchSchedule(
  tx: Handle,
  { agentId, ...changes }: Pick<ScheduleRow, "agentId" | "enabled" | "nextDate" | "updatedDate">,
): Promise<ScheduleRow | undefined> {
  return tx.updateTable("schedules").set(changes).where("agentId", "=", agentId).returningAll().executeTakeFirst();
}

/** Due schedules, longest due first. */
export function listDue(db: Handle, nowDate: string, limit: number): Promise<ScheduleRow[]> {
  return db
    .selectFrom("schedules")
    .selectAll()
    .where("nextDate", "<=", nowDate)
    .where("enabled", "=", 1)
    .orderBy("nextDate")
    .orderBy("agentId")
    .limit(limit)
    .execute();
}

/** Those that are switched on and wait for a moment. */
export function listEnabled(db: Handle): Promise<ScheduleRow[]> {
  return db
    .selectFrom("schedules")
    .selectAll()
    .where("nextDate", "is not", null)
    .where("enabled", "=", 1)
    .orderBy("agentId")
    .execute();
}

/** Advances a schedule, unless someone else has advanced or changed it since it was read. */
export async function moveOn(tx: Handle, read: ScheduleRow, nextDate: string | null): Promise<boolean> {
  const moved = await tx
    .updateTable("schedules")
    .set({ nextDate })
    .where("agentId", "=", read.agentId)
    .where("nextDate", "=", read.nextDate)
    .where("updatedDate", "=", read.updatedDate)
    .where("enabled", "=", 1)
    .returning("agentId")
    .executeTakeFirst();
  return moved !== undefined;
}

export function findFiring(db: Handle, agentId: string, dueDate: string): Promise<ScheduleFiringRow | undefined> {
  return db
    .selectFrom("scheduleFirings")
    .selectAll()
    .where("agentId", "=", agentId)
    .where("dueDate", "=", dueDate)
    .executeTakeFirst();
}

/** False if that moment already has a firing. */
export async function insertFiring(tx: Handle, row: ScheduleFiringRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("scheduleFirings")
    .values(row)
    .onConflict((conflict) => conflict.columns(["agentId", "dueDate"]).doNothing())
    .returning("agentId")
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function deleteFiringsBefore(tx: Handle, agentId: string, dueDate: string): Promise<void> {
  await tx.deleteFrom("scheduleFirings").where("agentId", "=", agentId).where("dueDate", "<", dueDate).execute();
}

/** Settles a pending firing. */
export async function settleFiring(tx: Handle, { agentId, dueDate, state, message }: ScheduleFiringRow): Promise<void> {
  await tx
    .updateTable("scheduleFirings")
    .set({ state, message })
    .where("agentId", "=", agentId)
    .where("dueDate", "=", dueDate)
    .where("state", "=", "pending")
    .execute();
}

/**
 * Firings whose runs have not started since, oldest first: made `before`, or `after` by a clock that was set back
 * since.
 */
export function listPending(
  db: Handle,
  { before, after, limit }: { before: string; after: string; limit: number },
): Promise<ScheduleFiringRow[]> {
  return db
    .selectFrom("scheduleFirings")
    .selectAll()
    .where("state", "=", "pending")
    .where((eb) => eb.or([eb("createdDate", "<=", before), eb("createdDate", ">=", after)]))
    .orderBy("createdDate")
    .orderBy("agentId")
    .limit(limit)
    .execute();
}

/** Newest first. A firing whose run was deleted is no longer listed. */
export async function listFirings(
  db: Handle,
  filter: FiringFilter,
  window: { offset: number; limit: number },
): Promise<FiringWithStatus[]> {
  return firings(db, filter)
    .selectAll("scheduleFirings")
    .select((eb) => [statusOf(eb).as("status"), "runs.id as executionId"])
    .orderBy("dueDate", "desc")
    .limit(window.limit)
    .offset(window.offset)
    .execute();
}

export async function countFirings(db: Handle, filter: FiringFilter): Promise<number> {
  const counted = firings(db, filter).select((eb) => eb.fn.countAll<number>().as("total"));
  return Number((await counted.executeTakeFirstOrThrow()).total);
}

export async function deleteSchedule(tx: Handle, agentId: string): Promise<void> {
  await tx.deleteFrom("schedules").where("agentId", "=", agentId).execute();
  await tx.deleteFrom("scheduleFirings").where("agentId", "=", agentId).execute();
}

function firings(db: Handle, { agentId, status }: FiringFilter) {
  const query = db
    .selectFrom("scheduleFirings")
    .leftJoin("runs", "runs.id", "scheduleFirings.runId")
    .where("scheduleFirings.agentId", "=", agentId)
    .where((eb) => eb.or([eb("scheduleFirings.state", "!=", "begun"), eb("runs.id", "is not", null)]));
  return status === undefined ? query : query.where((eb) => eb(statusOf(eb), "=", status));
}

type JoinedTables = {
  scheduleFirings: ScheduleFiringRow;
  runs: { [K in keyof Tables["runs"]]: Tables["runs"][K] | null };
};

function statusOf(eb: ExpressionBuilder<JoinedTables, "scheduleFirings" | "runs">): AliasableExpression<FiringStatus> {
  return eb
    .case()
    .when("scheduleFirings.state", "=", "skipped")
    .then(sql.lit<FiringStatus>("SKIPPED"))
    .when("scheduleFirings.state", "=", "refused")
    .then(sql.lit<FiringStatus>("FAILED"))
    .when("runs.status", "=", "completed")
    .then(sql.lit<FiringStatus>("SUCCEEDED"))
    .when("runs.status", "in", ["failed", "cancelled"])
    .then(sql.lit<FiringStatus>("FAILED"))
    .else(sql.lit<FiringStatus>("RUNNING"))
    .end();
}
