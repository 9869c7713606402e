import type { RunEvent, RunEventBody } from "@weft/schema";
import type { Graph } from "../flow/graph.ts";
import type { Clock } from "../ports/clock.ts";
import type { Journal } from "../ports/journal.ts";
import type { RunObserver } from "../ports/observer.ts";
import { applyEvent } from "./fold.ts";
import type { RunState } from "./run-state.ts";

/**
 * Writes one run's journal.
 * - J1 Sequence numbers are dense: `record` gives the next one and folds the event into the state at once.
 * - J2 Appends are made one after the other; events recorded while one is under way go into the next.
 * - J3 Observers are told after the append, never before (E4).
 * - J4 After a failed append every later flush fails with the same reason: this process is done with the run.
 * - J5 `isSure` holds for `confidenceMs` from the begin of an append that succeeded, or of the claim that gave this process
 *   the run. A process that takes the run over and waits that long can rely on nothing starting here on trust.
 * - J6 A terminal event is the last: what a step that was left behind still records is dropped.
 */
export type RunJournal = {
  record(body: RunEventBody): void;
  /** Resolves when everything recorded so far is durable. */
  flush(): Promise<void>;
  /**
   * Calls `act` when everything recorded so far is durable: at once if it is. Those that must wait are called in order;
   * none is after an append failed.
   */
  onceDurable(act: () => void): void;
  /** Whether this process certainly still owns the run. */
  isSure(): boolean;
  /** Resolves with this process's first append, rejects if it fails. */
  readonly accepted: Promise<void>;
};

type RunJournalOptions = {
  runId: string;
  epoch: number;
  graph: Graph;
  state: RunState;
  journal: Journal;
  observer: RunObserver;
  clock: Clock;
  /** Applied to every event before it is used: see `EngineDeps`. */
  conceal?: (body: RunEventBody) => RunEventBody;
  /** `Clock.elapsed` when this process certainly owned the run. Default now: its start is still to be written. */
  heldSince?: number | undefined;
  /** How long this process may trust that it still owns the run. Default and maximum: `confidenceMs`. */
  confidenceMs?: number | undefined;
  /** Called once, with the first append failure. */
  onFailure: (cause: unknown) => void;
};

/** Longest that any process may trust that it still owns a run. */
export const confidenceMs = 2_000;

export function createRunJournal(options: RunJournalOptions): RunJournal {
  const { runId, epoch, graph, state, journal, observer, clock, onFailure, conceal = (body) => body } = options;
  const { heldSince = clock.elapsed() } = options;
  const trustedMs = Math.min(options.confidenceMs ?? confidenceMs, confidenceMs);
  let pending: RunEvent[] = [];
  let isScheduled = false;
  let tail: Promise<void> = Promise.resolve();
  let ownedAt = heldSince;
  /** Appends that have not succeeded, and acts that wait for one. */
  let unsettled = 0;
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => undefined);

  async function appendPending(): Promise<void> {
    isScheduled = false;
    const events = pending;
    pending = [];
    const askedAt = clock.elapsed();
    await journal.append({ runId, epoch, events, begin: state.started ?? undefined });
    ownedAt = askedAt;
    first.resolve();
    unsettled -= 1;
    observer.committed(runId, events);
  }

  function fail(cause: unknown): void {
    first.reject(cause);
    onFailure(cause);
  }

  function flush(): Promise<void> {
    if (pending.length === 0 || isScheduled) return tail;
    isScheduled = true;
    unsettled += 1;
    tail = tail.then(appendPending);
    tail.catch(fail);
    return tail;
  }

  return {
    accepted: first.promise,
    isSure: () => clock.elapsed() - ownedAt < trustedMs,
    record(body) {
      if (state.end !== null) return;
      const event: RunEvent = { ...conceal(body), seq: state.lastSeq + 1, at: clock.now() };
      applyEvent(state, graph, event);
      pending.push(event);
    },
    flush,
    onceDurable(act) {
      if (pending.length === 0 && unsettled === 0) return act();
      const written = flush();
      unsettled += 1;
      written.then(
        () => {
          unsettled -= 1;
          act();
        },
        () => undefined,
      );
    },
  };
}
