import type { Logger } from "@weft/http/logger";
import { WeftError } from "@weft/schema";
import type { ReadyRuns } from "../journal/index.ts";

export type BacklogDeps = {
  store: Pick<ReadyRuns, "countReady">;
  /** Runs that may wait for a process. One agent's may be half of them. */
  maxWaiting: number;
  logger: Pick<Logger, "warn">;
};

/**
 * Refuses what the workers are too far behind with, before it is accepted. The database is asked at most four times a
 * second, and only while runs are left to others. What it cannot know yet is added, so that a burst is not let in.
 */
export type Backlog = {
  /** Throws `at-capacity`. */
  enter(agentId: string): void;
  /** What entered is durable, or was refused after all. */
  leave(agentId: string): void;
};

const askedEveryMs = 250;
const retryAfterSeconds = 2;

export function createBacklog({ store, maxWaiting, logger }: BacklogDeps): Backlog {
  const mostOfOne = Math.ceil(maxWaiting / 2);
  let stored: ReadonlyMap<string, number> = new Map();
  /** What entered since the database was asked, or was not durable by then. */
  let recent = createCounts();
  const pending = createCounts();
  let askedAt = Number.NEGATIVE_INFINITY;

  function ask(now: number): void {
    askedAt = now;
    recent = createCounts(pending);
    store.countReady().then(
      (counted) => {
        stored = counted;
      },
      (cause: unknown) => logger.warn("ready-runs-not-counted", { cause }),
    );
  }

  return {
    enter(agentId) {
      const now = performance.now();
      if (now - askedAt >= askedEveryMs) ask(now);
      const own = (stored.get(agentId) ?? 0) + recent.of(agentId);
      const total = [...stored.values()].reduce((sum, count) => sum + count, recent.total());
      if (total >= maxWaiting || own >= mostOfOne) {
        throw new WeftError("at-capacity", { params: { limit: maxWaiting, retryAfterSeconds } });
      }
      for (const counts of [recent, pending]) counts.add(agentId, 1);
    },
    leave: (agentId) => pending.add(agentId, -1),
  };
}

type Counts = {
  of(agentId: string): number;
  add(agentId: string, count: number): void;
  total(): number;
  copy(): Map<string, number>;
};

function createCounts(from?: Counts): Counts {
  const counts = from?.copy() ?? new Map<string, number>();
  return {
    of: (agentId) => counts.get(agentId) ?? 0,
    add(agentId, count) {
      const sum = (counts.get(agentId) ?? 0) + count;
      if (sum > 0) counts.set(agentId, sum);
      else counts.delete(agentId);
    },
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    copy: () => new Map(counts),
  };
}
