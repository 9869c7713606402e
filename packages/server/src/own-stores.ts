import type { AgentService } from "@weft/agents";
import { ownStoresOf } from "@weft/dialects";
import { type OwnStores, resolveStoreId } from "@weft/document-stores";
import {
  type Agent,
  type Finding,
  type Flow,
  type FlowDocument,
  isJsonObject,
  type Json,
  type OwnStore,
} from "@weft/schema";

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

/** The flow with the ids of the agent's own stores in place of references to them. */
export function withOwnStoreIds<Steps extends { nodes: Flow["nodes"] }>(
  flow: Steps,
  agentId: string,
): Omit<Steps, "nodes"> & Pick<FlowDocument, "nodes"> {
  return { ...flow, nodes: flow.nodes.map((node) => ({ ...node, config: resolveIn(node.config, agentId) })) };
}

function resolveIn<Value extends Json>(value: Value, agentId: string): Value;
function resolveIn(value: Json, agentId: string): Json {
  if (Array.isArray(value)) return value.map((item) => resolveIn(item, agentId));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, setting]): [string, Json] =>
    name === "storeId" && typeof setting === "string"
      ? [name, resolveStoreId(setting, agentId)]
      : [name, resolveIn(setting, agentId)],
  );
  return Object.fromEntries(entries);
}

/** What keeps the stores that a flow describes from being filled. `agentId`: the agent that has the flow, if there is one. */
export async function checkOwnStores(
  stores: readonly OwnStore[],
  problems: OwnStores["problems"],
  agentId?: string,
): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const store of stores) {
    for (const problem of await problems(store, agentId)) {
      const message = `The document store of "${store.label}" is not complete: ${problem} Correct it under Document stores before you upsert it.`;
      found.push({ level: "warning", code: "store-incomplete", nodeId: null, message });
    }
  }
  return found;
}
