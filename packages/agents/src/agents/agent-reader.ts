import { type Database, keepUntilChange, type Tables } from "@weft/database";
import { readFlow } from "@weft/dialects";
import { type CompiledFlow, compileFlow, whyNotRunnable } from "@weft/engine";
import type { NodeRegistry } from "@weft/engine/node";
import type { Finding, Pins } from "@weft/schema";
import type { Kysely, RawBuilder, SqlBool } from "kysely";
import { LRUCache } from "lru-cache";
import * as store from "./agent.store.ts";
import { existingAgent } from "./agent.store.ts";

/** The input of a run. `flowData` is the text of version `versionId`, even if saved again meanwhile. */
export type RunnableAgent = {
  agent: store.AgentSettingsRow;
  versionId: string;
  flowData: string;
  /** Of a draft: steps that are not executed, with their outputs. */
  pins?: Pins;
  /** Settings without effect, for the caller of the run. */
  warnings?: readonly { code: string; message: string }[];
};

/** Read access to stored agents. Depends only on the database, so everything can be created after it. */
export type AgentReader = {
  /** The text of a saved flow, even of a deleted agent while runs need it; undefined if there is none. */
  flowOfVersion(versionId: string): Promise<string | undefined>;
  /** Whether the agent exists, for the caller's transaction. */
  exists(tx: Kysely<Tables>, id: string): Promise<boolean>;
  /** As `exists`, as a condition of a statement. */
  isThere(id: string): RawBuilder<SqlBool>;
  /** As `exists`, locking the agent against deletion until the caller's transaction ends. */
  hold(tx: Kysely<Tables>, id: string): Promise<boolean>;
  /** An agent without its flow; undefined if there is none. */
  findSettings(id: string): Promise<store.AgentSettingsRow | undefined>;
  /** As `findSettings`, at most ten seconds old: no query if the agent was read meanwhile. */
  recallSettings(id: string): Promise<store.AgentSettingsRow | undefined>;
  /** All agents without their flows: deployed ones first, then oldest first. */
  listSettings(): Promise<store.AgentSettingsRow[]>;
  /** For predictions: certainly unchanged data is not read again. Rejects with `not-found`. */
  getForRun(id: string): Promise<RunnableAgent>;
  /** As `getForRun`, for an agent whose settings were just read. */
  toRunnable(settings: store.AgentSettingsRow): Promise<RunnableAgent>;
};

const cachedFlowCharacters = 32 * 1024 * 1024;

const keptSettings = 2_000;
const recallMs = 10_000;

export function createAgentReader(database: Database): AgentReader {
  const { dialect, read } = database;
  const settings = keepUntilChange<store.AgentSettingsRow | undefined>(database, ["agents"], keptSettings);
  const recent = new LRUCache<string, store.AgentSettingsRow>({ max: keptSettings, ttl: recallMs });
  async function readSettings(id: string): Promise<store.AgentSettingsRow | undefined> {
    const found = await store.findAgentSettings(read, id);
    if (found === undefined) recent.delete(id);
    else recent.set(id, found);
    return found;
  }
  // If other processes save, a run reads its agent: a signal could arrive after the run that it should precede.
  const findSettings = dialect === "sqlite" ? (id: string) => settings(id, () => readSettings(id)) : readSettings;

  // A version never changes, so an entry is never stale, only evicted.
  const flows = new LRUCache<string, string>({
    maxSize: cachedFlowCharacters,
    sizeCalculation: (flowData) => Math.max(1, flowData.length),
  });

  async function flowOfVersion(versionId: string): Promise<string | undefined> {
    const cached = flows.get(versionId);
    if (cached !== undefined) return cached;
    const flowData = await store.findVersionFlow(read, versionId);
    if (flowData !== undefined) flows.set(versionId, flowData);
    return flowData;
  }

  async function toRunnable(agent: store.AgentSettingsRow): Promise<RunnableAgent> {
    const { id, versionId } = agent;
    const flowData = flows.get(versionId) ?? existingAgent(await flowOfVersion(versionId), id);
    return { agent, versionId, flowData };
  }

  return {
    flowOfVersion,
    toRunnable,
    exists: store.hasAgent,
    isThere: store.isAgentThere,
    hold: store.holdAgent,
    findSettings,
    recallSettings: async (id) => recent.get(id) ?? findSettings(id),
    listSettings: () => store.listAgentSettings(read),
    getForRun: async (id) => toRunnable(existingAgent(await findSettings(id), id)),
  };
}

/** Compiled flows by version id: a version never changes, nor does its compilation. */
export type FlowCache = { compile(versionId: string, flowData: string): CompiledFlow };

/** Additional checks that reject runs of a flow. */
type FlowCheck = (flow: CompiledFlow) => readonly Finding[];

/** Keeps the `maxFlows` most recently used flows. */
export function createFlowCache(registry: NodeRegistry, check: FlowCheck = () => [], maxFlows = 500): FlowCache {
  const flows = new LRUCache<string, CompiledFlow>({ max: maxFlows });
  return {
    compile(versionId, flowData) {
      const known = flows.get(versionId);
      if (known !== undefined) return known;
      const compiled = compileFlow(flowData, registry, readFlow);
      const findings = [...compiled.findings, ...check(compiled)];
      const flow = { ...compiled, findings, refusal: whyNotRunnable(findings) };
      flows.set(versionId, flow);
      return flow;
    },
  };
}
