import { z } from "zod";
import { executionStateSchema, executionSummarySchema } from "./execution.ts";

export const statsRangeSchema = z.enum(["24h", "7d", "30d"]);
export type StatsRange = z.infer<typeof statsRangeSchema>;

const count = z.number().int().nonnegative();

const counts = {
  runs: count.meta({ description: "Runs that ended or paused in this time." }),
  failures: count.meta({ description: "Runs among them that failed or timed out." }),
};

/** Statistics for a range of time up to now. */
export const statsSchema = z
  .object({
    range: statsRangeSchema,
    ...counts,
    running: count.meta({ description: "Runs that are running now." }),
    waiting: count.meta({ description: "Runs that wait for a person now." }),
    p95DurationMs: z
      .number()
      .nullable()
      .meta({ description: "95 of 100 runs that finished or failed took at most this long; null without any." }),
    totalTokens: count,
    costDollars: z
      .number()
      .nullable()
      .meta({ description: "Sum of the runs whose cost is known, in US dollars; null without any." }),
    unpricedRuns: count.meta({ description: "Runs that used tokens of a model without a known price." }),
    volume: z
      .array(z.object({ startDate: z.string(), ...counts }))
      .meta({ description: "Equal parts of the range, the oldest first: 24 hours, 28 quarters of a day, or 30 days." }),
    agents: z
      .array(z.object({ agentflowId: z.string(), agentName: z.string().nullable(), ...counts, totalTokens: count }))
      .meta({ description: "The ten agents with most runs." }),
    latestFailures: z.array(executionSummarySchema).meta({ description: "Five at most, the latest first." }),
  })
  .meta({ id: "Stats" });
export type Stats = z.infer<typeof statsSchema>;

/** An agent's last seven days, and its last run at any time. */
export const agentStatsSchema = z
  .object({
    agentflowId: z.string(),
    ...counts,
    volume: z
      .array(z.object({ startDate: z.string(), ...counts }))
      .meta({ description: "The seven days up to now, the oldest first." }),
    lastRun: z
      .object({ id: z.string(), state: executionStateSchema, updatedDate: z.string() })
      .meta({ description: "The run that was updated last, even before these days." }),
  })
  .meta({ id: "AgentStats" });
export type AgentStats = z.infer<typeof agentStatsSchema>;
