import type { Database, Tables } from "@weft/database";
import {
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { type LeasedRun, type RunRow, runColumns } from "../run-tables.ts";
import { heldMs } from "../run-timings.ts";

/** A process that works on runs, and how long it may do so without a renewal. */
export type Lessee = { owner: string; leaseMs: number };

/** `now`: milliseconds since the epoch on the clock that the moments were read from. */
export type Claim = Lessee & { limit: number; now: number };

/**
 * Which process works on which run. Leases are measured on the database's clock: PostgreSQL's, or this machine's with
 * SQLite.
 */
export type RunLeases = {
  /**
   * Takes over running runs without a lease, or whose process is gone, oldest first; never those of `owner`, whose
   * leases ended during a stall, nor those that wait for a moment after `now`, unless a cancel was requested. Two
   * processes never get the same run. On PostgreSQL, ready runs are left to `claimReady`.
   */
  claimAbandoned(claim: Claim): Promise<RunRow[]>;
  /**
   * Like `claimAbandoned`, for suspended runs that resume by themselves at or before `now`. They stay suspended as in
   * `claim`.
   */
  claimDue(claim: Claim): Promise<RunRow[]>;
  /** Running runs that nobody works on, because they wait for a moment. */
  listHeld(): Promise<string[]>;
  /**
   * Counts that a run which was taken over continues: 1 if it got further since the last time, otherwise one more.
   * Returns the count.
   */
  countTakeOver(run: LeasedRun, isFurther: boolean): Promise<number>;
  /** Running runs that `owner` holds by expired leases: 500 at most, others when these are no longer its own. */
  listEnded(owner: string): Promise<string[]>;
  /** Leaves runs that `owner` still holds, and does not work on, for others to claim once their leases have ended. */
  setAside(runIds: readonly string[], owner: string): Promise<void>;
  /**
   * Takes over one waiting run. A suspended one stays suspended until events say otherwise. Undefined: another process
   * has it, or it does not wait.
   */
  claim(runId: string, owner: string, leaseMs: number): Promise<RunRow | undefined>;
  /** Takes a running run from its process, which can then no longer write. Undefined: it is no longer running. */
  seize(runId: string, lessee: Lessee): Promise<RunRow | undefined>;
  /** Returns a suspended run that was claimed and not continued. */
  release(claimed: LeasedRun): Promise<void>;
  /**
   * Renews the leases of `owner`, including expired ones that nobody took. Returns the runs that are no longer its own.
   */
  renewLeases(renewal: Lessee & { runIds: readonly string[] }): Promise<string[]>;
  /**
   * Releases every lease of `owner`, so that others need not wait for them to end. It can then no longer write. A clean
   * shutdown does not count against its runs: their take-over counts are reset.
   */
  releaseLeases(owner: string): Promise<void>;
  /** Ends all leases at the start of the only process: on SQLite. Does nothing on PostgreSQL, where others may run. */
  voidLeases(): Promise<void>;
};

/** Every statement here names the rows it changes and the state they must be in. */
const isolation = { isolation: "read-committed" } as const;
/** Limits the parameters of one statement. */
const maxIds = 500;

export function createRunLeases(database: Database): RunLeases {
  return {
    claimAbandoned: (claim) => database.write((tx) => claimAbandoned(database, tx, claim), isolation),
    claimDue: (claim) => database.write((tx) => claimDue(database, tx, claim), isolation),
    listHeld: () => listHeld(database.read),
    claim(runId, owner, leaseMs) {
      const take = (tx: Kysely<Tables>) =>
        takeOver(database.dialect, tx, { owner, leaseMs })
          .where("id", "=", runId)
          .where((eb) => eb.or([eb("status", "=", "suspended"), isHeld(eb)]))
          .where(hasNoLease(database))
          .returningAll()
          .executeTakeFirst();
      return database.write(take, isolation);
    },
    seize(runId, lessee) {
      const take = (tx: Kysely<Tables>) =>
        takeOver(database.dialect, tx, lessee)
          .where("id", "=", runId)
          .where("status", "=", "running")
          .returningAll()
          .executeTakeFirst();
      return database.write(take, isolation);
    },
    async release({ id, leaseEpoch }) {
      const end = (tx: Kysely<Tables>) =>
        endLeases(tx)
          .where("id", "=", id)
          .where("leaseEpoch", "=", leaseEpoch)
          .where("status", "=", "suspended")
          .execute();
      await database.write(end, isolation);
    },
    renewLeases: (renewal) => renewLeases(database, renewal),
    async releaseLeases(owner) {
      const end = (tx: Kysely<Tables>) => tx.updateTable("runs").set({ ...noLease, takeOvers: 0 });
      await database.write((tx) => end(tx).where("leaseOwner", "=", owner).execute(), isolation);
    },
    async countTakeOver(run, isFurther) {
      return (await database.write((tx) => countTakeOver(tx, run, isFurther), isolation))?.takeOvers ?? 0;
    },
    async listEnded(owner) {
      const running = database.read.selectFrom("runs").select("id").where("status", "=", sql.lit("running"));
      const ended = running.where("leaseOwner", "=", owner).where(hasNoLease(database)).limit(maxIds);
      return (await ended.execute()).map(({ id }) => id);
    },
    async setAside(runIds, owner) {
      for (const ids of partsOf(runIds)) {
        const leave = (tx: Kysely<Tables>) =>
          tx.updateTable("runs").set({ leaseOwner: "nobody" }).where("id", "in", ids).where("leaseOwner", "=", owner);
        await database.write((tx) => leave(tx).where("status", "=", "running").execute(), isolation);
      }
    },
    async voidLeases() {
      if (database.dialect !== "sqlite") return;
      await database.write((tx) => endLeases(tx).where("leaseOwner", "is not", null).execute());
    },
  };
}

function* partsOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += maxIds) yield ids.slice(start, start + maxIds);
}

