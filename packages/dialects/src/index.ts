export { type ConvertedFlow, convertAgentFlowV2, overrideInput } from "./agentflow-v2/index.ts";
export { readFlow } from "./read-flow.ts";
export { recognise } from "./recognise.ts";
