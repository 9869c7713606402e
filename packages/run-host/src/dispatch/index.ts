export { type Backlog, createBacklog } from "./backlog.ts";
export { createDatabaseDispatcher, type Dispatcher, farMs } from "./dispatcher.ts";
export { openRedisDispatch, type RedisDispatch } from "./queue-dispatcher.ts";
export { createRunIntake } from "./run-intake.ts";
export { createRunRelay, type RunRelay, type RunRelayDeps } from "./run-relay.ts";
export { createLimits } from "./shared-limits.ts";
