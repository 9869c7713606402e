import type { Database, Tables } from "@weft/database";
import type { IdSource, WallClock } from "@weft/engine/ports/clock";
import type { Reach } from "@weft/http/identity";
import type { RowDates } from "@weft/http/rows";
import {
  type Agent,
  type AgentCreate,
  type AgentUpdate,
  type AgentVersion,
  type AgentVersionSummary,
  type Finding,
  momentAfter,
  type PageQuery,
  toMoment,
  type VersionTexts,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import * as store from "./agent.store.ts";
import {
  type AgentRow,
  type AgentVersionHead,
  type AgentVersionRow,
  existingAgent,
  existingVersion,
  toAgent,
  toColumns,
  toNewRow,
} from "./agent.store.ts";
import { deleteDraft, deletePublishedDraft } from "./draft.store.ts";
import { createWrittenAgents, type WrittenAgent } from "./written-agents.ts";

export type AgentListQuery = PageQuery & { type?: string | undefined; reach: Reach };

/** Effects of changes of agents and assistants, in their transaction. A rejection rolls it back. */
export type AgentEvents = {
  /** A new version of the flow was saved. */
  agentSaved(tx: Kysely<Tables>, saved: { id: string; versionId: string; flowData: string }): Promise<void>;
  /** The agent or assistant is deleted, with everything that belongs to it. */
  agentDeleted(tx: Kysely<Tables>, agentId: string): Promise<void>;
  /**
   * An agent was created, updated or restored: after that transaction, and before anyone is notified. A rejection
   * undoes nothing.
   */
  agentCommitted?(agent: Agent): Promise<void>;
};

/** Origin of an imported agent: its dates, when its flow was saved, and earlier flows, oldest first. */
export type AgentOrigin = {
  dates: RowDates;
  flowDate: string;
  earlier: readonly (Pick<AgentVersionRow, "flowData" | "createdDate"> & VersionTexts)[];
};

/** Who saves an agent, by their display name. Absent: nobody in particular. */
export type Author = string | undefined;

/** Settings that name credentials, as JSON text: speech, the model of follow-ups, and where traces go. */
export type NamingSettings = { [name in "speechToText" | "chatbotConfig" | "analytic"]?: string | undefined };

/** Settings considered when a flow is checked. */
export type CheckedSettings = NamingSettings & Pick<Agent, "apiConfig" | "apikeyid">;

export type AgentServiceDeps = {
  database: Database;
  clock: WallClock;
  ids: IdSource;
  events: AgentEvents;
  checkFlow(flowDataText: string, settings?: CheckedSettings & { id: string }): Promise<Finding[]>;
  /** The API key with this value or id; undefined if there is none. */
  findApiKey(keyOrId: string): Promise<{ id: string } | undefined>;
};

/** Agents and their versions. Every function that takes an agent's id rejects with `not-found` for an unknown one. */
export type AgentService = ReturnType<typeof agentReads> & ReturnType<typeof agentWrites>;

export function createAgentService(deps: AgentServiceDeps): AgentService {
  return { ...agentReads(deps), ...agentWrites(deps) };
}

function agentReads({ database, checkFlow, findApiKey }: AgentServiceDeps) {
  const { read } = database;
  const written = createWrittenAgents(database);
  return {
    /** Most recently updated first; complete, or one page if `page` and `limit` are given. */
    list({ type, page, limit, reach }: AgentListQuery) {
      const isPage = page !== undefined && limit !== undefined;
      return written.list({ type, reach }, isPage ? { offset: (page - 1) * limit, limit } : undefined);
    },

    /** An agent as the API returns it. */
    answer: written.get,

    async get(id: string): Promise<Agent> {
      return toAgent(await store.getAgent(read, id));
    },

    /**
     * The most recently updated agent that is bound to an API key, given by the key or by its id.
     * Rejects with `agent-of-key-not-found`, which does not repeat the key.
     */
    async getByApiKey(keyOrId: string, reach: Reach): Promise<WrittenAgent> {
      const key = await findApiKey(keyOrId);
      const agent = key && (await written.first({ apikeyid: key.id, reach }));
      if (agent === undefined) throw new WeftError("agent-of-key-not-found");
      return agent;
    },

    /** Newest first, without their flows. */
    async versions(id: string): Promise<AgentVersionSummary[]> {
      const { versionId } = existingAgent(await store.findAgentSettings(read, id), id);
      return (await store.listVersions(read, id)).map((row) => toVersion(row, versionId));
    },

    /** Rejects with `not-found` for an unknown number. */
    async version(id: string, number: number): Promise<AgentVersion> {
      const { versionId } = existingAgent(await store.findAgentSettings(read, id), id);
      return toVersion(existingVersion(await store.findVersion(read, id, number), id, number), versionId);
    },

    /** Errors and remarks about the saved flow. */
    async findings(id: string): Promise<Finding[]> {
      const agent = await store.getAgent(read, id);
      return checkFlow(agent.flowData, agent);
    },
  };
}

function agentWrites({ database, clock, ids, events }: AgentServiceDeps) {
  // Every write starts with the agent's row, inserted or locked: others wait for it and need no retry.
  const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn, { isolation: "read-committed" });
  const writeAgent = async (fn: (tx: Kysely<Tables>) => Promise<Agent>): Promise<Agent> => {
    const agent = await write(fn);
    await events.agentCommitted?.(agent);
    return agent;
  };

  async function save(
    tx: Kysely<Tables>,
    row: AgentRow,
    { author, version, ...changes }: Partial<AgentRow> & { author: Author; version?: VersionTexts | undefined },
  ): Promise<Agent> {
    const updatedDate = momentAfter(row.updatedDate, clock.now());
    const next: AgentRow = { ...row, ...changes, updatedDate };
    if (next.flowData !== row.flowData) {
      next.versionId = ids.uuid();
      await addFlowVersion(tx, {
        id: next.versionId,
        agentId: row.id,
        flowData: next.flowData,
        createdDate: updatedDate,
        createdBy: author ?? null,
        ...version,
      });
    } else if (version) await store.updateVersionTexts(tx, next.versionId, version);
    await store.updateAgent(tx, { ...changes, id: row.id, updatedDate, versionId: next.versionId });
    if (next.versionId !== row.versionId) await events.agentSaved(tx, next);
    return toAgent(next);
  }

  return {
    /** Rejects with `conflict` if the body's own id is taken. */
    create({ author, version, ...body }: AgentCreate & { author?: Author }, origin?: AgentOrigin): Promise<Agent> {
      const now = toMoment(clock.now());
      const { dates, earlier } = origin ?? { dates: { createdDate: now, updatedDate: now }, earlier: [] };
      const row = { ...toNewRow(body, { id: body.id ?? ids.uuid(), versionId: ids.uuid(), now }), ...dates };
      const ofAgent = { agentId: row.id, createdBy: author ?? null };
      const createdDate = origin?.flowDate ?? now;
      return writeAgent(async (tx) => {
        await store.insertAgent(tx, row);
        for (const one of earlier) await addFlowVersion(tx, { id: ids.uuid(), ...ofAgent, ...one });
        await addFlowVersion(tx, { id: row.versionId, ...ofAgent, flowData: row.flowData, createdDate, ...version });
        await events.agentSaved(tx, row);
        return toAgent(row);
      });
    },

    /**
     * Changes what the body names; `updatedDate` moves in any case. Another flow makes a new version; what the body says
     * about its version is about that one, or about the present one, so that a repeated request changes nothing. The draft goes when
     * its flow is published, and only then: a client that knows nothing of drafts takes nobody's work away.
     * What `assertCurrent` throws on the agent as it is keeps it so.
     */
    update(
      id: string,
      { author, version, ...body }: AgentUpdate & { author?: Author },
      assertCurrent?: (current: Agent) => void,
    ): Promise<Agent> {
      return writeAgent(async (tx) => {
        const row = await store.lockAgent(tx, id);
        assertCurrent?.(toAgent(row));
        const saved = await save(tx, row, { ...toColumns(body), author, version });
        if (body.flowData !== undefined) await deletePublishedDraft(tx, saved);
        return saved;
      });
    },

    /** Deletes the agent and everything that belongs to it. Its runs stay, with the versions they started with. */
    remove(id: string): Promise<void> {
      return write(async (tx) => {
        await store.lockAgent(tx, id);
        await events.agentDeleted(tx, id);
        await deleteDraft(tx, id);
        await removeFlowVersions(tx, id);
        await store.deleteAgent(tx, id);
      });
    },

    /** Changes what people wrote about a version. Rejects with `not-found` for an unknown number. */
    describeVersion(id: string, number: number, texts: VersionTexts): Promise<AgentVersionSummary> {
      return write(async (tx) => {
        const { versionId } = await store.lockAgent(tx, id);
        const row = existingVersion(await store.findVersion(tx, id, number), id, number);
        await store.updateVersionTexts(tx, row.id, texts);
        const { name = row.name, note = row.note } = texts;
        return toVersion({ ...row, name, note }, versionId);
      });
    },

    /** Saves the flow of an earlier version again, as the newest one. Nothing is rewritten. */
    restore(id: string, number: number, author?: Author): Promise<Agent> {
      return writeAgent(async (tx) => {
        const row = await store.lockAgent(tx, id);
        const { flowData } = existingVersion(await store.findVersion(tx, id, number), id, number);
        return save(tx, row, { flowData, author });
      });
    },
  };
}

function toVersion<Row extends AgentVersionHead>(row: Row, currentId: string) {
  return { ...row, name: row.name ?? "", note: row.note ?? "", current: row.id === currentId };
}

/** Saves a flow under the id of the agent or assistant that runs it: the newest of its versions. */
export async function addFlowVersion(
  tx: Kysely<Tables>,
  {
    name,
    note,
    ...version
  }: Omit<AgentVersionRow, "number" | "createdBy" | "name" | "note"> & VersionTexts & { createdBy?: string | null },
): Promise<void> {
  const texts = { name: name ?? null, note: note ?? null };
  const number = (await store.lastVersionNumber(tx, version.agentId)) + 1;
  await store.insertVersion(tx, { createdBy: null, ...version, ...texts, number });
}

/** Deletes the flows saved under an id, except those that runs started with. */
export function removeFlowVersions(tx: Kysely<Tables>, agentId: string): Promise<void> {
  return store.deleteUnusedVersions(tx, agentId);
}
