import type { Usage } from "@weft/schema";
import type { HttpClient } from "./http-client.ts";

/** What a run is about to use, or has used. */
export type RunUse = {
  modelCalls: number;
  toolCalls: number;
  steps: number;
  tokens: number;
};

/** A run that shares limits with others, identified by the root run that a client started. */
export type BudgetedRun = { rootRunId: string; most: RunUse };

/** Tokens of one model, as reserved before a call or reported after it. */
export type ModelUse = { model: string; usage: Usage };

/**
 * Shared usage of runs across all processes, stored where it survives a crash. Usage is reserved atomically, so
 * concurrent runs never exceed the limit.
 */
export type RunBudgets = {
  isShared(rootRunId: string): Promise<boolean>;
  /** Shares the run's limits from now on, counting what it has used so far. Idempotent: later calls change nothing. */
  share(run: BudgetedRun, used: RunUse): Promise<void>;
  /**
   * Reserves for the run, and for its agent and visitor the cost of the model call. Rejects with `budget-…` and
   * reserves nothing.
   */
  take(run: BudgetedRun, use: RunUse, model?: ModelUse): Promise<void>;
  /** Replaces what was reserved for a model call with what it used. */
  settle(run: BudgetedRun, reserved: ModelUse, used: Usage): Promise<void>;
  /** Wraps the client for the run: requests to a host with too many at once wait. */
  limitHttp(rootRunId: string, client: HttpClient): HttpClient;
};
