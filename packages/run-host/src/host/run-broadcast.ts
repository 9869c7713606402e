import type { RunObserver, TextDelta } from "@weft/engine/ports/observer";
import type { RunEvent } from "@weft/schema";

/** Follows one run. Called synchronously, after the events are durable; must not throw. */
export type RunFollower = {
  events(events: readonly RunEvent[]): void;
  delta?(delta: TextDelta): void;
  /** This process has no more to report on the run, which may not have ended. */
  left?(): void;
};

export type RunBroadcast = RunObserver & {
  /** Follows a run from now on. Returns a function that stops it. */
  follow(runId: string, follower: RunFollower): () => void;
  isFollowed(runId: string): boolean;
  /** The messages being written in a run, each from its start. */
  textsOf(runId: string): TextDelta[];
  /** Drops what is kept of a run of another process. */
  forget(runId: string): void;
  /** For the owner of a run that this process has ended or released. */
  leave(runId: string): void;
};

/** A longer message is not kept for late followers: they get it once it is journalled. */
const maxKeptCharacters = 1_000_000;

/** Tells followers in this process what happens in its runs. A slow follower must buffer for itself. */
export function createRunBroadcast(): RunBroadcast {
  const followers = new Map<string, Set<RunFollower>>();
  /** Messages being written, by run and node. */
  const texts = new Map<string, Map<string, TextDelta>>();

  function keep(delta: TextDelta): void {
    const ofRun = texts.get(delta.runId) ?? new Map<string, TextDelta>();
    const known = ofRun.get(delta.nodeKey);
    if (delta.offset === 0) ofRun.set(delta.nodeKey, { ...delta });
    else if (known?.effectSeq === delta.effectSeq && known.text.length === delta.offset) known.text += delta.text;
    if (known && known.text.length > maxKeptCharacters) ofRun.delete(delta.nodeKey);
    if (ofRun.size > 0) texts.set(delta.runId, ofRun);
  }

  function forgetFinished(runId: string, events: readonly RunEvent[]): void {
    const ofRun = texts.get(runId);
    if (!ofRun) return;
    for (const event of events) if (event.type === "effect-finished") ofRun.delete(event.nodeKey);
  }

  return {
    committed(runId, events) {
      forgetFinished(runId, events);
      for (const follower of followers.get(runId) ?? []) follower.events(events);
    },
    delta(delta) {
      keep(delta);
      for (const follower of followers.get(delta.runId) ?? []) follower.delta?.(delta);
    },
    follow(runId, follower) {
      const set = followers.get(runId) ?? new Set();
      followers.set(runId, set.add(follower));
      return () => {
        set.delete(follower);
        if (set.size === 0 && followers.get(runId) === set) followers.delete(runId);
      };
    },
    isFollowed: (runId) => followers.has(runId),
    textsOf: (runId) => [...(texts.get(runId)?.values() ?? [])],
    forget: (runId) => void texts.delete(runId),
    leave(runId) {
      texts.delete(runId);
      for (const follower of followers.get(runId) ?? []) follower.left?.();
    },
  };
}

/** Tells all of them, in this order. Absent ones are left out. */
export function allOf(...observers: readonly (RunObserver | undefined)[]): RunObserver {
  const told = observers.filter((observer) => observer !== undefined);
  return {
    committed(runId, events) {
      for (const observer of told) observer.committed(runId, events);
    },
    delta(delta) {
      for (const observer of told) observer.delta(delta);
    },
  };
}
