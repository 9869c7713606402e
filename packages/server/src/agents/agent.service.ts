import type { AgentRow, AgentVersionRow, Tables } from "@weft/database";
import { type Agent, type AgentCreate, type AgentUpdate, momentAfter, toMoment, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import * as store from "./agent.store.ts";
import { type AgentServiceDeps, createAgentReader } from "./agent-reader.ts";
import { existingAgent, existingVersion, toAgent, toColumns, toNewRow } from "./agent-row.ts";

/** Agents and their versions. Every function that takes an agent's id rejects with `not-found` for an unknown one. */
export type AgentService = ReturnType<typeof createAgentReader> & ReturnType<typeof createAgentWriter>;

export function createAgentService(deps: AgentServiceDeps): AgentService {
  return { ...createAgentReader(deps), ...createAgentWriter(deps) };
}

function createAgentWriter({ database, clock, ids, onSave = [], onDelete }: AgentServiceDeps) {
  // Every write begins with the one agent's row, inserted or locked: others wait for it and need no retry.
  const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn, { isolation: "read-committed" });

  async function save(tx: Kysely<Tables>, row: AgentRow, changes: Partial<AgentRow>): Promise<Agent> {
    const updatedDate = momentAfter(row.updatedDate, clock.now());
    const next: AgentRow = { ...row, ...changes, updatedDate };
    if (next.flowData !== row.flowData) {
      next.versionId = ids.uuid();
      await addFlowVersion(tx, {
        id: next.versionId,
        agentId: row.id,
        flowData: next.flowData,
        createdDate: updatedDate,
      });
    }
    await store.updateAgent(tx, row.id, { ...changes, updatedDate, versionId: next.versionId });
    if (next.versionId !== row.versionId) for (const hook of onSave) await hook(tx, next);
    return toAgent(next);
  }

  async function addFlowVersion(tx: Kysely<Tables>, version: Omit<AgentVersionRow, "number">): Promise<void> {
    const number = (await store.lastVersionNumber(tx, version.agentId)) + 1;
    await store.insertVersion(tx, { ...version, number });
  }

  return {
    /** Saves a flow under the id of whatever runs it: the newest of its versions. */
    addFlowVersion,

    /** Deletes the flows saved under an id, except those that runs began with. */
    removeFlowVersions: (tx: Kysely<Tables>, agentId: string): Promise<void> => store.deleteUnusedVersions(tx, agentId),

    /** Rejects with `conflict` when the body's own id is taken. */
    create(body: AgentCreate): Promise<Agent> {
      const now = toMoment(clock.now());
      const row = toNewRow(body, { id: body.id ?? ids.uuid(), versionId: ids.uuid(), now });
      return write(async (tx) => {
        if (!(await store.insertAgent(tx, row))) {
          throw new WeftError("conflict", { params: { reason: `An agent with the id ${row.id} already exists.` } });
        }
        await addFlowVersion(tx, { id: row.versionId, agentId: row.id, flowData: row.flowData, createdDate: now });
        for (const hook of onSave) await hook(tx, row);
        return toAgent(row);
      });
    },

    /**
     * Changes what the body names; `updatedDate` moves in any case. Another flow makes a new version.
     * What `assertCurrent` throws on the agent as it is keeps it so.
     */
    update(id: string, body: AgentUpdate, assertCurrent?: (current: Agent) => void): Promise<Agent> {
      return write(async (tx) => {
        const row = existingAgent(await store.lockAgent(tx, id), id);
        assertCurrent?.(toAgent(row));
        return save(tx, row, toColumns(body));
      });
    },

    /** Deletes the agent and what belongs to it. Its runs stay, with the versions they began with. */
    remove(id: string): Promise<void> {
      return write(async (tx) => {
        existingAgent(await store.lockAgent(tx, id), id);
        for (const hook of onDelete) await hook(tx, id);
        await store.deleteUnusedVersions(tx, id);
        await store.deleteAgent(tx, id);
      });
    },

    /** Saves the flow of an earlier version again: it becomes the newest one. Nothing is rewritten. */
    restore(id: string, number: number): Promise<Agent> {
      return write(async (tx) => {
        const row = existingAgent(await store.lockAgent(tx, id), id);
        const { flowData } = existingVersion(await store.findVersion(tx, id, number), id, number);
        return save(tx, row, { flowData });
      });
    },
  };
}
