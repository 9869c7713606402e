import type { Database, Tables } from "@weft/database";
import type { IdSource, WallClock } from "@weft/engine/ports/clock";
import { toMoment } from "@weft/schema";
import type { Kysely } from "kysely";
import { type AgentRow, getAgent, insertVersion, lockAgent } from "./agent.store.ts";
import type { RunnableAgent } from "./agent-reader.ts";
import * as store from "./draft.store.ts";
import { type AgentDraftRow, pinsOf } from "./draft.store.ts";

/**
 * Test runs of drafts. Each begins with a version like any other run, so that it survives its process: the flow of a
 * draft becomes an unlisted version when it is first run, and goes with the last of its runs.
 */
export type DraftRuns = {
  /**
   * The agent with its draft's flow and pinned outputs, ready to run; undefined if it has no draft. Rejects with
   * `not-found` for an unknown agent.
   */
  toRun(agentId: string): Promise<RunnableAgent | undefined>;
  /** In the transaction that deletes runs: takes the unlisted versions away that only they began with. */
  forgetVersions(tx: Kysely<Tables>, versionIds: readonly string[]): Promise<void>;
};

type DraftRunsDeps = { database: Database; clock: WallClock; ids: IdSource };

/** A test run may be about to start with a version this young. */
const settledMs = 60 * 60_000;

export function createDraftRuns({ database, clock, ids }: DraftRunsDeps): DraftRuns {
  const { read } = database;

  /** The version for test runs of a draft: the published one if the flow is the same. */
  async function addVersion(tx: Kysely<Tables>, agent: AgentRow, { agentId, flowData }: AgentDraftRow) {
    const isPublished = flowData === agent.flowData;
    const versionId = isPublished ? agent.versionId : ids.uuid();
    if (!isPublished) {
      const number = (await store.lowestVersionNumber(tx, agentId)) - 1;
      await insertVersion(tx, {
        id: versionId,
        agentId,
        number,
        flowData,
        createdDate: toMoment(clock.now()),
        createdBy: null,
        name: null,
        note: null,
      });
    }
    await store.setDraftVersion(tx, agentId, versionId);
    return versionId;
  }

  return {
    async toRun(id) {
      const agent = await getAgent(read, id);
      const draft = await store.findDraft(read, id);
      if (draft === undefined) return undefined;
      if (draft.versionId !== null) return toRunnable(agent, draft, draft.versionId);
      return database.write(
        async (tx) => {
          const row = await lockAgent(tx, id);
          const latest = await store.findDraft(tx, id);
          if (latest === undefined) return undefined;
          return toRunnable(row, latest, latest.versionId ?? (await addVersion(tx, row, latest)));
        },
        { isolation: "read-committed" },
      );
    },

    async forgetVersions(tx, versionIds) {
      const ofDrafts = versionIds.length === 0 ? [] : await store.listDraftVersions(tx, versionIds);
      if (ofDrafts.length === 0) return;
      await store.deleteOldDraftVersions(tx, ofDrafts, toMoment(clock.now() - settledMs));
    },
  };
}

function toRunnable({ flowData: _, ...agent }: AgentRow, draft: AgentDraftRow, versionId: string): RunnableAgent {
  return { agent, versionId, flowData: draft.flowData, pins: pinsOf(draft) };
}