async function renewLeases(
  database: Database,
  { owner, leaseMs, runIds }: Lessee & { runIds: readonly string[] },
): Promise<string[]> {
  const lost: string[] = [];
  for (const ids of partsOf(runIds)) {
    await database.write(async (tx) => {
      const own = tx.selectFrom("runs").select("id").where("id", "in", ids).where("leaseOwner", "=", owner);
      // A run whose row is locked by an append is left for the next time: waiting for many rows could deadlock.
      const free = database.dialect === "postgres" ? own.forUpdate().skipLocked() : own;
      await tx
        .with("own", () => free)
        .updateTable("runs")
        .set({ leaseUntil: leaseEnd(database.dialect, leaseMs) })
        .where("id", "in", (eb) => eb.selectFrom("own").select("own.id"))
        .execute();
    }, isolation);
    const others = database.read.selectFrom("runs").select("id").where("id", "in", ids);
    const isOthers = others.where((eb) => eb.or([eb("leaseOwner", "is", null), eb("leaseOwner", "!=", owner)]));
    for (const { id } of await isOthers.execute()) lost.push(id);
  }
  return lost;
}

/** One more take-over, or the first since the run made progress. */
function countTakeOver(tx: Kysely<Tables>, { id, leaseEpoch }: LeasedRun, isFurther: boolean) {
  return tx
    .updateTable("runs")
    .set((eb) => ({
      takeOvers: isFurther ? 1 : eb("takeOvers", "+", 1),
      takeOverSeq: eb.ref("lastSeq"),
    }))
    .where("id", "=", id)
    .where("leaseEpoch", "=", leaseEpoch)
    .returning("takeOvers")
    .executeTakeFirst();
}

/** The moment `leaseMs` from now on the database's clock, in milliseconds since the epoch. */
function leaseEnd(dialect: Database["dialect"], leaseMs: number): RawBuilder<number> {
  return sql<number>`${databaseNow(dialect)} + cast(${leaseMs} as bigint)`;
}

/** Columns of a run that nobody works on. */
export const noLease = { leaseOwner: null, leaseUntil: 0 } as const;

async function claimAbandoned(
  database: Database,
  tx: Kysely<Tables>,
  { limit, now, ...lessee }: Claim,
): Promise<RunRow[]> {
  const abandoned = tx
    .selectFrom("runs")
    .select("id")
    // A literal, so that SQLite sees that the index of running runs applies.
    .where("status", "=", sql.lit("running"))
    .where((eb) => eb.or([hasNoLease(database), isLeft(database, lessee)]))
    .where((eb) => eb.or([isUnowned(database, eb), eb("leaseOwner", "!=", lessee.owner)]))
    .where((eb) => eb.or([eb("dueAt", "is", null), eb("dueAt", "<=", now), eb("cancelRequested", "=", 1)]))
    .orderBy("createdDate")
    .orderBy("id")
    .limit(limit);
  return claimThose(database, tx, { chosen: abandoned, lessee });
}

