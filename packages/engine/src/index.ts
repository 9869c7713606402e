export { HostUnavailableError, isExpected, isTransientFailure, RunFailure, toRunError } from "./errors.ts";
export { checkVariables, formSchemaOf } from "./flow/check-templates.ts";
export {
  type CompiledFlow,
  compileFlow,
  compileNode,
  reviewNodes,
  toFinding,
  type WithGraph,
  whyNotRunnable,
} from "./flow/compile-flow.ts";
export { valueAt } from "./flow/find-refusals.ts";
export type { GraphNode } from "./flow/graph.ts";
export { reachableFrom } from "./flow/graph-level.ts";
export { parseFlow } from "./flow/parse-flow.ts";
export { type Component, everyOne, type FindComponent, type Reference, referencesOf } from "./references.ts";
export { applyEvent } from "./run/fold.ts";
export { dueWaits, endBySignal, endByTime, type OpenWait, openQuestions, openWaits } from "./run/readiness.ts";
export { type ChangedOutput, type ReplayPoint, replayFrom } from "./run/replay.ts";
export { budgetSpent, defaultRunLimits } from "./run/run-budget.ts";
export { linkSignal } from "./run/run-context.ts";
export { confidenceMs } from "./run/run-journal.ts";
export { betweenMessages, emptyRunState, type RunState, turnText } from "./run/run-state.ts";
export type { RunOutcome } from "./scheduler.ts";
export { type EngineDeps, type Resumption, type RunHandle, type StartRunOptions, startRun } from "./start-run.ts";
