// Agents are read here: the columns of that table are declared there.
import type {} from "@weft/agents";
import type { Tables } from "@weft/database";
import type { Reach } from "@weft/http/identity";
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import { isReached } from "../journal/index.ts";
import type { RunRow } from "../run-tables.ts";
import { noAgentId } from "../share-of.ts";

/** Runs within reach that ended or paused since a moment. */
export type StatsFilter = { since: string; agentId: string | undefined; reach: Reach };

/** Totals of runs. Those that `count` no tokens have nothing unpriced. */
type Sums = { runs: number; failures: number; tokens: number; nanos: number | null; unpriced: number };

export type HourSums = Sums & { /** Such as `2025-01-31T12`, in UTC. */ hour: string };
export type AgentSums = Sums & { agentId: string; agentName: string | null };

/** The sums of each hour in which something ended or paused. Reads the list of runs by date, and no run. */
export async function sumByHour(read: Kysely<Tables>, filter: StatsFilter): Promise<HourSums[]> {
  const hour = sql<string>`substr("updatedDate", 1, 13)`;
  const rows = await chosen(read, filter)
    .select([hour.as("hour"), ...sums()])
    .groupBy(hour)
    .execute();
  return rows.map(({ hour, ...row }) => ({ hour, ...toNumbers(row) }));
}

/** The agents with most runs, at most `limit`. */
export async function sumByAgent(read: Kysely<Tables>, filter: StatsFilter, limit: number): Promise<AgentSums[]> {
  // An expression, because SQLite would otherwise use the index ordered by agent and examine every run.
  const agentId = sql<string>`"agentId" || ''`;
  const grouped = chosen(read, filter)
    .select([agentId.as("agentId"), ...sums()])
    .groupBy(agentId)
    .orderBy("runs", "desc")
    .orderBy(agentId)
    .limit(limit);
  const rows = await read
    .selectFrom(grouped.as("busy"))
    .leftJoin("agents", "agents.id", "busy.agentId")
    .selectAll("busy")
    .select("agents.name as agentName")
    .orderBy("busy.runs", "desc")
    .orderBy("busy.agentId")
    .execute();
  return rows.map(({ agentId, agentName, ...row }) => ({ agentId, agentName, ...toNumbers(row) }));
}

export type PartSums = Pick<Sums, "runs" | "failures"> & { agentId: string; part: number };

/**
 * The sums of each agent in each part of a period; `starts`, in order, holds the start of each part. Only parts in
 * which something ended or paused. Reads the list of runs by date.
 */
export async function sumByAgentAndPart(
  read: Kysely<Tables>,
  { starts, reach }: { starts: readonly [string, ...string[]]; reach: Reach },
): Promise<PartSums[]> {
  const cases = starts.map((start, index) => sql`when "updatedDate" >= ${start} then ${sql.lit(index)}`).reverse();
  const runs = chosen(read, { since: starts[0], agentId: undefined, reach }).select([
    // An expression, for the reason above.
    sql<string>`"agentId" || ''`.as("agentId"),
    sql<number>`case ${sql.join(cases, sql` `)} end`.as("part"),
    sql<number>`case when "status" = 'failed' then 1 else 0 end`.as("failed"),
  ]);
  const rows = await read
    .selectFrom(runs.as("runs"))
    .select(["agentId", "part", sql<number>`count(*)`.as("runs"), sql<number>`sum("failed")`.as("failures")])
    .groupBy(["agentId", "part"])
    .execute();
  return rows.map(({ agentId, part, runs, failures }) => ({
    agentId,
    part: Number(part),
    runs: Number(runs),
    failures: Number(failures),
  }));
}

export type LastRun = Pick<RunRow, "id" | "agentId" | "status" | "errorCode" | "updatedDate">;

