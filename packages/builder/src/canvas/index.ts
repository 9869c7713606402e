export {
  CanvasContext,
  OpenAgentContext,
  type StepTrials,
  StepTrialsContext,
  useCanvas,
  useEditorState,
} from "./canvas-context.ts";
export { FindingsList } from "./findings-list.tsx";
export { FlowCanvas, FlowPreview } from "./flow-canvas.tsx";
export { FlowChoices, useFlowChoices } from "./flow-choices.tsx";
export { useInspector } from "./inspector/use-inspector.ts";
export { type Change, changesTo } from "./model/edits.ts";
export { emptyModel, type FlowModel, toDocument, toModel } from "./model/flow-model.ts";
export { NodePalette } from "./node-palette.tsx";
export { type CanvasSession, createCanvasSession } from "./session/canvas-session.ts";
export { toStepRuns } from "./step-run.ts";
