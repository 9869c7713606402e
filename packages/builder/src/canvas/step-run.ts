import type { Execution, ExecutionStep } from "@weft/client";
import type { Json } from "@weft/schema";
import { canvasStrings } from "../strings.ts";
import { formatCost, formatDuration } from "../ui/content/format.ts";

/** A step's result in a run; for a step that ran several times, all passes together and the values of the last one. */
export type StepRun = {
  executionId: string;
  /** Of the last pass. */
  nodeKey: string;
  /** It was run alone, or from a step on, as a trial. */
  isTrial: boolean;
  status: ExecutionStep["status"];
  passes: number;
  durationMs: number;
  tokens: number;
  /** Null: the price of a call is unknown, or there were no calls. */
  costDollars: number | null;
  /** Its own input, or that of its first call. Null: it has none. */
  input: Json;
  output: Json;
  error: string | undefined;
};

type TriedRun = Pick<Execution, "id" | "steps" | "replayedFrom">;

/** By step id. */
export function toStepRuns(run: TriedRun): Map<string, StepRun> {
  const byNode = Map.groupBy(run.steps, ({ nodeId }) => nodeId);
  return new Map(
    [...byNode].flatMap(([nodeId, passes]) => {
      const last = passes.at(-1);
      return last === undefined ? [] : [[nodeId, toStepRun(run, passes, last)]];
    }),
  );
}

/** One line: number of passes, duration and usage. */
export function toFacts({ durationMs, tokens, costDollars, passes }: StepRun): string {
  return [
    ...(passes > 1 ? [`${passes} ×`] : []),
    formatDuration(durationMs),
    ...(tokens > 0 ? [canvasStrings.lastRun.tokens({ count: tokens })] : []),
    ...(tokens > 0 && costDollars !== null ? [formatCost(costDollars)] : []),
  ].join(" · ");
}

function toStepRun({ id, replayedFrom }: TriedRun, passes: readonly ExecutionStep[], last: ExecutionStep): StepRun {
  const sum = (of: (step: ExecutionStep) => number) => passes.reduce((total, step) => total + of(step), 0);
  return {
    executionId: id,
    nodeKey: last.nodeKey,
    isTrial: replayedFrom !== null,
    status: last.status,
    passes: passes.length,
    durationMs: sum(({ durationMs }) => durationMs ?? 0),
    tokens: sum(({ usage }) => usage.totalTokens),
    costDollars: costOf(passes),
    input: last.input ?? last.effects[0]?.input ?? null,
    output: last.output,
    error: last.error?.message,
  };
}

function costOf(passes: readonly ExecutionStep[]): number | null {
  const costs = passes.map(({ costDollars }) => costDollars);
  return costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
}
