import { defaultBudget, type RunBudgetFacts } from "@weft/schema";

/** Bounds of one run. Each ends it in a clear terminal state. */
export type RunLimits = {
  /** Node executions, the items of a sub-flow included. */
  maxSteps: number;
  /** From the start, or from the resumption, to the end. */
  wallTimeMs: number;
  /** Nodes that run at once. */
  concurrency: number;
  /** Of the run and all that it starts, as `maxSteps` is. */
  maxModelCalls: number;
  maxToolCalls: number;
  maxTokens: number;
};

const { modelCalls, toolCalls, tokens, steps, minutes } = defaultBudget.run;

export const defaultRunLimits: RunLimits = {
  maxSteps: steps,
  wallTimeMs: minutes * 60_000,
  concurrency: 4,
  maxModelCalls: modelCalls,
  maxToolCalls: toolCalls,
  maxTokens: tokens,
};

/** The limits of a run, as its own budget says; its time is never longer than the process allows. */
export function limitsOf(usual: RunLimits, { limits }: RunBudgetFacts = {}): RunLimits {
  const { modelCalls, toolCalls, tokens, steps, minutes } = limits ?? {};
  return {
    ...usual,
    ...(modelCalls !== undefined && { maxModelCalls: modelCalls }),
    ...(toolCalls !== undefined && { maxToolCalls: toolCalls }),
    ...(tokens !== undefined && { maxTokens: tokens }),
    ...(steps !== undefined && { maxSteps: steps }),
    ...(minutes !== undefined && { wallTimeMs: Math.min(minutes * 60_000, usual.wallTimeMs) }),
  };
}
