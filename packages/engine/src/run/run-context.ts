import { type HistoryMessage, type JsonObject, WeftError } from "@weft/schema";
import type { Graph } from "../flow/graph.ts";
import type { NodeServices, RunInfo } from "../node-type.ts";
import type { Clock, IdSource } from "../ports/clock.ts";
import type { EffectRecorder } from "../ports/effect-recorder.ts";
import type { RememberedMessage } from "../ports/memory.ts";
import type { RunObserver } from "../ports/observer.ts";
import type { RunBudget, RunLimits } from "./run-budget.ts";
import type { RunJournal } from "./run-journal.ts";
import type { RunState } from "./run-state.ts";

/** One run in this process: its fold, its journal, and the ports that its nodes use. */
export type RunContext = RunSignals & {
  readonly info: RunInfo;
  readonly graph: Graph;
  readonly state: RunState;
  readonly journal: RunJournal;
  readonly services: NodeServices;
  readonly observer: RunObserver;
  readonly clock: Clock;
  /** Time until the run's limit ends it. */
  readonly timeLeftMs: () => number;
  readonly ids: IdSource;
  readonly limits: RunLimits;
  readonly budget: RunBudget;
  readonly recorder?: EffectRecorder;
  readonly vars: JsonObject;
  readonly live: boolean;
  readonly dataMark: () => string;
  readonly loadHistory: (limit?: number) => Promise<readonly RememberedMessage[]>;
  readonly loadLastState: () => Promise<JsonObject>;
  /** Loaded in advance if the flow's texts read the history; otherwise empty. */
  readonly templateHistory: readonly HistoryMessage[];
  /** Resolves when `signal` or `stopping` aborts. */
  readonly interrupted: Promise<void>;
  /** Called with unexpected exceptions. */
  onBug(cause: unknown): void;
};

/** Ways to end a run in this process from outside. */
export type RunSignals = {
  /** Aborted by a cancel, a limit, or a journal that cannot be written. */
  readonly signal: AbortSignal;
  /** Aborted when no further step may start. */
  readonly stopping: AbortSignal;
  /** Aborted with either of the two. */
  readonly readSignal: AbortSignal;
  abort(reason: unknown): void;
  stop(): void;
};

/**
 * Plain controllers instead of `AbortSignal.any`: the runtime retains a combined signal with listeners, and everything
 * they hold, until it is aborted. Most runs are never aborted.
 */
export function createRunSignals(): RunSignals {
  const aborted = new AbortController();
  const stopping = new AbortController();
  const reading = new AbortController();
  return {
    signal: aborted.signal,
    stopping: stopping.signal,
    readSignal: reading.signal,
    abort(reason) {
      aborted.abort(reason);
      reading.abort(reason);
    },
    stop() {
      const reason = new WeftError("shutting-down");
      stopping.abort(reason);
      reading.abort(reason);
    },
  };
}

/** Follows another signal until released, and can be aborted on its own. */
type LinkedSignal = { readonly signal: AbortSignal; abort(reason: unknown): void; release(): void };

export function linkSignal(parent: AbortSignal): LinkedSignal {
  const controller = new AbortController();
  const forward = () => controller.abort(parent.reason);
  if (parent.aborted) forward();
  parent.addEventListener("abort", forward, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => parent.removeEventListener("abort", forward),
  };
}
