import type { AgentService } from "@weft/agents";
import { ownStoresOf } from "@weft/dialects";
import type { OwnStores } from "@weft/document-stores";
import type { Agent } from "@weft/schema";

/**
 * Agents whose document stores are made when their flows are saved, where a flow describes stores in place of naming
 * them. A server that stops in between makes them with the agent's first upsert.
 */
export function keepingStores(agents: AgentService, own: Pick<OwnStores, "make">): AgentService {
  const keep = async (saved: Promise<Agent>): Promise<Agent> => {
    const agent = await saved;
    await own.make(agent, ownStoresOf(agent.flowData));
    return agent;
  };
  return {
    ...agents,
    create: (...args) => keep(agents.create(...args)),
    update: (...args) => keep(agents.update(...args)),
    restore: (...args) => keep(agents.restore(...args)),
  };
}
