import { defaultBudget, type RunBudgetFacts } from "@weft/schema";

/** Limits of one run. Each ends it in a clear terminal state. */
export type RunLimits = {
  /** Node executions, including the items of a sub-flow. */
  maxSteps: number;
  /** From the start, or the resumption, to the end. */
  wallTimeMs: number;
  concurrency: number;
  /** Of the run and everything it starts, like `maxSteps`. */
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

/** A run's limits with its own budget applied; its time never exceeds what the process allows. */
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
