export { type ConvertedFlow, convertAgentFlowV2 } from "./agentflow-v2/convert-agentflow-v2.ts";
export { type InputOverride, overrideInput } from "./agentflow-v2/override-input.ts";
export * from "./read-flow.ts";
export * from "./recognise.ts";
