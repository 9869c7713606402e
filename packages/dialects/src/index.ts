export { type ConvertedFlow, convertAgentFlowV2, type InputOverride, overrideInput } from "./agentflow-v2/index.ts";
export * from "./read-flow.ts";
export * from "./recognise.ts";
