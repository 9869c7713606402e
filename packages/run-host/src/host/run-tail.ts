import type { Clock } from "@weft/engine/ports/clock";
import type { Logger } from "@weft/http/logger";
import type { RunEvent } from "@weft/schema";
import type { RunTailStore } from "../journal/index.ts";
import type { RunBroadcast, RunFollower } from "./run-broadcast.ts";

export type RunTailDeps = {
  store: RunTailStore;
  broadcast: RunBroadcast;
  clock: Clock;
  /** Whether this process works on the run. */
  isHere(runId: string): boolean;
  /** Like `RunRelay.listen`, if there is a way to learn at once what happens to runs elsewhere. */
  listen?: ((runId: string, heard: () => void) => () => void) | undefined;
  logger: Logger;
};

/**
 * Follows runs wherever they are: in this process, in another on the same database, or in none until one takes over.
 * - F1 A follower gets every event after the given one, once and in order, and of runs of this process the text.
 * - F2 What is broadcast here costs nothing more; runs elsewhere are listened to, and looked up in the journal, all in one
 *   query, and only while someone follows one.
 * - F3 `left` is called when nothing more will come from here: the run is gone, the database fails, or this stops.
 */
export type RunTail = {
  follow(runId: string, afterSeq: number, follower: RunFollower): () => void;
  /** Reads on at once: these runs of other processes have progressed. */
  look(runIds: readonly string[]): void;
  /**
   * For a process that stops: waits up to `ms` for the runs that are followed here to end or to wait for a person.
   * Gives up early when no process continues any of them.
   */
  drain(ms: number): Promise<void>;
  /** Leaves every follower, including future ones. */
  close(): void;
};

/** Longest delay of another process's events. */
const pollMs = 250;
/** Another process claims a released run within this time. */
const goneOnMs = 1_500;
const drainStepMs = 100;

export function createRunTail(deps: RunTailDeps): RunTail {
  const tails = new Set<Tail>();
  let timer: NodeJS.Timeout | undefined;
  let isPolling = false;
  let isClosed = false;

  async function poll(): Promise<void> {
    const elsewhere = [...tails].filter(({ runId }) => !deps.isHere(runId));
    for (const tail of elsewhere) tail.listen();
    if (elsewhere.length === 0) return;
    const lastSeqs = await deps.store.lastSeqs([...new Set(elsewhere.map(({ runId }) => runId))]);
    for (const tail of elsewhere) tail.announce(lastSeqs.get(tail.runId));
  }

  function pollOnce(): void {
    if (isPolling) return;
    isPolling = true;
    poll()
      .catch((cause: unknown) => deps.logger.warn("run-tail-failed", { cause }))
      .finally(() => {
        isPolling = false;
      });
  }

  return {
    follow(runId, afterSeq, follower) {
      if (isClosed) {
        follower.left?.();
        return () => undefined;
      }
      const tail = createTail(deps, { runId, afterSeq, follower });
      tails.add(tail);
      timer ??= setInterval(pollOnce, pollMs).unref();
      return () => {
        tail.stop();
        tails.delete(tail);
        if (tails.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    look(runIds) {
      for (const tail of tails) if (runIds.includes(tail.runId)) tail.announce(Number.POSITIVE_INFINITY);
    },
    async drain(ms) {
      const { clock, store } = deps;
      const since = clock.elapsed();
      while (tails.size > 0 && clock.elapsed() - since < ms) {
        await clock.sleep(drainStepMs, new AbortController().signal);
        if (clock.elapsed() - since < goneOnMs || tails.size === 0) continue;
        if (!(await store.isAnyHeld([...tails].map(({ runId }) => runId)))) return;
      }
    },
    close() {
      isClosed = true;
      for (const tail of [...tails]) tail.leave();
    },
  };
}

type Tail = {
  readonly runId: string;
  /** Reads on once the journal is known to be longer; undefined when the run is gone. */
  announce(lastSeq: number | undefined): void;
  leave(): void;
  /** For a run that is elsewhere. */
  listen(): void;
  stop(): void;
};

type Following = { runId: string; afterSeq: number; follower: RunFollower };

function createTail(
  { store, broadcast, isHere, listen, logger }: RunTailDeps,
  { runId, afterSeq, follower }: Following,
): Tail {
  let lastSeq = afterSeq;
  let announcedSeq = afterSeq;
  let isOpen = true;
  let isReading = false;
  let stopListening: (() => void) | undefined;

  function leave(): void {
    if (isOpen) follower.left?.();
  }

  function take(events: readonly RunEvent[]): void {
    const fresh = events.filter(({ seq }) => seq > lastSeq);
    const [first] = fresh;
    if (!isOpen || !first) return;
    announcedSeq = Math.max(announcedSeq, fresh.at(-1)?.seq ?? 0);
    if (first.seq > lastSeq + 1) {
      void readOn();
      return;
    }
    lastSeq = fresh.at(-1)?.seq ?? lastSeq;
    follower.events(fresh);
  }

  async function readMissing(): Promise<void> {
    let isMore = true;
    while (isOpen && isMore) {
      const events = await store.eventsAfter(runId, lastSeq);
      take(events);
      isMore = events.length > 0 && lastSeq < announcedSeq;
    }
    for (const delta of isOpen ? broadcast.textsOf(runId) : []) follower.delta?.(delta);
  }

  async function readOn(): Promise<void> {
    if (isReading) return;
    isReading = true;
    try {
      await readMissing();
    } catch (cause) {
      logger.warn("run-tail-failed", { runId, cause });
      leave();
    } finally {
      isReading = false;
    }
  }

  const stopFollowing = broadcast.follow(runId, { events: take, delta: (delta) => follower.delta?.(delta) });
  const listenOnce = () => {
    stopListening ??= listen?.(runId, () => void readOn());
  };
  // Catches up with what was committed since the caller read the journal. Elsewhere, only once new events are heard.
  if (isHere(runId) || listen === undefined) void readOn();
  else listenOnce();
  return {
    runId,
    leave,
    listen: listenOnce,
    announce(seq) {
      if (seq === undefined) leave();
      else if (seq > lastSeq) void readOn();
    },
    stop() {
      isOpen = false;
      stopFollowing();
      stopListening?.();
    },
  };
}
