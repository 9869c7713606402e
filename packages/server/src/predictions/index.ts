export type { AttachService } from "./attach.service.ts";
export { createAutoPlay } from "./auto-play.ts";
export {
  assertKey,
  type Caller,
  type CarriedKey,
  createCaller,
  createRunnables,
  opens,
  type Runnables,
} from "./caller.ts";
export { createChildRuns } from "./child-runs.ts";
export { readDraft } from "./draft-run.ts";
export { createFollowUps } from "./follow-ups.service.ts";
export { type Message, renderQuestion } from "./message.ts";
export { findClosedOverrides } from "./override-permissions.ts";
export { predictionsFeature } from "./prediction.routes.ts";
export { createPredictions, type PredictionService } from "./prediction.service.ts";
export { endError, presentJson } from "./present-json.ts";
export { withNodeConfig } from "./resolve-input.ts";
