import type { CheckedSettings } from "@weft/agents";
import { readFlow, recognise } from "@weft/dialects";
import { type OwnStores, resolveStoreId } from "@weft/document-stores";
import { type CompiledFlow, checkVariables, compileFlow, reviewNodes } from "@weft/engine";
import type { NodeRegistry } from "@weft/engine/node";
import { ifFound } from "@weft/http";
import { integrations } from "@weft/integrations";
import { nodeRegistry } from "@weft/nodes";
import {
  type Finding,
  type Flow,
  type FlowDocument,
  type FlowReading,
  isJsonObject,
  type Json,
  keyOfOwnStore,
  type OwnStore,
  toJsonObject,
} from "@weft/schema";
import { createPause } from "@weft/workers";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";
import { assuming, checkReferences, type KnownReferences, referencesOfFlow } from "../references/index.ts";
import { checkNeeds, type NeedsDeps } from "./check-needs.ts";

/** The credential-naming parts of an agent, and the API key that it is bound to. `id`: of an existing agent. */
type AgentSettings = Partial<CheckedSettings> & { id?: string; flowData: string };

/** Reads flows that need not be stored. Executes nothing and never throws: anything unexpected becomes a finding. */
export type FlowService = {
  /**
   * The findings for a flow of any dialect. `isAssumed`: whether a thing with that id, or a variable of that name, is
   * taken to exist.
   */
  check(
    flowData: string,
    settings?: Omit<AgentSettings, "flowData">,
    isAssumed?: (idOrName: string) => boolean,
  ): Promise<Finding[]>;
  /** The flow in the native format, with the findings of `check`. `agentId`: the agent that has the flow. */
  read(flowData: string, agentId?: string): Promise<FlowReading>;
};

type FlowNeeds = Needs<
  | "apiKeys"
  | "commandServers"
  | "credentials"
  | "destinations"
  | "documentStores"
  | "nodeServices"
  | "runnables"
  | "schedules"
  | "tools"
  | "variables"
>;

export function createFlowService({ database, nodeTypes }: Context, needs: FlowNeeds): FlowService {
  const { apiKeys, commandServers, credentials, destinations, documentStores, runnables, tools } = needs;
  const known: KnownReferences = {
    credential: credentials.has,
    tool: async (id) => (await tools.find(id)) !== undefined,
    agent: (id) => runnables.exists(database.read, id),
    "document-store": async (id) => (await ifFound(documentStores.stores.get(id))) !== undefined,
    "mcp-server": async (name) => commandServers.names.includes(name),
  };
  const wanted: NeedsDeps = { integrations, known, storedTools: tools, services: needs.nodeServices };

  async function compile(
    flowData: string,
    settings: Omit<AgentSettings, "flowData"> = {},
    isAssumed: (idOrName: string) => boolean = () => false,
  ) {
    // A large flow takes time: others are served between the steps.
    const pause = createPause();
    const { compiled, stores } = compileWithStores(flowData, nodeTypes);
    const { flow, graph } = compiled;
    await pause();
    const findings = [...compiled.findings, ...needs.schedules.check(compiled), ...reviewNodes(graph)];
    findings.push(...checkVariables(compiled, Object.keys(await needs.variables.all()), isAssumed));
    await pause();
    const references = referencesOfFlow(flow, nodeTypes);
    findings.push(...(await checkReferences(references, assuming(known, isAssumed))));
    findings.push(...(await checkOwnStores(stores, documentStores.own.problems, settings.id)));
    await pause();
    findings.push(...(await checkNeeds(compiled, wanted)));
    await pause();
    findings.push(...(await destinations.check({ ...settings, flowData })));
    findings.push(...(await checkKey(settings.apikeyid, apiKeys.find)));
    await pause();
    return { flow, findings };
  }
  return {
    check: async (flowData, settings, isAssumed) => (await compile(flowData, settings, isAssumed)).findings,
    async read(flowData, agentId) {
      const pause = createPause();
      const recognised = recognise(flowData);
      await pause();
      const { flow: described, findings } = await compile(flowData, agentId === undefined ? {} : { id: agentId });
      const flow = agentId === undefined ? described : withOwnStoreIds(described, agentId);
      return {
        dialect: recognised.dialect,
        name: "",
        choices: [],
        secrets: [],
        flow: { ...flow, weft: 1, nodes: [...flow.nodes], edges: [...flow.edges] },
        findings,
        flows: recognised.dialect === "workspace" ? recognised.flows : [],
      };
    },
  };
}

/** Finds an agent bound to a missing API key: then no client can open it. */
async function checkKey(apikeyid: string | undefined, findApiKey: FlowNeeds["apiKeys"]["find"]): Promise<Finding[]> {
  if (!apikeyid || (await findApiKey(apikeyid))?.id === apikeyid) return [];
  const named = apikeyid.slice(0, 100);
  const message = `The agent is bound to the API key ${named}, which does not exist, so that every request of a client is refused. Choose another key in the agent's settings, or none.`;
  return [{ level: "error", code: "api-key-missing", nodeId: null, message }];
}

/** The flow, and the stores that it describes. */
function compileWithStores(
  flowData: string,
  nodeTypes: NodeRegistry,
): { compiled: CompiledFlow; stores: readonly OwnStore[] } {
  let stores: readonly OwnStore[] = [];
  const compiled = compileFlow(flowData, nodeTypes, (text) => {
    const read = readFlow(text);
    stores = read.stores ?? [];
    return read;
  });
  return { compiled, stores };
}

/** The flow with references to the agent's own stores replaced by their ids. */
export function withOwnStoreIds<Steps extends { nodes: Flow["nodes"] }>(
  flow: Steps,
  agentId: string,
): Omit<Steps, "nodes"> & Pick<FlowDocument, "nodes"> {
  const own = referencesOfFlow(flow, nodeRegistry).filter(
    ({ kind, id }) => kind === "document-store" && keyOfOwnStore(id) !== undefined,
  );
  const ofNode = Map.groupBy(own, ({ nodeId }) => nodeId);
  const nodes = flow.nodes.map((node) => {
    const references = ofNode.get(node.id) ?? [];
    const resolved = references.reduce<Json>(
      (config, { path, id }) => withValueAt(config, path, resolveStoreId(id, agentId)),
      node.config,
    );
    return { ...node, config: toJsonObject(resolved) };
  });
  return { ...flow, nodes };
}

/** The settings with a value replaced at an existing path. */
function withValueAt(settings: Json, [key, ...rest]: readonly string[], value: Json): Json {
  if (key === undefined) return value;
  if (Array.isArray(settings))
    return settings.with(Number(key), withValueAt(settings[Number(key)] ?? null, rest, value));
  return isJsonObject(settings) ? { ...settings, [key]: withValueAt(settings[key] ?? null, rest, value) } : settings;
}

/**
 * Problems that keep a flow's own stores from being filled. `agentId`: the agent that has the flow, if there is one.
 */
async function checkOwnStores(
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
