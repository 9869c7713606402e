import type { Database, Tables } from "@weft/database";
import type { WallClock } from "@weft/engine/ports/clock";
import {
  type AgentDraft,
  type AgentDraftUpdate,
  type Finding,
  longestPins,
  momentAfter,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import type { CheckedSettings } from "./agent.service.ts";
import { type AgentRow, getAgent, lockAgent } from "./agent.store.ts";
import * as store from "./draft.store.ts";
import { type AgentDraftRow, pinsOf } from "./draft.store.ts";

export type DraftServiceDeps = {
  database: Database;
  clock: WallClock;
  checkFlow(flowDataText: string, settings?: CheckedSettings): Promise<Finding[]>;
};

/**
 * The drafts of agents. Every function that takes an agent's id rejects with `not-found` for an unknown one.
 * - A draft holds what is being edited, and pinned outputs. It is nothing but what editors' test runs use.
 * - It exists while it differs from what is published: a save that leaves no difference removes it, and so does
 *   publishing its flow.
 */
export type DraftService = {
  /** The draft, or the published flow if there is none. Its entity tag also protects the first save. */
  get(id: string): Promise<AgentDraft>;
  findings(id: string): Promise<Finding[]>;
  /**
   * Changes what the body names. Rejects with `draft-changed` when `assertCurrent` throws on the draft as it is, and
   * with `limit-exceeded` for pins that are too long.
   */
  save(id: string, body: AgentDraftUpdate, by: SavedBy): Promise<AgentDraft>;
  /** Removes the draft, if any. */
  discard(id: string): Promise<void>;
};

export type SavedBy = { name: string; assertCurrent?(current: AgentDraft): void };

export function createDraftService({ database, clock, checkFlow }: DraftServiceDeps): DraftService {
  const { read } = database;
  // As with agents: the holder of the agent's row goes first.
  const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn, { isolation: "read-committed" });

  async function find(id: string) {
    const agent = await getAgent(read, id);
    return { agent, draft: await store.findDraft(read, id) };
  }

  return {
    async get(id) {
      const { agent, draft } = await find(id);
      return toAgentDraft(agent, draft);
    },

    async findings(id) {
      const { agent, draft } = await find(id);
      return checkFlow(draft?.flowData ?? agent.flowData, agent);
    },

    save(id, body, { name, assertCurrent }) {
      const pinsText = body.pins && readPins(body.pins);
      return write(async (tx) => {
        const agent = await lockAgent(tx, id);
        const draft = await store.findDraft(tx, id);
        const current = toAgentDraft(agent, draft);
        if (assertCurrent) assertUnchanged(current, assertCurrent);
        const flowData = body.flowData ?? current.flowData;
        const next: AgentDraftRow = {
          agentId: id,
          flowData,
          pins: pinsText ?? draft?.pins ?? "{}",
          savedBy: name,
          versionId: flowData === draft?.flowData ? draft.versionId : null,
          updatedDate: momentAfter(current.updatedDate, clock.now()),
        };
        if (flowData === agent.flowData && next.pins === "{}") {
          await store.deleteDraft(tx, id);
          return toAgentDraft(agent, undefined);
        }
        await store.putDraft(tx, next);
        return toAgentDraft(agent, next);
      });
    },

    discard(id) {
      return write(async (tx) => {
        await lockAgent(tx, id);
        await store.deleteDraft(tx, id);
      });
    },
  };
}

function toAgentDraft(agent: AgentRow, draft: AgentDraftRow | undefined): AgentDraft {
  if (draft === undefined) {
    const { flowData, updatedDate } = agent;
    return { isDraft: false, flowData, pins: {}, savedBy: "", updatedDate };
  }
  const { flowData, savedBy, updatedDate } = draft;
  return { isDraft: true, flowData, pins: pinsOf(draft), savedBy, updatedDate };
}

function readPins(pins: NonNullable<AgentDraftUpdate["pins"]>): string {
  const text = JSON.stringify(pins);
  if (text.length <= longestPins) return text;
  throw new WeftError("limit-exceeded", { params: { where: "pins", limit: longestPins, what: "characters" } });
}

/** Names the person who saved later. */
function assertUnchanged(current: AgentDraft, assertCurrent: (current: AgentDraft) => void): void {
  try {
    assertCurrent(current);
  } catch (cause) {
    if (!(cause instanceof WeftError) || cause.code !== "precondition-failed") throw cause;
    const savedBy = current.savedBy === "" ? "Somebody else" : current.savedBy;
    throw new WeftError(current.isDraft ? "draft-changed" : "precondition-failed", { params: { savedBy } });
  }
}
