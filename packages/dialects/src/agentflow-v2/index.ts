export { type ConvertedFlow, convertAgentFlowV2 } from "./convert-agentflow-v2.ts";
export { toObjects } from "./foreign-flow.ts";
export { nodeTable } from "./node-table.ts";
export { overrideInput } from "./override-input.ts";
