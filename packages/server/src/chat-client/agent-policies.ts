import type { RunnableAgent } from "@weft/agents";
import type { AgentPolicies } from "../access/index.ts";
import { parseOriginSettings, parseRateLimit } from "./parse-settings.ts";

export type AgentPoliciesDeps = {
  /** Undefined for an unknown agent. */
  findSettings(agentId: string): Promise<RunnableAgent["agent"] | undefined>;
  allowPublicFlows: boolean;
  /** Writes to public agents without credentials, each minute and from each address; 0: any number. */
  publicRateLimit: number;
};

/** The rules for chat clients that agents' settings make. They hold from the moment in which they are saved. */
export function createAgentPolicies({
  findSettings,
  allowPublicFlows,
  publicRateLimit,
}: AgentPoliciesDeps): AgentPolicies {
  return {
    hasOpenAgents: allowPublicFlows,
    openLimit: publicRateLimit === 0 ? undefined : { requests: publicRateLimit, windowMs: 60_000 },
    async find(agentId) {
      const agent = await findSettings(agentId.toLowerCase());
      return (
        agent && {
          agentId: agent.id,
          agent,
          isOpen: allowPublicFlows && agent.isPublic === 1,
          predictionLimit: parseRateLimit(agent.apiConfig),
          ...parseOriginSettings(agent.chatbotConfig),
        }
      );
    },
  };
}