/** Each agent's most recently updated run. Looks each up in the index of its runs; running runs are read whole. */
export async function listLastRuns(read: Kysely<Tables>, reach: Reach): Promise<LastRun[]> {
  const { agents } = reach;
  const lastIds = read
    .selectFrom("agents")
    .$if(agents !== "all", (query) => query.where("agents.id", "in", [...agents]))
    .select((eb) =>
      eb
        .selectFrom("runs")
        .select("runs.id")
        .whereRef("runs.agentId", "=", "agents.id")
        .where("runs.status", "!=", sql.lit("running"))
        .where(isReached(reach))
        .orderBy("runs.updatedDate", "desc")
        .orderBy("runs.id")
        .limit(1)
        .as("runId"),
    );
  const columns = ["runs.id", "runs.agentId", "runs.status", "runs.errorCode", "runs.updatedDate"] as const;
  const [paused, running] = await Promise.all([
    read.selectFrom(lastIds.as("last")).innerJoin("runs", "runs.id", "last.runId").select(columns).execute(),
    read
      .selectFrom("runs")
      .innerJoin("agents", "agents.id", "runs.agentId")
      .select(columns)
      .where("runs.status", "=", sql.lit("running"))
      .where(isReached(reach))
      .execute(),
  ]);
  const last = new Map<string, LastRun>();
  for (const run of [...paused, ...running]) {
    const known = last.get(run.agentId);
    if (known === undefined || known.updatedDate < run.updatedDate) last.set(run.agentId, run);
  }
  return [...last.values()];
}

/** The duration at or below which a `share` of the completed and failed runs stays; null without any. */
export async function findDuration(read: Kysely<Tables>, filter: StatsFilter, share: number): Promise<number | null> {
  const ended = chosen(read, filter).where("durationMs", "is not", null).where("status", "in", ["completed", "failed"]);
  const counted = await ended.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const total = Number(counted.total);
  if (total === 0) return null;
  const rank = Math.ceil(total * share) - 1;
  // Start from the nearer end: fewer rows are sorted.
  const fromEnd = total - 1 - rank;
  const found = await ended
    .select("durationMs")
    .orderBy("durationMs", "desc")
    .limit(1)
    .offset(fromEnd)
    .executeTakeFirst();
  return found?.durationMs == null ? null : Number(found.durationMs);
}

export async function countRunning(read: Kysely<Tables>, { agentId, reach }: StatsFilter): Promise<number> {
  const counted = await read
    .selectFrom("runs")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("status", "=", sql.lit("running"))
    .where(isMeant({ agentId, reach }))
    .executeTakeFirstOrThrow();
  return Number(counted.total);
}

type Runs = ExpressionBuilder<Tables, "runs">;

/** Work of the platform itself does not count as an agent's run. */
function isMeant({ agentId, reach }: Omit<StatsFilter, "since">) {
  return (eb: Runs): Expression<SqlBool> =>
    eb.and([
      eb("runs.agentId", "!=", sql.lit(noAgentId)),
      ...(agentId === undefined ? [] : [eb("runs.agentId", "=", agentId)]),
      isReached(reach)(eb),
    ]);
}

function chosen(read: Kysely<Tables>, { since, ...filter }: StatsFilter) {
  return read
    .selectFrom("runs")
    .where("runs.status", "!=", sql.lit("running"))
    .where("runs.updatedDate", ">=", since)
    .where(isMeant(filter));
}

function sums() {
  return [
    sql<number>`count(*)`.as("runs"),
    sql<number>`sum(case when "status" = 'failed' then 1 else 0 end)`.as("failures"),
    sql<number>`coalesce(sum("totalTokens"), 0)`.as("tokens"),
    sql<number | null>`sum("costNanos")`.as("nanos"),
    sql<number>`sum(case when "totalTokens" > 0 and "costNanos" is null then 1 else 0 end)`.as("unpriced"),
  ] as const;
}

/** PostgreSQL returns sums in types that JavaScript reads as text. */
function toNumbers({ runs, failures, tokens, nanos, unpriced }: Sums): Sums {
  return {
    runs: Number(runs),
    failures: Number(failures),
    tokens: Number(tokens),
    nanos: nanos === null ? null : Number(nanos),
    unpriced: Number(unpriced),
  };
}
