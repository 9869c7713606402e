export { assertKey, type Caller, type CarriedKey, createRunnables, opens, type Runnables } from "./admit.ts";
export { type Ask, renderQuestion } from "./ask.ts";
export { type AttachService, createAttachService } from "./attach.service.ts";
export { createCaller } from "./caller.ts";
export { createChildRuns } from "./child-runs.ts";
export { findClosedOverrides } from "./find-closed-overrides.ts";
export { createOpenStreams } from "./open-streams.ts";
export { type PredictionRouteDeps, predictionRoutes } from "./prediction.routes.ts";
export {
  type BeginOnceDeps,
  beginOnce,
  createPredictionService,
  type PredictionService,
} from "./prediction.service.ts";
export { endError, presentJson } from "./present-json.ts";
export { withNodeConfig } from "./resolve-input.ts";
export { createTranscriber } from "./transcriber.ts";
