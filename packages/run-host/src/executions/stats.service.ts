import type { Tables } from "@weft/database";
import type { Reach } from "@weft/http/identity";
import { type AgentStats, type ExecutionSummary, type Stats, type StatsRange, toMoment } from "@weft/schema";
import type { Kysely } from "kysely";
import { toDollars } from "../journal/index.ts";
import type { ExecutionService } from "./execution.service.ts";
import { countAsking, stateOf } from "./execution.store.ts";
import {
  countRunning,
  findDuration,
  type HourSums,
  listLastRuns,
  type PartSums,
  type StatsFilter,
  sumByAgent,
  sumByAgentAndPart,
  sumByHour,
} from "./stats.store.ts";

export type StatsQuery = { range: StatsRange; agentId: string | undefined; reach: Reach };

export type StatsService = {
  /** Statistics of the range, in whole UTC hours, the current one included. */
  get(query: StatsQuery): Promise<Stats>;
  /** The last seven days of every agent that ever ran, and its last run. */
  listByAgent(reach: Reach): Promise<AgentStats[]>;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const daysOfWeek = 7;

/** The parts of a range and their length in hours. */
const cuts: Record<StatsRange, { parts: number; hours: number }> = {
  "24h": { parts: 24, hours: 1 },
  "7d": { parts: 28, hours: 6 },
  "30d": { parts: 30, hours: 24 },
};

const maxAgents = 10;
const maxFailures = 5;

export function createStatsService(
  read: Kysely<Tables>,
  listExecutions: ExecutionService["list"],
  now: () => number,
): StatsService {
  /** The end of the current hour. */
  const endMs = () => (Math.floor(now() / hourMs) + 1) * hourMs;

  /** The list has separate states for failed and timed out. */
  async function listFailures({ agentId, reach, since }: StatsFilter): Promise<ExecutionSummary[]> {
    const query = { agentflowId: agentId, reach, page: 1, limit: maxFailures };
    const lists = await Promise.all(
      (["ERROR", "TIMEOUT"] as const).map(async (state) => (await listExecutions({ ...query, state })).data),
    );
    return lists
      .flat()
      .filter(({ updatedDate }) => updatedDate >= since)
      .toSorted((a, b) => (a.updatedDate > b.updatedDate ? -1 : 1))
      .slice(0, maxFailures);
  }

  return {
    async get({ range, agentId, reach }) {
      const { parts, hours } = cuts[range];
      const startMs = endMs() - parts * hours * hourMs;
      const filter = { since: toMoment(startMs), agentId, reach };
      const [byHour, busy, p95DurationMs, running, waiting, latestFailures] = await Promise.all([
        sumByHour(read, filter),
        sumByAgent(read, filter, maxAgents),
        findDuration(read, filter, 0.95),
        countRunning(read, filter),
        countAsking(read, reach),
        listFailures(filter),
      ]);
      return {
        range,
        ...totalsOf(byHour),
        running,
        waiting,
        p95DurationMs,
        volume: toVolume(byHour, { startMs, parts, partMs: hours * hourMs }),
        agents: busy.map(({ agentId: agentflowId, agentName, runs, failures, tokens: totalTokens }) => ({
          agentflowId,
          agentName,
          runs,
          failures,
          totalTokens,
        })),
        latestFailures,
      };
    },
    async listByAgent(reach) {
      const firstMs = endMs() - daysOfWeek * dayMs;
      const first = toMoment(firstMs);
      const later = Array.from({ length: daysOfWeek - 1 }, (_, index) => toMoment(firstMs + (index + 1) * dayMs));
      const starts = [first, ...later] as const;
      const [sums, lastRuns] = await Promise.all([
        sumByAgentAndPart(read, { starts, reach }),
        listLastRuns(read, reach),
      ]);
      const byAgent = Map.groupBy(sums, ({ agentId }) => agentId);
      return lastRuns.map(({ agentId, id, updatedDate, ...run }) => ({
        agentflowId: agentId,
        ...toWeek(starts, byAgent.get(agentId) ?? []),
        lastRun: { id, state: stateOf(run), updatedDate },
      }));
    },
  };
}

/** Sums by day, and in total. */
function toWeek(starts: readonly string[], sums: readonly PartSums[]) {
  const volume = starts.map((startDate, index) => {
    const { runs = 0, failures = 0 } = sums.find(({ part }) => part === index) ?? {};
    return { startDate, runs, failures };
  });
  const sumOf = (key: "runs" | "failures") => volume.reduce((sum, day) => sum + day[key], 0);
  return { runs: sumOf("runs"), failures: sumOf("failures"), volume };
}

function totalsOf(hours: readonly HourSums[]) {
  const sumOf = (key: "runs" | "failures" | "tokens" | "unpriced") => hours.reduce((sum, hour) => sum + hour[key], 0);
  const known = hours.flatMap(({ nanos }) => nanos ?? []);
  return {
    runs: sumOf("runs"),
    failures: sumOf("failures"),
    totalTokens: sumOf("tokens"),
    costDollars: known.length === 0 ? null : toDollars(known.reduce((sum, nanos) => sum + nanos, 0)),
    unpricedRuns: sumOf("unpriced"),
  };
}

function toVolume(hours: readonly HourSums[], cut: { startMs: number; parts: number; partMs: number }) {
  const volume = Array.from({ length: cut.parts }, (_, index) => ({
    startDate: toMoment(cut.startMs + index * cut.partMs),
    runs: 0,
    failures: 0,
  }));
  for (const { hour, runs, failures } of hours) {
    // Another process's clock may be ahead.
    const at = Math.floor((Date.parse(`${hour}:00:00Z`) - cut.startMs) / cut.partMs);
    const part = volume[Math.min(at, cut.parts - 1)];
    if (part === undefined) continue;
    part.runs += runs;
    part.failures += failures;
  }
  return volume;
}
