import type { Database, RunRow, Tables } from "@weft/database";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";

/** The process that works on a run, and for how long it may without a sign of life. */
export type Lessee = { owner: string; leaseMs: number };

/** Who works on which run. Leases are measured on the database's clock: PostgreSQL's, or this machine's with SQLite. */
export type RunLeases = {
  /**
   * Takes over running runs that nobody has a lease of, oldest first; never those of `owner`, whose leases ended while
   * its process stood still. Two processes never get the same run.
   */
  claimAbandoned(claim: Lessee & { limit: number }): Promise<RunRow[]>;
  /**
   * Counts that a run which was taken over goes on: with 1 where it got further since the last time, otherwise with one
   * more. Returns the count.
   */
  countTakeOver(run: Pick<RunRow, "id" | "leaseEpoch">): Promise<number>;
  /** Leaves runs that `owner` still holds, and does not work on, for others to claim once their leases have ended. */
  setAside(runIds: readonly string[], owner: string): Promise<void>;
  /** Takes over one suspended run, which stays suspended until events say otherwise. Undefined: another one has it. */
  claim(runId: string, owner: string, leaseMs: number): Promise<RunRow | undefined>;
  /** Takes a running run from its process, which can then no longer write. Undefined: it is no longer running. */
  seize(runId: string, lessee: Lessee): Promise<RunRow | undefined>;
  /** Gives back a suspended run that was claimed and not continued. */
  release(claimed: Pick<RunRow, "id" | "leaseEpoch">): Promise<void>;
  /** Prolongs the leases of `owner`, ended ones that nobody took included. Returns which runs are not its own any more. */
  renewLeases(renewal: Lessee & { runIds: readonly string[] }): Promise<string[]>;
  /**
   * Gives every lease of `owner` back, so that others need not wait for them to end. It can then no longer write. A
   * process that shuts down properly does not count against its runs: their take-over counts are reset.
   */
  releaseLeases(owner: string): Promise<void>;
  /** Ends all leases at the start of the only process: on SQLite. Does nothing on PostgreSQL, where others may run. */
  voidLeases(): Promise<void>;
};

/** Every statement here names the rows it changes and what they must be. */
const isolation = { isolation: "read-committed" } as const;
/** Bounds the parameters of one statement. */
const maxIds = 500;

export function createRunLeases(database: Database): RunLeases {
  return {
    claimAbandoned: (claim) => database.write((tx) => claimAbandoned(database, tx, claim), isolation),
    claim(runId, owner, leaseMs) {
      const take = (tx: Kysely<Tables>) =>
        takeOver(database, tx, { owner, leaseMs })
          .where("id", "=", runId)
          .where("status", "=", "suspended")
          .where(hasNoLease(database))
          .returningAll()
          .executeTakeFirst();
      return database.write(take, isolation);
    },
    seize(runId, lessee) {
      const take = (tx: Kysely<Tables>) =>
        takeOver(database, tx, lessee)
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
    async renewLeases({ owner, leaseMs, runIds }) {
      const lost: string[] = [];
      for (let start = 0; start < runIds.length; start += maxIds) {
        const ids = runIds.slice(start, start + maxIds);
        const renew = (tx: Kysely<Tables>) =>
          tx
            .updateTable("runs")
            .set({ leaseUntil: leaseEnd(database, leaseMs) })
            .where("leaseOwner", "=", owner)
            .where("id", "in", ids)
            .execute();
        await database.write(renew, isolation);
        const others = database.read.selectFrom("runs").select("id").where("id", "in", ids);
        const isOthers = others.where((eb) => eb.or([eb("leaseOwner", "is", null), eb("leaseOwner", "!=", owner)]));
        for (const { id } of await isOthers.execute()) lost.push(id);
      }
      return lost;
    },
    async releaseLeases(owner) {
      const end = (tx: Kysely<Tables>) => tx.updateTable("runs").set({ ...noLease, takeOvers: 0 });
      await database.write((tx) => end(tx).where("leaseOwner", "=", owner).execute(), isolation);
    },
    async countTakeOver({ id, leaseEpoch }) {
      const count = (tx: Kysely<Tables>) =>
        tx
          .updateTable("runs")
          .set((eb) => ({
            takeOvers: eb
              .case()
              .when("lastSeq", ">", eb.ref("takeOverSeq"))
              .then(1)
              .else(eb("takeOvers", "+", 1))
              .end(),
            takeOverSeq: eb.ref("lastSeq"),
          }))
          .where("id", "=", id)
          .where("leaseEpoch", "=", leaseEpoch)
          .returning("takeOvers")
          .executeTakeFirst();
      return (await database.write(count, isolation))?.takeOvers ?? 0;
    },
    async setAside(runIds, owner) {
      const leave = (tx: Kysely<Tables>) =>
        tx.updateTable("runs").set({ leaseOwner: "nobody" }).where("id", "in", runIds).where("leaseOwner", "=", owner);
      await database.write((tx) => leave(tx).where("status", "=", "running").execute(), isolation);
    },
    async voidLeases() {
      if (database.dialect !== "sqlite") return;
      await database.write((tx) => endLeases(tx).where("leaseOwner", "is not", null).execute());
    },
  };
}

/** The moment `leaseMs` from now on the database's clock, in milliseconds since the epoch. */
export function leaseEnd(database: Database, leaseMs: number): RawBuilder<number> {
  return sql<number>`${databaseNow(database)} + ${sql.lit(Math.trunc(leaseMs))}`;
}

/** Columns of a run that nobody works on. */
export const noLease = { leaseOwner: null, leaseUntil: 0 } as const;

async function claimAbandoned(
  database: Database,
  tx: Kysely<Tables>,
  { limit, ...lessee }: Lessee & { limit: number },
): Promise<RunRow[]> {
  const abandoned = tx
    .selectFrom("runs")
    .select("id")
    // A literal, so that SQLite sees that the index of running runs applies.
    .where("status", "=", sql.lit("running"))
    .where(hasNoLease(database))
    .where((eb) => eb.or([eb("leaseOwner", "is", null), eb("leaseOwner", "!=", lessee.owner)]))
    .orderBy("createdDate")
    .orderBy("id")
    .limit(limit);
  // Rows that another process is taking at this moment are left to it.
  const mine = database.dialect === "postgres" ? abandoned.forUpdate().skipLocked() : abandoned;
  const taken = await takeOver(
    database,
    tx.with("mine", () => mine),
    lessee,
  )
    .where("id", "in", (eb) => eb.selectFrom(sql<{ id: string }>`mine`.as("m")).select("m.id"))
    .returningAll()
    .execute();
  return taken.sort((a, b) => compare(a.createdDate, b.createdDate) || compare(a.id, b.id));
}

function takeOver(database: Database, tx: Pick<Kysely<Tables>, "updateTable">, { owner, leaseMs }: Lessee) {
  return tx.updateTable("runs").set((eb) => ({
    leaseEpoch: eb("leaseEpoch", "+", 1),
    leaseOwner: owner,
    leaseUntil: leaseEnd(database, leaseMs),
  }));
}

function endLeases(tx: Kysely<Tables>) {
  return tx.updateTable("runs").set(noLease);
}

function hasNoLease(database: Database): RawBuilder<SqlBool> {
  return sql<SqlBool>`("leaseOwner" is null or "leaseUntil" <= ${databaseNow(database)})`;
}

function databaseNow(database: Database): RawBuilder<number> {
  if (database.dialect === "sqlite") return sql<number>`${Date.now()}`;
  return sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
