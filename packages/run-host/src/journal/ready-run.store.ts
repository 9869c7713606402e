import { type Database, prepareQuery, type Tables } from "@weft/database";
import { type Kysely, sql } from "kysely";
import { type LeasedRun, type RunRow, runColumns } from "../run-tables.ts";
import { anonymousOwner } from "../share-of.ts";
import { type Lessee, noLease, takeThose } from "./run-lease.store.ts";
import { type SessionColumns, sessionLock } from "./session-turns.ts";

/** Runs that are ready to be worked on: running, accepted or handed over by some process, and leased to none. */
export type ReadyRuns = {
  /**
   * Claims at most `limit` of them. No two processes claim the same one, and none is claimed whose session has an
   * earlier running run. Fair: the next is always of the agent that has the fewest runs leased by then, and of an agent
   * the oldest.
   */
  claimReady(claim: ReadyClaim): Promise<ClaimedReady>;
  /** Number of ready runs, per session. */
  countReady(): Promise<ReadyCount[]>;
  /** Ends the lease of a run that this process has started or answered, for another one to continue. */
  handOver(run: LeasedRun): Promise<void>;
};

export type ReadyCount = { agentId: string; session: string; isAnonymous: boolean; count: number };

/** `except`: agents whose runs are skipped. */
export type ReadyClaim = Lessee & { limit: number; except?: readonly string[] };

/**
 * `left`: what else there was at that moment. `some`: runs that were not claimed, because of the limit or because their
 * sessions are busy. `contended`: fewer than there were, because other processes claim at the same time.
 */
export type ClaimedReady = { claimed: RunRow[]; left: "none" | "some" | "contended" };

/** Every statement here names the rows it changes and the state they must be in. */
const isolation = { isolation: "read-committed" } as const;

/** On SQLite nothing is handed over: there is one process. */
export function createReadyRuns(database: Database): ReadyRuns {
  return {
    async claimReady({ limit, except = [], ...lessee }) {
      if (database.dialect === "sqlite" || limit < 1) return { claimed: [], left: "none" };
      const { ids, isAny } = await findReady(database.read, limit, except);
      if (ids.length === 0) return { claimed: [], left: isAny ? "some" : "none" };
      const { read } = database;
      const claimed = await database.commit<RunRow>({
        statements: [claimThose.statement(read, { ids, ...lessee })],
        proof: findClaimed.statement(read, { ids, owner: lessee.owner }),
      });
      const place = new Map(ids.map((id, index) => [id, index]));
      claimed.sort((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
      if (claimed.length < ids.length) return { claimed, left: "contended" };
      return { claimed, left: "some" };
    },
    async countReady() {
      if (database.dialect === "sqlite") return [];
      const { rows } = await sql<SessionColumns & { count: number }>`
        select "agentId", "owner", "sessionId", count(*) as "count" from ${sql.table("runs")}
        where ${isReady} group by "agentId", "owner", "sessionId"`.execute(database.read);
      return rows.map((row) => ({
        agentId: row.agentId,
        session: sessionLock(row),
        isAnonymous: row.owner === anonymousOwner,
        count: Number(row.count),
      }));
    },
    async handOver({ id, leaseEpoch }) {
      const end = (tx: Kysely<Tables>) =>
        tx
          .updateTable("runs")
          .set(noLease)
          .where("id", "=", id)
          .where("leaseEpoch", "=", leaseEpoch)
          .where("status", "=", "running")
          .execute();
      await database.write(end, isolation);
    },
  };
}

/** Matches the index of ready runs. A run that waits for a moment has a due time. */
const isReady = sql.raw(`"status" = 'running' and "leaseOwner" is null and "dueAt" is null`);

const claimThose = prepareQuery<Lessee & { ids: readonly string[] }, RunRow>(
  ["ids", "owner", "leaseMs"],
  (db, { ids, ...lessee }) =>
    takeThose("postgres", db, {
      chosen: db.selectFrom("runs").select("id").where(isOneOf(ids)).where(sql<boolean>`${isReady}`),
      lessee,
    }),
);

/** A run that was ready a moment ago and has a holder was claimed since. */
const findClaimed = prepareQuery<{ ids: readonly string[]; owner: string }, RunRow>(
  ["ids", "owner"],
  (db, { ids, owner }) => db.selectFrom("runs").select(runColumns).where(isOneOf(ids)).where("leaseOwner", "=", owner),
);

/** One parameter, however many ids there are. */
function isOneOf(ids: readonly string[]) {
  return sql<boolean>`"id" = any(${ids}::text[])`;
}

/**
 * Walks the index from agent to agent, so that the cost depends on the number of waiting agents and the limit, not on
 * the number of runs.
 */
async function findReady(
  read: Kysely<Tables>,
  limit: number,
  except: readonly string[],
): Promise<{ ids: string[]; isAny: boolean }> {
  const [found] = await findFairly(read, { limit, except });
  return { ids: found?.ids ?? [], isAny: found?.isAny ?? false };
}

const findFairly = prepareQuery<{ limit: number; except: readonly string[] }, { ids: string[] | null; isAny: boolean }>(
  ["limit", "except"],
  (_, { limit, except }) => {
    const runs = sql.table("runs");
    return sql`
    with recursive "agent" as (
      (select "agentId" from ${runs} where ${isReady} order by "agentId" limit 1)
      union all
      select (
        select "next"."agentId" from ${runs} as "next"
        where ${isReady} and "next"."agentId" > "agent"."agentId" order by "next"."agentId" limit 1)
      from "agent" where "agent"."agentId" is not null),
    "busy" as (
      select "agentId", count(*) as "count" from ${runs}
      where "status" = 'running' and "leaseOwner" is not null group by "agentId"),
    "candidate" as (
      select "own"."id", "own"."createdDate", coalesce("busy"."count", 0) + "own"."place" as "rank"
      from "agent"
      left join "busy" on "busy"."agentId" = "agent"."agentId"
      cross join lateral (
        select "first".*, row_number() over (order by "createdDate", "id") as "place" from (
          select "waiting"."id", "waiting"."createdDate" from ${runs} as "waiting"
          where ${isReady} and "waiting"."agentId" = "agent"."agentId" and not exists (
            select 1 from ${runs} as "earlier"
            where "earlier"."agentId" = "waiting"."agentId" and "earlier"."sessionId" = "waiting"."sessionId"
              and "earlier"."owner" = "waiting"."owner" and "earlier"."status" = 'running'
              and "earlier"."turnOrder" < "waiting"."turnOrder")
          order by "waiting"."createdDate", "waiting"."id" limit ${limit}) as "first") as "own"
      where "agent"."agentId" <> all(${except}::text[])
      order by "rank", "own"."createdDate", "own"."id" limit ${limit})
    select (select array_agg("id" order by "rank", "createdDate", "id") from "candidate") as "ids",
      exists (select 1 from "agent" where "agentId" is not null) as "isAny"`;
  },
);
