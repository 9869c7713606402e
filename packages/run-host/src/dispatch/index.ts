export { type Backlog, type BacklogRun, createBacklog, maxWaitingOfSession, sessionAtCapacity } from "./backlog.ts";
export { createDatabaseDispatcher, type Dispatcher } from "./dispatcher.ts";
export { openRedisDispatch, type RedisDispatch } from "./queue-dispatcher.ts";
export { createRunRelay, type RunRelay, type RunRelayDeps } from "./run-relay.ts";
export { createLimits } from "./shared-limits.ts";
