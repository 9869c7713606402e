import type { Database, Tables } from "@weft/database";
import { type Kysely, type RawBuilder, sql, type UpdateObject } from "kysely";
import { firstInLine } from "../state/upsert-job.store.ts";
import type { DocumentCheckRow } from "../tables.ts";

type Handle = Kysely<Tables>;

/** The database's clock where several processes share it; with SQLite the only process's own. */
export type CheckClock = Pick<Database, "dialect"> & { now(): number };

function nowOf({ dialect, now }: CheckClock): RawBuilder<number> {
  if (dialect === "sqlite") return sql<number>`${now()}`;
  return sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
}

/** Upserts in quick succession within this time are checked once. */
const quietMs = 3_000;
/** A store whose upserts never end is checked after this time anyway. */
const patienceMs = 600_000;
/** A check whose process is silent this long is taken over by another one. */
export const leaseMs = 30_000;
const maxAttempts = 5;
const firstPauseMs = 60_000;

export function findCheck(db: Handle, storeId: string): Promise<DocumentCheckRow | undefined> {
  return db.selectFrom("documentChecks").selectAll().where("storeId", "=", storeId).executeTakeFirst();
}

/** Turning it off drops the check that is due and cancels the running one. */
export async function setCheck(tx: Handle, storeId: string, isOn: boolean): Promise<void> {
  const idle = { asked: 0, done: 0, askedAt: 0, dueAt: 0, attempts: 0, leaseOwner: "", leaseUntil: 0, error: "" };
  if ((await findCheck(tx, storeId))?.isOn === Number(isOn)) return;
  await tx
    .insertInto("documentChecks")
    .values({ storeId, isOn: Number(isOn), ...idle })
    .onConflict((conflict) => conflict.column("storeId").doUpdateSet({ isOn: Number(isOn), ...idle }))
    .execute();
}

/** For the transaction that ends an upsert with changes. No effect if the setting is off. */
export async function askCheck(tx: Handle, clock: CheckClock, storeId: string): Promise<void> {
  const now = nowOf(clock);
  await tx
    .updateTable("documentChecks")
    .set({
      asked: sql<number>`"asked" + 1`,
      askedAt: sql<number>`case when "asked" = "done" then ${now} else "askedAt" end`,
      dueAt: sql<number>`${now} + ${quietMs}`,
      attempts: 0,
    })
    .where("storeId", "=", storeId)
    .where("isOn", "=", 1)
    .execute();
}

/** Stores whose check may begin: they are quiet, or have waited long enough. */
export async function listDueChecks(db: Handle, clock: CheckClock): Promise<string[]> {
  const now = nowOf(clock);
  const due = await db
    .selectFrom("documentChecks")
    .select(["storeId", sql<number>`${now} - "askedAt"`.as("waitedMs")])
    .where(isOwed)
    .where("leaseUntil", "<=", now)
    .where((eb) => eb.or([eb("dueAt", "<=", now), isOverdue(now)]))
    .orderBy("dueAt")
    .execute();
  const ready: string[] = [];
  for (const { storeId, waitedMs } of due) {
    if (Number(waitedMs) > patienceMs || (await firstInLine(db, storeId)) === undefined) ready.push(storeId);
  }
  return ready;
}

/** Continuous upserts keep delaying the check; a failed check keeps its pause. */
const isOverdue = (now: RawBuilder<number>) =>
  sql<boolean>`"attempts" = 0 and "askedAt" < ${now} - ${sql.lit(patienceMs)}`;

const isOwed = sql<boolean>`"isOn" = 1 and "asked" > "done"`;

/** A check claimed by a process. `asked`: the upserts that it covers. */
export type ClaimedCheck = Pick<DocumentCheckRow, "storeId" | "leaseOwner" | "asked">;

/** Undefined if another process was faster. */
export function claimCheck(
  tx: Handle,
  clock: CheckClock,
  { storeId, leaseOwner }: Pick<DocumentCheckRow, "storeId" | "leaseOwner">,
): Promise<ClaimedCheck | undefined> {
  const now = nowOf(clock);
  return tx
    .updateTable("documentChecks")
    .set({ leaseOwner, leaseUntil: sql<number>`${now} + ${leaseMs}` })
    .where("storeId", "=", storeId)
    .where(isOwed)
    .where("leaseUntil", "<=", now)
    .returning(["storeId", "leaseOwner", "asked"])
    .executeTakeFirst();
}

/** Resolves with whether this process still owns the check. */
export async function renewCheck(tx: Handle, clock: CheckClock, claimed: ClaimedCheck): Promise<boolean> {
  return changeClaimed(tx, claimed, { leaseUntil: sql<number>`${nowOf(clock)} + ${leaseMs}` });
}

/**
 * For the transaction that stores the outcome, which only the lease holder may. Resolves with whether it holds the
 * lease.
 */
export async function finishCheck(tx: Handle, clock: CheckClock, claimed: ClaimedCheck): Promise<boolean> {
  const { asked: done } = claimed;
  return changeClaimed(tx, claimed, { ...released, done, askedAt: nowOf(clock), attempts: 0, error: "" });
}

/**
 * Schedules a retry with a doubling delay, and gives up after the fifth failure. Resolves with whether this process
 * owned it.
 */
export async function failCheck(
  tx: Handle,
  clock: CheckClock,
  { error, ...claimed }: ClaimedCheck & { error: string },
): Promise<boolean> {
  return changeClaimed(tx, claimed, {
    ...released,
    error,
    attempts: sql<number>`"attempts" + 1`,
    dueAt: sql<number>`${nowOf(clock)} + (${sql.lit(firstPauseMs)} << cast("attempts" as integer))`,
    done: sql<number>`case when "attempts" + 1 >= ${maxAttempts} then ${claimed.asked} else "done" end`,
  });
}

/** Releases the lease, so that the next process can run the check. */
export async function releaseCheck(tx: Handle, claimed: ClaimedCheck): Promise<void> {
  await changeClaimed(tx, claimed, released);
}

/** Releases checks that the only process on this database had begun before it ended. */
export async function releaseAllChecks(tx: Handle): Promise<void> {
  await tx.updateTable("documentChecks").set(released).where("leaseOwner", "!=", "").execute();
}

const released = { leaseOwner: "", leaseUntil: 0 };

async function changeClaimed(
  tx: Handle,
  { storeId, leaseOwner }: ClaimedCheck,
  changes: UpdateObject<Tables, "documentChecks">,
): Promise<boolean> {
  const changed = await tx
    .updateTable("documentChecks")
    .set(changes)
    .where("storeId", "=", storeId)
    .where("leaseOwner", "=", leaseOwner)
    .returning("storeId")
    .executeTakeFirst();
  return changed !== undefined;
}
