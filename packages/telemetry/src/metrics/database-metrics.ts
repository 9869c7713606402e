import type { Database, Tables } from "@weft/database";
import { type Kysely, sql } from "kysely";
import type { Registry } from "./registry.ts";

/** How long a scrape waits for the database. */
const patienceMs = 1_500;
/** Maximum number of runs counted. */
const mostCounted = 10_000;

export type DatabaseMetrics = {
  /** The same database, with timed writes. */
  timed: Database;
  /** Queries the database for a scrape. Resolves within two seconds, even if it does not respond. */
  refresh(): Promise<void>;
};

/** Counts waiting runs of all processes on the database, including those whose process is gone. */
export function createDatabaseMetrics(registry: Registry, database: Database, now: () => number): DatabaseMetrics {
  const seconds = registry.histogram({
    name: "weft_commit_duration_seconds",
    help: "Time until what was written is durable, waiting for its turn included.",
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  const failures = registry.counter({
    name: "weft_commit_failures_total",
    help: "Writes that were refused or undone, for whatever reason.",
  });
  let runs: OpenRuns | undefined;
  let asking: Promise<void> | undefined;
  const reading = (value: number | undefined) => (value === undefined ? [] : [{ value }]);
  registry.gauge({
    name: "weft_database_up",
    help: "Whether the database answered this scrape.",
    read: () => [{ value: runs === undefined ? 0 : 1 }],
  });
  registry.gauge({
    name: "weft_runs_running",
    help: `Runs that have neither ended nor stopped to wait, in all processes on the database; at most ${mostCounted} are counted.`,
    read: () => reading(runs?.running),
  });
  registry.gauge({
    name: "weft_runs_waiting",
    help: `Of them those that wait for their first step, or for a process; at most ${mostCounted} are counted.`,
    read: () => reading(runs?.waiting),
  });
  registry.gauge({
    name: "weft_runs_oldest_waiting_seconds",
    help: "Age of the oldest of them; 0 without any.",
    read: () => reading(runs?.oldestSeconds),
  });
  registry.gauge({
    name: "weft_database_connections",
    help: "Connections of this process to PostgreSQL.",
    labels: ["state"],
    read() {
      const { active, idle } = database.connections() ?? {};
      if (active === undefined || idle === undefined) return [];
      return [
        { value: active, labels: ["active"] },
        { value: idle, labels: ["idle"] },
      ];
    },
  });
  registry.gauge({
    name: "weft_database_waiting",
    help: "Queries of this process that wait for a connection to PostgreSQL.",
    read: () => reading(database.connections()?.waiting),
  });

  async function timed<T>(work: Promise<T>): Promise<T> {
    const begunAt = performance.now();
    try {
      const result = await work;
      seconds.observe((performance.now() - begunAt) / 1_000);
      return result;
    } catch (cause) {
      failures.add(1);
      throw cause;
    }
  }

  /** One query at a time, however many scrapers. */
  function ask(): Promise<void> {
    asking ??= readOpenRuns(database.read, now())
      .then(
        (read) => {
          runs = read;
        },
        () => {
          runs = undefined;
        },
      )
      .finally(() => {
        asking = undefined;
      });
    return asking;
  }

  return {
    timed: {
      ...database,
      write: (fn, options) => timed(database.write(fn, options)),
      commit: (commit) => timed(database.commit(commit)),
    },
    async refresh() {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        runs = undefined;
        resolve();
      }, patienceMs);
      await Promise.race([ask(), late]);
      clearTimeout(timer);
    },
  };
}

type OpenRuns = { running: number; waiting: number; oldestSeconds: number };

/**
 * Reads the index of running runs, up to a limit. A run that was accepted but has not begun has only its first event;
 * one waiting for a time is not part of the queue.
 */
export async function readOpenRuns(read: Kysely<Tables>, now: number): Promise<OpenRuns> {
  const counted = await read
    .selectFrom(selectOpenRuns(read).as("open"))
    .select((eb) => [
      eb.fn.countAll<number>().as("running"),
      eb.fn.count<number>(isWaiting).as("waiting"),
      eb.fn.min<string | null>(sql`case when ${isWaiting} = 1 then "createdDate" end`).as("oldest"),
    ])
    .executeTakeFirstOrThrow();
  const since = counted.oldest === null ? now : Date.parse(counted.oldest);
  return {
    running: Number(counted.running),
    waiting: Number(counted.waiting),
    oldestSeconds: Math.max(0, now - since) / 1_000,
  };
}

/** The oldest running runs, up to the limit. */
export function selectOpenRuns(read: Kysely<Tables>) {
  return (
    read
      .selectFrom("runs")
      .select(["createdDate", "leaseOwner", "lastSeq", "dueAt"])
      // A literal, so that SQLite sees that the index of running runs applies.
      .where("status", "=", sql.lit("running"))
      .orderBy("createdDate")
      .orderBy("id")
      .limit(mostCounted)
  );
}

/** 1 for those that wait. */
export const isWaiting = sql<number>`case when "dueAt" is null and ("lastSeq" <= 1 or "leaseOwner" is null) then 1 end`;
