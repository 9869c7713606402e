export type { ActiveRun, AdmittedRun, DrivenRun, NewRun, ReceivedMessage, WithoutRun } from "./admission.ts";
export { type Answerer, type AnswerRequest, type AnswerService, createAnswerService } from "./answer.service.ts";
export { createLoopDelay, type LoopDelay } from "./loop-delay.ts";
export { questionsOf, type RunSignal, waitsOf } from "./resume-run.ts";
export { createRunService, type RunService } from "./run.service.ts";
export { allOf, createRunBroadcast, type RunBroadcast } from "./run-broadcast.ts";
export type { HostObserver, Resolvers, RunHooks, RunWatcher } from "./run-hooks.ts";
export { createRunTail, type RunTail } from "./run-tail.ts";
export { createTurnstile } from "./turnstile.ts";
