import type { Clock } from "@weft/engine";
import { LRUCache } from "lru-cache";

/** How often something failed lately, by name. */
export type FailureCounter = {
  /** How long `name` has to wait; 0 when it need not. */
  waitMs(name: string): number;
  add(name: string): void;
  forget(name: string): void;
};

export type FailureCounterOptions = {
  /** The failure from which on each brings a wait. */
  limit: number;
  /** Names at most; default 10,000. The one whose last failure is the oldest goes first. */
  capacity?: number;
  clock: Pick<Clock, "now">;
};

/** After so long without a failure, and without a wait, a name is as good as new. */
const memoryMs = 15 * 60_000;
const firstWaitMs = 30_000;
const longestWaitMs = 15 * 60_000;

/** Waits of 30 s, 1 min, 2 min … 15 min, the first one after `limit` failures. In memory: it knows this process alone. */
export function createFailureCounter({ limit, capacity = 10_000, clock }: FailureCounterOptions): FailureCounter {
  const entries = new LRUCache<string, { failures: number; blockedUntilMs: number }>({ max: capacity });

  function failuresOf(name: string): number {
    const entry = entries.peek(name);
    return entry !== undefined && clock.now() < entry.blockedUntilMs + memoryMs ? entry.failures : 0;
  }

  return {
    waitMs: (name) => Math.max(0, (entries.peek(name)?.blockedUntilMs ?? 0) - clock.now()),
    add(name) {
      const failures = failuresOf(name) + 1;
      const waitMs = failures < limit ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - limit));
      entries.set(name, { failures, blockedUntilMs: clock.now() + waitMs });
    },
    forget: (name) => void entries.delete(name),
  };
}