function isUnowned({ dialect }: Database, eb: ExpressionBuilder<Tables, "runs">) {
  const isFree = eb("leaseOwner", "is", null);
  return dialect === "sqlite" ? isFree : eb.and([isFree, eb("dueAt", "is not", null)]);
}

/** The index of due times holds the few runs that wait for a moment. */
async function claimDue(database: Database, tx: Kysely<Tables>, { limit, now, ...lessee }: Claim): Promise<RunRow[]> {
  const due = tx
    .selectFrom("runs")
    .select("id")
    .where("dueAt", "<=", now)
    .where("status", "=", sql.lit("suspended"))
    .where(hasNoLease(database))
    .orderBy("dueAt")
    .orderBy("id")
    .limit(limit);
  const claimed = await claimThose(database, tx, { chosen: due, lessee });
  return claimed.sort((a, b) => Number(a.dueAt) - Number(b.dueAt) || compare(a.id, b.id));
}

type Chosen = SelectQueryBuilder<Tables, "runs", { id: string }>;

async function claimThose(
  database: Database,
  tx: Kysely<Tables>,
  claim: { chosen: Chosen; lessee: Lessee },
): Promise<RunRow[]> {
  const taken = await takeThose(database.dialect, tx, claim).execute();
  return taken.sort((a, b) => compare(a.createdDate, b.createdDate) || compare(a.id, b.id));
}

/** Skips rows that another process is taking at the moment. */
export function takeThose(
  dialect: Database["dialect"],
  db: Kysely<Tables>,
  { chosen, lessee }: { chosen: Chosen; lessee: Lessee },
) {
  const mine = dialect === "postgres" ? chosen.forUpdate().skipLocked() : chosen;
  return takeOver(
    dialect,
    db.with("mine", () => mine),
    lessee,
  )
    .where("id", "in", (eb) => eb.selectFrom(sql<{ id: string }>`mine`.as("m")).select("m.id"))
    .returning(runColumns);
}

function takeOver(dialect: Database["dialect"], tx: Pick<Kysely<Tables>, "updateTable">, { owner, leaseMs }: Lessee) {
  return tx.updateTable("runs").set((eb) => ({
    leaseEpoch: eb("leaseEpoch", "+", 1),
    leaseOwner: owner,
    leaseUntil: leaseEnd(dialect, leaseMs),
    // A suspended one may be returned.
    dueAt: eb.case().when("status", "=", "suspended").then(eb.ref("dueAt")).else(null).end(),
  }));
}

async function listHeld(read: Kysely<Tables>): Promise<string[]> {
  const held = read.selectFrom("runs").select("id").where("dueAt", "is not", null).where(isHeld);
  return (await held.execute()).map(({ id }) => id);
}

/** Whether a run waits for a moment without being suspended: its answer is still to come, and it keeps its turn. */
function isHeld(eb: ExpressionBuilder<Tables, "runs">) {
  return eb.and([eb("status", "=", sql.lit("running")), eb("leaseOwner", "is", null), eb("dueAt", "is not", null)]);
}

function endLeases(tx: Kysely<Tables>) {
  return tx.updateTable("runs").set(noLease);
}

function hasNoLease(database: Database): RawBuilder<SqlBool> {
  return sql<SqlBool>`("leaseOwner" is null or "leaseUntil" <= ${databaseNow(database.dialect)})`;
}

const announced = "seen-";

/** The name of a process that announces it (`Signals.announce`). Earlier versions do not. */
export function announcedOwner(id: string): string {
  return `${announced}${id}`;
}

/** Whether the process that held a run is gone: it is disconnected and has not renewed its lease recently. */
function isLeft(database: Database, { leaseMs }: Lessee): RawBuilder<SqlBool> {
  const { signals } = database;
  if (!signals.seesOthers()) return sql<SqlBool>`1 = 0`;
  const owner = sql.ref<string>("leaseOwner");
  return sql<SqlBool>`(
    ${owner} like ${`${announced}%`} and "leaseUntil" <= ${leaseEnd(database.dialect, leaseMs - heldMs(leaseMs))}
    and not ${signals.isPresent(owner)})`;
}

function databaseNow(dialect: Database["dialect"]): RawBuilder<number> {
  if (dialect === "sqlite") return sql<number>`${Date.now()}`;
  return sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
