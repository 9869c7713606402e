import type { Usage } from "@weft/schema";
import type { HttpClient } from "./http-client.ts";

/** What a run is about to take, or has taken. */
export type RunUse = {
  modelCalls: number;
  toolCalls: number;
  steps: number;
  tokens: number;
};

/** A run that shares ceilings with others, by the one that a client asked for. */
export type BudgetedRun = { rootRunId: string; most: RunUse };

/** Tokens of one model, as reserved before a call or reported after it. */
export type ModelUse = { model: string; usage: Usage };

/**
 * What runs of all processes have taken together, kept where a crash does not reach it. What is taken is reserved in one
 * step, so that runs at once never take more than there is.
 */
export type RunBudgets = {
  /** Whether runs share the ceilings of this one. */
  isShared(rootRunId: string): Promise<boolean>;
  /** From now on the ceilings are shared, with what the run has taken by itself so far. Once: later calls change nothing. */
  share(run: BudgetedRun, used: RunUse): Promise<void>;
  /** Takes for the run, and what its model may cost for its agent and visitor. Rejects with `budget-…` and takes nothing. */
  take(run: BudgetedRun, use: RunUse, model?: ModelUse): Promise<void>;
  /** Puts what a model call used in place of what was reserved for it. */
  settle(run: BudgetedRun, reserved: ModelUse, used: Usage): Promise<void>;
  /** The client as the run may use it: requests to a host that has enough of them at once wait. */
  limitHttp(rootRunId: string, client: HttpClient): HttpClient;
};
