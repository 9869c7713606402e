export { type ConvertedFlow, convertAgentFlowV2 } from "./convert-agentflow-v2.ts";
export { isObject, toObjects } from "./foreign-flow.ts";
export { nodeTable } from "./node-table.ts";
export { type InputOverride, overrideInput } from "./override-input.ts";
