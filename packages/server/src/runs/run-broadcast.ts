import type { RunObserver, TextDelta } from "@weft/engine";
import type { RunEvent } from "@weft/schema";

/** Somebody who follows one run. Called synchronously, after the events are durable; must not throw. */
export type RunFollower = {
  events(events: readonly RunEvent[]): void;
  delta?(delta: TextDelta): void;
};

export type RunBroadcast = RunObserver & {
  /** Follows a run from now on. Returns the way to stop. */
  follow(runId: string, follower: RunFollower): () => void;
};

/** Tells followers in this process what happens in its runs. A follower that is slow buffers for itself. */
export function createRunBroadcast(): RunBroadcast {
  const followers = new Map<string, Set<RunFollower>>();
  return {
    committed(runId, events) {
      for (const follower of followers.get(runId) ?? []) follower.events(events);
    },
    delta(delta) {
      for (const follower of followers.get(delta.runId) ?? []) follower.delta?.(delta);
    },
    follow(runId, follower) {
      const set = followers.get(runId) ?? new Set();
      followers.set(runId, set.add(follower));
      return () => {
        set.delete(follower);
        if (set.size === 0) followers.delete(runId);
      };
    },
  };
}
