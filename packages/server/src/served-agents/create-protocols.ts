import type { Clock, IdSource } from "@weft/engine";
import type { AgentService } from "../agents/agent.service.ts";
import type { AgentPolicies } from "../http/agent-policy.ts";
import { isShared } from "../http/cors.ts";
import type { McpRouteDeps } from "../mcp/mcp.routes.ts";
import { createMcpService } from "../mcp/mcp.service.ts";
import { createCompletionService } from "../openai-compatible/completions.service.ts";
import type { OpenAiRouteDeps } from "../openai-compatible/openai.routes.ts";
import type { PredictionService } from "../predictions/prediction.service.ts";
import { version } from "../version.ts";
import { createServedAgents, type ServedAgentsDeps } from "./served-agents.service.ts";

export type ProtocolDeps = Omit<ServedAgentsDeps, "listDeployed"> & {
  agents: Pick<AgentService, "listDeployed">;
  predictions: Pick<PredictionService, "begin">;
  findApiKeyId(key: string): Promise<string | undefined>;
  agentPolicies: AgentPolicies;
  corsOrigins: readonly string[];
  clock: Pick<Clock, "now">;
  ids: IdSource;
};

/** Agents through the protocols of others: as tools of MCP, and as models of OpenAI's API. */
export function createProtocols(deps: ProtocolDeps): { mcp: McpRouteDeps; openAi: OpenAiRouteDeps } {
  const { predictions, findApiKeyId, agentPolicies, clock, ids } = deps;
  const agents = createServedAgents({ ...deps, listDeployed: deps.agents.listDeployed });
  return {
    mcp: {
      mcp: createMcpService({ agents, predictions, ids, version }),
      agents,
      findApiKeyId,
      allowsOrigin(origin, agentId) {
        const ofAgent = agentId === undefined ? {} : { findPolicy: () => agentPolicies.find(agentId) };
        return isShared(deps, ofAgent, origin);
      },
    },
    openAi: { completions: createCompletionService({ agents, predictions, clock, ids }), agents, findApiKeyId },
  };
}
