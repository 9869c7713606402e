import { defineRoute, type Route } from "@weft/http";
import { readingReachOf } from "@weft/http/identity";
import { agentStatsSchema, statsRangeSchema, statsSchema } from "@weft/schema";
import { z } from "zod";
import type { StatsService } from "./stats.service.ts";

export function statsRoutes(stats: StatsService): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/stats",
      operationId: "getStats",
      summary: "Get what happened lately: runs, failures, durations, tokens and costs",
      description:
        "A run counts in the hour in which it ended or paused, over whole hours up to now. An API key sees the runs that it reaches.",
      tag: "executions",
      permission: "executions:read",
      query: z.object({
        range: statsRangeSchema.default("24h"),
        agentflowId: z.uuid().optional().meta({ description: "Only runs of this agent." }),
      }),
      returns: { schema: statsSchema },
      errors: [400],
      handle: ({ query: { range, agentflowId }, identity }) =>
        stats.get({ range, agentId: agentflowId, reach: readingReachOf(identity) }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/stats/agents",
      operationId: "listAgentStats",
      summary: "List how each agent fared in the last seven days, and its last run",
      description:
        "Runs are counted as in `GET /stats`, in seven days of whole hours up to now. Agents that never ran are left out. An API key sees the runs that it reaches.",
      tag: "executions",
      permission: "executions:read",
      returns: { schema: z.array(agentStatsSchema) },
      errors: [],
      handle: ({ identity }) => stats.listByAgent(readingReachOf(identity)),
    }),
  ];
}
