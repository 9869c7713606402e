import type { AgentEvents } from "@weft/agents";
import type { FollowUp, ProjectRun } from "@weft/run-host";

/** A run of an agent or assistant is a chat; the job that brings a document store up to date is an upsert. */
export type RunKind = "chat" | "upsert";

/**
 * What a feature does when others change something: in their transactions, which a rejection undoes and which wait for
 * nothing but the database, except `agentCommitted`.
 */
export type FeatureHooks = Partial<AgentEvents> & {
  /** A run of that kind ended, stopped to wait, or was answered: what follows from it, in the commit of these events. */
  runEnded?: { readonly [Kind in RunKind]?: ProjectRun };
};

/** Tells features what happens to agents and runs. It exists before them, so that nobody waits for the list. */
export type FeatureEvents = Required<AgentEvents> & {
  runEnded: Record<RunKind, ProjectRun>;
  /** Adds features; of each event they hear in the order in which they were added. */
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

/** In their order. As statements where all of it is. */
function together(followUps: readonly FollowUp[]): FollowUp {
  if (followUps.every((followUp) => typeof followUp !== "function")) return followUps.flat();
  return async (tx) => {
    for (const followUp of followUps) {
      if (typeof followUp === "function") await followUp(tx);
      else for (const statement of followUp) await tx.executeQuery(statement);
    }
  };
}
