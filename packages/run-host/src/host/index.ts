export { type Answerer, type AnswerRequest, type AnswerService, createAnswerService } from "./answer.service.ts";
export { waitsOf } from "./resume-run.ts";
export { type BeginRun, createRunService, type RunService, runLeaseMs } from "./run.service.ts";
export { createRunBroadcast, type RunBroadcast } from "./run-broadcast.ts";
export { bothOf, type Resolvers, type RunHooks } from "./run-hooks.ts";
export { createRunTail, type RunTail } from "./run-tail.ts";
export type { ActiveRun } from "./run-tracker.ts";
export { createTurnstile } from "./turnstile.ts";
