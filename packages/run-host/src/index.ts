export type { AdmittedRunBudget, BudgetRefusal, Budgets, Spender, SpentOnce } from "./budgets/index.ts";
export { createLimits, openRedisDispatch, type RedisDispatch } from "./dispatch/index.ts";
export {
  addImportedRuns,
  createExecutionService,
  createPersonalRuns,
  type ExecutionControl,
  type ExecutionService,
  executionRoutes,
  findOverdue,
  type ImportedRun,
  type LoadedExecution,
  type PersonalChat,
  type PersonalRun,
  type PersonalRuns,
  type PersonKey,
  statsRoutes,
  toExecutedData,
} from "./executions/index.ts";
export {
  type ActiveRun,
  type AdmittedRun,
  type AnswerRequest,
  type AnswerService,
  allOf,
  createRunBroadcast,
  createRunTail,
  createTurnstile,
  type DrivenRun,
  type HostObserver,
  type NewRun,
  questionsOf,
  type ReceivedMessage,
  type Resolvers,
  type RunBroadcast,
  type RunHooks,
  type RunService,
  type RunTail,
  type RunWatcher,
  type WithoutRun,
  waitsOf,
} from "./host/index.ts";
export {
  type CostOf,
  createRunStore,
  createRunTailStore,
  eventColumns,
  type FollowUp,
  firstTurn,
  fromEventRow,
  holdRun,
  type ProjectRun,
  type RunTailStore,
  type RunTurn,
  readFlowState,
  readRunInput,
  toAction,
  turnOf,
} from "./journal/index.ts";
export { createPoller, type DueAnnouncer, type DueWork, type Poller } from "./poller.ts";
export { createRunHost, type Role, type RunEnvironment, type RunHost } from "./run-host.ts";
export type { RunRow } from "./run-tables.ts";
export { defaultLeaseMs, shortestLeaseMs } from "./run-timings.ts";
export { anonymousOwner, askerOf, builtInPrefix, callerShareOf, noAgentId, shareOf } from "./share-of.ts";
export { systemClock } from "./system-clock.ts";
export { uuidOf } from "./uuid-of.ts";
