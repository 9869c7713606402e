export {
  createExecutionControl,
  createExecutionService,
  createRetention,
  type ExecutionControl,
  type ExecutionService,
  executionRoutes,
  type LoadedExecution,
  toExecutedData,
} from "./executions/index.ts";
export type { ActiveRun } from "./host/index.ts";
export {
  type AnswerRequest,
  type AnswerService,
  type BeginRun,
  bothOf,
  createAnswerService,
  createRunBroadcast,
  createRunService,
  createRunTail,
  createTurnstile,
  type Resolvers,
  type RunBroadcast,
  type RunHooks,
  type RunService,
  type RunTail,
  runLeaseMs,
  waitsOf,
} from "./host/index.ts";
export {
  askerOf,
  builtInPrefix,
  callerShareOf,
  createRunStore,
  createRunTailStore,
  createSessionTurns,
  findOverdue,
  isBuiltIn,
  noAgentId,
  type ProjectRun,
  type RunStore,
  type RunTailStore,
  type RunTurn,
  readFlowState,
  readRunInput,
  type SessionTurns,
  shareOf,
  toAction,
  toSummary,
  turnOf,
} from "./journal/index.ts";
export { createPoller, type Poller } from "./poller.ts";
export { systemClock } from "./system-clock.ts";
export { uuidOf } from "./uuid-of.ts";
