import type { Clock, IdSource } from "@weft/engine";
import { type AgentPolicies, isShared } from "@weft/http";
import type { AgentService } from "./agents/index.ts";
import { createMcpService, type McpRouteDeps } from "./mcp/index.ts";
import { createCompletionService } from "./openai-compatible/completions.service.ts";
import type { OpenAiRouteDeps } from "./openai-compatible/openai.routes.ts";
import type { CarriedKey, PredictionService } from "./predictions/index.ts";
import { createServedAgents, type ServedAgentsDeps } from "./served-agents/served-agents.service.ts";
import { version } from "./version.ts";

export type ProtocolDeps = Omit<ServedAgentsDeps, "listNamed"> & {
  agents: Pick<AgentService, "listSettings">;
  predictions: Pick<PredictionService, "begin" | "openStream">;
  findApiKey(key: string): Promise<CarriedKey | undefined>;
  agentPolicies: AgentPolicies;
  corsOrigins: readonly string[];
  clock: Pick<Clock, "now">;
  ids: IdSource;
};

/**
 * Agents through the protocols of others. As models of OpenAI's API all have a name: a person picks one. As tools of MCP
 * those that are deployed have one: a model reads them all.
 */
export function createProtocols(deps: ProtocolDeps): { mcp: McpRouteDeps; openAi: OpenAiRouteDeps } {
  const { predictions, findApiKey, agentPolicies, clock, ids } = deps;
  const { listSettings } = deps.agents;
  const models = createServedAgents({ ...deps, listNamed: listSettings });
  const agents = createServedAgents({
    ...deps,
    listNamed: async () => (await listSettings()).filter(({ deployed }) => deployed === 1),
  });
  return {
    mcp: {
      mcp: createMcpService({ agents, predictions, ids, version }),
      agents,
      findApiKey,
      allowsOrigin(origin, agentId) {
        const ofAgent = agentId === undefined ? {} : { findPolicy: () => agentPolicies.find(agentId) };
        return isShared(deps, ofAgent, origin);
      },
    },
    openAi: {
      completions: createCompletionService({ agents: models, predictions, clock, ids }),
      agents: models,
      findApiKey,
    },
  };
}
