export { type ConvertedFlow, convertAgentFlowV2 } from "./convert-agentflow-v2.ts";
export { toObjects } from "./foreign-flow.ts";
export { parseLenientJson } from "./lenient-json.ts";
export { convertModel, toCredential } from "./models/to-model-settings.ts";
export { createReport, present, type Report, reportUnder } from "./node-converter.ts";
export { nodeTable } from "./node-table.ts";
export { type InputOverride, overrideInput } from "./override-input.ts";
export { createSettings, type Settings } from "./settings.ts";
export { convertTool, silentSettings } from "./tools/tool-table.ts";
