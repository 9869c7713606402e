import type { Database, Tables } from "@weft/database";
import type { Clock, IdSource } from "@weft/engine";
import type { Reach } from "@weft/http";
import {
  type Agent,
  type AgentVersion,
  type AgentVersionSummary,
  type Finding,
  type PageQuery,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import * as store from "./agent.store.ts";
import { existingAgent, existingVersion, toAgent } from "./agent-row.ts";

export type AgentListQuery = PageQuery & { type?: string | undefined; reach: Reach };

/** What a run starts from. `flowData` is the text of version `versionId`, whatever is saved meanwhile. */
export type RunnableAgent = {
  agent: store.AgentSettingsRow;
  versionId: string;
  flowData: string;
  /** What of its settings has no effect, for the caller of the run. */
  warnings?: readonly { code: string; message: string }[];
};

const cachedFlowCharacters = 32 * 1024 * 1024;

export function createAgentReader({ database: { read }, checkFlow, findApiKeyId }: AgentServiceDeps) {
  // A version never changes, so an entry is never wrong; it is only forgotten.
  const flows = new LRUCache<string, string>({
    maxSize: cachedFlowCharacters,
    sizeCalculation: (flowData) => Math.max(1, flowData.length),
  });

  /** The text of a saved flow, also of a deleted agent while runs need it; undefined when there is none. */
  async function flowOfVersion(versionId: string): Promise<string | undefined> {
    const cached = flows.get(versionId);
    if (cached !== undefined) return cached;
    const flowData = await store.findVersionFlow(read, versionId);
    if (flowData !== undefined) flows.set(versionId, flowData);
    return flowData;
  }

  return {
    flowOfVersion,

    /** Whether the agent exists, for the caller's transaction. */
    exists: (tx: Kysely<Tables>, id: string): Promise<boolean> => store.hasAgent(tx, id),

    /** As `exists`, and nobody deletes the agent before the caller's transaction ends. */
    hold: (tx: Kysely<Tables>, id: string): Promise<boolean> => store.holdAgent(tx, id),

    /** Most recently updated first; complete, or one page when `page` and `limit` are given. */
    async list({ type, page, limit, reach }: AgentListQuery): Promise<Agent[] | { data: Agent[]; total: number }> {
      if (page === undefined || limit === undefined)
        return (await store.listAgents(read, { type, reach })).map(toAgent);
      const rows = await store.listAgents(read, { type, reach }, { offset: (page - 1) * limit, limit });
      return { data: rows.map(toAgent), total: await store.countAgents(read, { type, reach }) };
    },

    async get(id: string): Promise<Agent> {
      return toAgent(existingAgent(await store.findAgent(read, id), id));
    },

    /**
     * The most recently updated agent that is bound to an API key, given by the key or by its id.
     * Rejects with `agent-of-key-not-found`, which does not repeat the key.
     */
    async getByApiKey(keyOrId: string, reach: Reach): Promise<Agent> {
      const apikeyid = await findApiKeyId(keyOrId);
      if (apikeyid === undefined) throw new WeftError("agent-of-key-not-found");
      const [row] = await store.listAgents(read, { apikeyid, reach }, { offset: 0, limit: 1 });
      if (row === undefined) throw new WeftError("agent-of-key-not-found");
      return toAgent(row);
    },

    /** Newest first, without their flows. */
    async versions(id: string): Promise<AgentVersionSummary[]> {
      const { versionId } = existingAgent(await store.findAgentSettings(read, id), id);
      return (await store.listVersions(read, id)).map((row) => ({ ...row, current: row.id === versionId }));
    },

    /** Rejects with `not-found` for an unknown number. */
    async version(id: string, number: number): Promise<AgentVersion> {
      const { versionId } = existingAgent(await store.findAgentSettings(read, id), id);
      const row = existingVersion(await store.findVersion(read, id, number), id, number);
      return { ...row, current: row.id === versionId };
    },

    /** What is wrong, or worth knowing, about the saved flow. */
    async findings(id: string): Promise<Finding[]> {
      const agent = existingAgent(await store.findAgent(read, id), id);
      return checkFlow(agent.flowData, agent);
    },

    /** An agent without its flow, by one small read; undefined when there is none. */
    findSettings: (id: string): Promise<store.AgentSettingsRow | undefined> => store.findAgentSettings(read, id),

    /** All agents without their flows: those that are deployed first, and of each the oldest. */
    listSettings: (): Promise<store.AgentSettingsRow[]> => store.listAgentSettings(read),

    /** For predictions: one small read, and the flow only when its version was not used lately. */
    async getForRun(id: string): Promise<RunnableAgent> {
      const agent = existingAgent(await store.findAgentSettings(read, id), id);
      const flowData = existingAgent(await flowOfVersion(agent.versionId), id);
      return { agent, versionId: agent.versionId, flowData };
    },
  };
}

/** Removes what belongs to an agent, in the transaction that deletes it. A rejection keeps the agent. */
export type AgentDeleteHook = (tx: Kysely<Tables>, agentId: string) => Promise<void>;

/** Keeps what follows from an agent's flow, in the transaction that saves it. A rejection saves nothing. */
export type AgentSaveHook = (
  tx: Kysely<Tables>,
  saved: { id: string; versionId: string; flowData: string },
) => Promise<void>;

export type AgentServiceDeps = {
  database: Database;
  clock: Pick<Clock, "now">;
  ids: IdSource;
  checkFlow(flowDataText: string, settings?: { apiConfig: string; speechToText: string }): Promise<Finding[]>;
  /** Id of the API key that is meant by a key or by its id; undefined when there is none. */
  findApiKeyId(keyOrId: string): Promise<string | undefined>;
  /** Called when there is a new version of the flow. Default none. */
  onSave?: readonly AgentSaveHook[];
  onDelete: readonly AgentDeleteHook[];
};
