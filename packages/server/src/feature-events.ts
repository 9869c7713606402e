import type { AgentEvents } from "@weft/agents";
import type { FollowUp, ProjectRun } from "@weft/run-host";

/** A run of an agent or assistant is a chat; the job that updates a document store is an upsert. */
export type RunKind = "chat" | "upsert";

/**
 * A feature's reactions to changes by others: in their transactions, which a rejection rolls back and which wait only
 * for the database, except `agentCommitted`.
 */
export type FeatureHooks = Partial<AgentEvents> & {
  /** Consequences of a run of that kind that ended, stopped to wait, or was answered, in the commit of these events. */
  runEnded?: { readonly [Kind in RunKind]?: ProjectRun };
};

/** Tells features what happens to agents and runs. Created before them, so that none needs the list. */
export type FeatureEvents = Required<AgentEvents> & {
  runEnded: Record<RunKind, ProjectRun>;
  /** Adds features; they are called in the order in which they were added. */
  register(features: readonly { on?: FeatureHooks | undefined }[]): void;
};

export function createFeatureEvents(): FeatureEvents {
  const listeners: FeatureHooks[] = [];
  const tellRunEnded =
    (kind: RunKind): ProjectRun =>
    async (run, events) => {
      const followUps: FollowUp[] = [];
      for (const { runEnded } of listeners) followUps.push((await runEnded?.[kind]?.(run, events)) ?? []);
      return together(followUps);
    };
  return {
    async agentSaved(tx, saved) {
      for (const listener of listeners) await listener.agentSaved?.(tx, saved);
    },
    async agentDeleted(tx, agentId) {
      for (const listener of listeners) await listener.agentDeleted?.(tx, agentId);
    },
    async agentCommitted(agent) {
      for (const listener of listeners) await listener.agentCommitted?.(agent);
    },
    runEnded: { chat: tellRunEnded("chat"), upsert: tellRunEnded("upsert") },
    register(features) {
      for (const { on } of features) if (on) listeners.push(on);
    },
  };
}

/** In order. As statements if all of it is. */
function together(followUps: readonly FollowUp[]): FollowUp {
  if (followUps.every((followUp) => typeof followUp !== "function")) return followUps.flat();
  return async (tx) => {
    for (const followUp of followUps) {
      if (typeof followUp === "function") await followUp(tx);
      else for (const statement of followUp) await tx.executeQuery(statement);
    }
  };
}
