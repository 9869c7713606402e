import type { NodeConverter } from "./node-converter.ts";
import { agent } from "./nodes/agent.ts";
import { condition, conditionAgent } from "./nodes/condition.ts";
import { http } from "./nodes/http.ts";
import { plainNodes } from "./nodes/plain-nodes.ts";
import { start } from "./nodes/start.ts";
import { tool } from "./nodes/tool.ts";

/** Every node of AgentFlow V2 by the name of its component. */
export const nodeTable: ReadonlyMap<string, NodeConverter> = new Map(
  Object.entries({
    startAgentflow: start,
    agentAgentflow: agent,
    toolAgentflow: tool,
    conditionAgentflow: condition,
    conditionAgentAgentflow: conditionAgent,
    httpAgentflow: http,
    ...plainNodes,
  }),
);
