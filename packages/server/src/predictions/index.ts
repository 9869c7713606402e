export {
  assertKey,
  type Caller,
  createCaller,
  opens,
} from "./caller.ts";
export { createChildRuns } from "./child-runs.ts";
export { readDraft } from "./draft-run.ts";
export { type Message, renderQuestion } from "./message.ts";
export { findClosedOverrides } from "./override-permissions.ts";
export type { PredictionService } from "./prediction.service.ts";
export { endError, presentJson } from "./present-json.ts";
export { withNodeConfig } from "./resolve-input.ts";
