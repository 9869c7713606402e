export { toExecutedData } from "./executed-data.ts";
export { executionRoutes } from "./execution.routes.ts";
export { createExecutionService, type ExecutionService, type LoadedExecution } from "./execution.service.ts";
export { createExecutionTotals } from "./execution.store.ts";
export { createExecutionControl, type ExecutionControl, type ForgottenRun } from "./execution-control.ts";
export { addImportedRuns, type ImportedRun } from "./imported-runs.ts";
export {
  createPersonalRuns,
  type PersonalChat,
  type PersonalRun,
  type PersonalRuns,
  type PersonKey,
} from "./personal-runs.ts";
export type { ReplaySources } from "./replay.ts";
export { createRetention, findOverdue } from "./retention.ts";
export { statsRoutes } from "./stats.routes.ts";
export { createStatsService, type StatsService } from "./stats.service.ts";
