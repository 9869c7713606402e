import {
  defaultBudget,
  isJsonObject,
  type Json,
  type RunBudgetFacts,
  type Usage,
  usageOf,
  WeftError,
} from "@weft/schema";
import { RunFailure } from "../errors.ts";
import type { EffectSpec, RunInfo } from "../node-type.ts";
import type { BudgetedRun, RunBudgets, RunUse } from "../ports/budget.ts";
import type { RunState } from "./run-state.ts";

/**
 * What one run may still use. A run on its own counts by its journal, which is complete; one that calls agents, or is
 * called, counts with the others (`RunBudgets`).
 */
export type RunBudget = {
  /** Takes a step. Rejects or throws with the error that ends the run; undefined if taken without waiting. */
  takeStep(): Promise<void> | undefined;
  /** Takes the call that an effect makes. Undefined if it costs nothing. */
  takeCall(spec: EffectSpec): Promise<TakenCall> | TakenCall | undefined;
  /** Call before another run draws on the same budget. */
  share(): Promise<void>;
};

/** `settle`: reports the call as finished, with its outcome. */
type TakenCall = { settle(value: Json | undefined): Promise<void> | undefined };

type RunBudgetOptions = {
  /** Absent: every run counts on its own. */
  budgets?: RunBudgets | undefined;
  info: Pick<RunInfo, "runId" | "depth" | "budget">;
  state: Pick<RunState, "usage" | "steps" | "calls">;
  limits: RunLimits;
  /** Other runs already draw on the same budget. */
  isShared: boolean;
};

export function createRunBudget({ budgets, info, state, limits, isShared }: RunBudgetOptions): RunBudget {
  const most = toMost(limits);
  const run: BudgetedRun = { rootRunId: info.budget?.rootRunId ?? info.runId, most };
  let shared = isShared ? budgets : undefined;
  /** Of calls in progress. */
  let reservedTokens = 0;

  const usedAlone = (): RunUse => ({
    modelCalls: state.calls.model,
    toolCalls: state.calls.tool,
    steps: state.steps,
    tokens: state.usage.totalTokens + reservedTokens,
  });

  function takeAlone(use: RunUse): void {
    const used = usedAlone();
    for (const name of runAmounts) {
      if (use[name] > 0 && used[name] + use[name] > most[name]) throw budgetSpent(name, most[name]);
    }
  }

  function takeModelCall(spec: EffectSpec): Promise<TakenCall> | TakenCall {
    const reserved = { model: spec.name, usage: spec.expects ?? usageOf(0, 0) };
    const { totalTokens } = reserved.usage;
    const use = { ...nothing, modelCalls: 1, tokens: totalTokens };
    const settleWith = (accounts: RunBudgets | undefined): TakenCall => ({
      settle(value) {
        reservedTokens -= totalTokens;
        // A reservation made alone may have been shared since.
        return (accounts ?? shared)?.settle(run, reserved, usageIn(value));
      },
    });
    const accounts = shared ?? (info.budget?.isCounted ? budgets : undefined);
    if (shared === undefined) takeAlone(use);
    reservedTokens += totalTokens;
    if (accounts === undefined) return settleWith(undefined);
    return accounts.take(run, use, reserved).then(
      () => settleWith(accounts),
      (cause: unknown) => {
        reservedTokens -= totalTokens;
        throw cause;
      },
    );
  }

  return {
    takeStep() {
      const use = { ...nothing, steps: 1 };
      return shared === undefined ? void takeAlone(use) : shared.take(run, use);
    },
    takeCall(spec) {
      if (spec.category === "model") return takeModelCall(spec);
      if (spec.category !== "tool") return undefined;
      const use = { ...nothing, toolCalls: 1 };
      if (shared) return shared.take(run, use).then(() => nothingToSettle);
      takeAlone(use);
      return nothingToSettle;
    },
    async share() {
      if (shared !== undefined || budgets === undefined) return;
      await budgets.share(run, usedAlone());
      shared = budgets;
    },
  };
}

const nothing: RunUse = { modelCalls: 0, toolCalls: 0, steps: 0, tokens: 0 };
const nothingToSettle: TakenCall = { settle: () => undefined };

const runAmounts = ["modelCalls", "toolCalls", "steps", "tokens"] as const;

const codes = {
  modelCalls: "budget-model-calls",
  toolCalls: "budget-tool-calls",
  steps: "budget-steps",
  tokens: "budget-tokens",
} as const;

export function budgetSpent(name: keyof RunUse, limit: number): WeftError {
  return new WeftError(codes[name], { params: { limit } });
}

/** True for errors that end a run, however its steps handle failures. */
export function isBudgetError(cause: unknown): boolean {
  const code = cause instanceof RunFailure ? cause.error.code : cause instanceof WeftError ? cause.code : "";
  return code.startsWith("budget-");
}

function toMost({ maxModelCalls, maxToolCalls, maxSteps, maxTokens }: RunLimits): RunUse {
  return { modelCalls: maxModelCalls, toolCalls: maxToolCalls, steps: maxSteps, tokens: maxTokens };
}

/** The usage that a model's answer reports; none for a failed call. */
export function usageIn(value: Json | undefined): Usage {
  if (!isJsonObject(value) || !isJsonObject(value.usage)) return usageOf(0, 0);
  const { inputTokens, outputTokens, totalTokens } = value.usage;
  return {
    inputTokens: Number(inputTokens ?? 0),
    outputTokens: Number(outputTokens ?? 0),
    totalTokens: Number(totalTokens ?? 0),
  };
}

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
