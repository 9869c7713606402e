import type { AgentService } from "@weft/agents";
import { ownStoresOf } from "@weft/dialects";
import { type OwnStores, resolveStoreId } from "@weft/document-stores";
import { nodeRegistry } from "@weft/nodes";
import {
  type Agent,
  type Finding,
  type Flow,
  type FlowDocument,
  isJsonObject,
  type Json,
  type JsonObject,
  keyOfOwnStore,
  type OwnStore,
} from "@weft/schema";
import { findComponent, referencesOfFlow } from "./references/index.ts";

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
  const own = referencesOfFlow(flow, nodeRegistry, findComponent).filter(
    ({ kind, id }) => kind === "document-store" && keyOfOwnStore(id) !== undefined,
  );
  const ofNode = Map.groupBy(own, ({ nodeId }) => nodeId);
  const nodes = flow.nodes.map((node) => {
    const references = ofNode.get(node.id) ?? [];
    const resolved = references.reduce<Json>(
      (config, { path, id }) => withValueAt(config, path, resolveStoreId(id, agentId)),
      node.config,
    );
    return { ...node, config: resolved as JsonObject };
  });
  return { ...flow, nodes };
}

/** The settings with another value at a path that they have. */
function withValueAt(settings: Json, [key, ...rest]: readonly string[], value: Json): Json {
  if (key === undefined) return value;
  if (Array.isArray(settings))
    return settings.with(Number(key), withValueAt(settings[Number(key)] ?? null, rest, value));
  return isJsonObject(settings) ? { ...settings, [key]: withValueAt(settings[key] ?? null, rest, value) } : settings;
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
