import type { WarningLogger } from "@weft/http/logger";
import { WeftError } from "@weft/schema";
import type { ReadyRuns } from "../journal/index.ts";

/** `session`: its key, if the run has a place in one. */
export type BacklogRun = { agentId: string; session?: string | undefined; isAnonymous: boolean };

/**
 * Refuses runs that the workers are too far behind to take, before they are accepted. Queries the database at most four
 * times a second, and only while runs are left to others. Runs the query cannot know yet are added, so that a burst is
 * not let in.
 */
export type Backlog = {
  /** Throws `at-capacity`. */
  enter(run: BacklogRun): void;
  /** The run is durable, or was refused after all. */
  leave(run: BacklogRun): void;
};

/** Most runs of one session waiting. They run one after the other, however many processes there are. */
export const maxWaitingOfSession = 100;

export function sessionAtCapacity(retryAfterSeconds: number): WeftError {
  const seconds = `${retryAfterSeconds} second${retryAfterSeconds === 1 ? "" : "s"}`;
  return new WeftError("at-capacity", {
    params: { limit: maxWaitingOfSession, retryAfterSeconds },
    message: `${maxWaitingOfSession} messages of this session are waiting for an answer. Wait until some are answered, and try again in ${seconds}.`,
  });
}

const askedEveryMs = 250;
const retryAfterSeconds = 2;

/**
 * `maxWaiting`: most runs waiting for a process. One agent may have half of them, and so may all visitors together.
 */
export function createBacklog(countReady: ReadyRuns["countReady"], maxWaiting: number, logger: WarningLogger): Backlog {
  const half = Math.ceil(maxWaiting / 2);
  let stored: Counts = createCounts();
  /** Runs that entered since the query behind `stored` began, or were not durable by then. */
  let recent = createCounts();
  /** The same for the query in progress; undefined if there is none. */
  let next: Counts | undefined;
  const pending = createCounts();
  let askedAt = Number.NEGATIVE_INFINITY;

  async function ask(now: number): Promise<void> {
    askedAt = now;
    const since = createCounts(pending);
    next = since;
    try {
      const counted = await countReady();
      stored = createCounts();
      for (const { count, ...run } of counted) stored.add(run, count);
    } catch (cause) {
      logger.warn("ready-runs-not-counted", { cause });
    } finally {
      recent = since;
      next = undefined;
    }
  }

  return {
    enter(run) {
      const now = performance.now();
      if (next === undefined && now - askedAt >= askedEveryMs) void ask(now);
      const waiting = (name: keyof Groups) => stored.of(run, name) + recent.of(run, name);
      if (waiting("session") >= maxWaitingOfSession) throw sessionAtCapacity(retryAfterSeconds);
      if (waiting("all") >= maxWaiting || waiting("agent") >= half || waiting("visitors") >= half) {
        throw new WeftError("at-capacity", { params: { limit: maxWaiting, retryAfterSeconds } });
      }
      for (const counts of [recent, next, pending]) counts?.add(run, 1);
    },
    leave: (run) => pending.add(run, -1),
  };
}

/** The names under which a run is counted; undefined: not counted. */
type Groups = Record<"all" | "agent" | "session" | "visitors", string | undefined>;

function groupsOf({ agentId, session, isAnonymous }: BacklogRun): Groups {
  return {
    all: "all",
    agent: `agent ${agentId}`,
    session: session && `session ${session}`,
    visitors: isAnonymous ? "visitors" : undefined,
  };
}

type Counts = {
  of(run: BacklogRun, group: keyof Groups): number;
  add(run: BacklogRun, count: number): void;
  copy(): Map<string, number>;
};

function createCounts(from?: Counts): Counts {
  const counts = from?.copy() ?? new Map<string, number>();
  return {
    of: (run, group) => counts.get(groupsOf(run)[group] ?? "") ?? 0,
    add(run, count) {
      for (const name of Object.values(groupsOf(run))) {
        if (name === undefined) continue;
        const sum = (counts.get(name) ?? 0) + count;
        if (sum > 0) counts.set(name, sum);
        else counts.delete(name);
      }
    },
    copy: () => new Map(counts),
  };
}
