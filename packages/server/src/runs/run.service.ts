import type { CompiledFlow, RunHandle } from "@weft/engine";
import { type RunEventOf, type RunInput, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Signals } from "../storage/signals.ts";
import type { RunRow, Tables } from "../storage/tables.ts";
import type { RunStore } from "./run.store.ts";
import { createRunCancellation, type RunCancellation } from "./run-cancellation.ts";
import { createRunContinuation, flowGone, type RunContinuation } from "./run-continuation.ts";
import { createRunTracker, type RunTrackerDeps } from "./run-tracker.ts";
import { firstTurn, turnOf } from "./run-turn.ts";

/**
 * Owns the runs of this process.
 * - R1 Every run that is not over has a live lease, or waits for a human (G7): abandoned ones are taken over at start
 *   and every five seconds.
 * - R2 A lease is renewed well before it ends; a run whose lease is gone is let go without a trace.
 * - R3 After `shutDown` no new run is accepted, and what was accepted is left resumable.
 */
export type RunService = RunContinuation &
  Pick<RunCancellation, "cancel" | "cancelChat"> & {
    /** Begins a run. Throws `at-capacity` or `shutting-down` before anything is written. */
    begin(request: BeginRun): RunHandle;
    /** For the transaction that deletes an agent: its runs end within seconds, wherever they are. */
    cancelOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
    /** Takes over what other processes, or this one before its restart, left unfinished. */
    recover(): Promise<void>;
    startSweeping(): void;
    shutDown(): Promise<void>;
  };

export type BeginRun = {
  runId: string;
  begin: RunEventOf<"run-started">;
  flow: CompiledFlow;
  warnings: readonly { code: string; message: string }[];
  live: boolean;
};

export type RunServiceDeps = RunTrackerDeps & {
  store: RunStore;
  /** What other processes on the database say. */
  signals: Pick<Signals, "hear">;
  /** The flow that a run began with, with its own overrides; undefined when the version is gone. */
  flowOfRun(agentVersionId: string, input: RunInput): Promise<CompiledFlow | undefined>;
  owner: string;
};

/** How long a run stays with a process that gives no sign of life (E8). */
export const runLeaseMs = 10_000;
const renewEveryMs = 3_000;
const sweepEveryMs = 5_000;
const shutDownGraceMs = 10_000;
export function createRunService(deps: RunServiceDeps): RunService {
  const { store, signals, engine, active, owner, logger } = deps;
  const tracker = createRunTracker(deps);
  const lessee = { owner, leaseMs: runLeaseMs };
  const cancellation = createRunCancellation({ ...deps, clock: engine.clock, lessee, takeOver });
  const endings: (() => void)[] = [];
  let isStopping = false;

  function assertAccepting(): void {
    if (isStopping) throw new WeftError("shutting-down");
  }

  async function takeOver(row: RunRow): Promise<void> {
    const loaded = await store.load(row.id);
    const first = loaded?.events[0];
    if (!loaded || first?.type !== "run-started") return;
    const flow = await deps.flowOfRun(row.agentVersionId, first.input);
    const turn = turnOf(loaded.events);
    if (!flow || !turn) return giveUp(row);
    // Decided before the run goes on: it could end in its own way while this is read.
    const isUnwanted = row.cancelRequested === 1 || (await isOrphan(store, first));
    if (active.has(row.id) || isStopping) return;
    const options = { runId: row.id, epoch: row.leaseEpoch, flow, events: loaded.events, live: true };
    logger.info("run-recovered", { runId: row.id, lastSeq: row.lastSeq });
    const handle = tracker.track(options, turn, tracker.admit(first));
    if (isUnwanted) handle.cancel();
  }

  /** Ends a run whose flow is gone: it could never go on, and nothing stays unfinished for ever (G7). */
  async function giveUp(row: RunRow): Promise<void> {
    const { code, message, retryable } = new WeftError("flow-invalid", { params: { reason: flowGone } });
    const error = { code, message, retryable };
    const event = { type: "run-failed", error, nodeKey: null, seq: row.lastSeq + 1, at: engine.clock.now() } as const;
    await store.append({ runId: row.id, epoch: row.leaseEpoch, events: [event] });
  }

  async function recover(): Promise<void> {
    for (const row of await store.claimAbandoned({ owner, leaseMs: runLeaseMs, limit: 100 })) {
      // One that fails now is tried again when its lease has run out, and is in nobody's way until then.
      await takeOver(row).catch((cause: unknown) => logger.error("run-not-recovered", { runId: row.id, cause }));
    }
  }

  /** Keeps the leases of this process, and hears of cancels that another process was asked for. */
  async function renew(): Promise<void> {
    if (active.size === 0) return;
    const runIds = [...active.keys()];
    await store.renewLeases({ owner, runIds, leaseMs: runLeaseMs });
    for (const runId of await store.cancelRequested(runIds)) cancellation.cancelHere(runId);
  }

  function every(ms: number, name: string, work: () => Promise<void>): void {
    let isBusy = false;
    const timer = setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      work()
        .catch((cause: unknown) => logger.error(name, { cause }))
        .finally(() => {
          isBusy = false;
        });
    }, ms);
    timer.unref();
    endings.push(() => clearInterval(timer));
  }

  return {
    begin({ runId, begin, flow, warnings, live }) {
      assertAccepting();
      const turn = firstTurn(begin, engine.clock.now());
      return tracker.track({ runId, epoch: 1, flow, begin, warnings, live }, turn, tracker.admit(begin));
    },
    ...createRunContinuation({ ...deps, tracker, lessee, assertAccepting }),
    cancelChat: cancellation.cancelChat,
    cancelOfAgent: (tx, agentId) => store.requestCancelOfAgent(tx, agentId, engine.clock.now()),
    cancel: cancellation.cancel,
    recover,
    startSweeping() {
      endings.push(signals.hear("run-cancel-requested", cancellation.cancelHere));
      every(renewEveryMs, "lease-renewal-failed", renew);
      every(sweepEveryMs, "sweep-failed", recover);
    },
    async shutDown() {
      isStopping = true;
      for (const end of endings.splice(0)) end();
      const done = [...active.values()].map(({ handle }) => handle.done);
      for (const { handle } of active.values()) handle.stop();
      const expired = AbortSignal.timeout(shutDownGraceMs);
      const grace = new Promise((resolve) => expired.addEventListener("abort", resolve));
      await Promise.race([Promise.allSettled(done), grace]);
      await store.releaseLeases(owner);
    },
  };
}

/** Whether nobody waits for the answer any more. */
async function isOrphan(store: RunStore, { parentRunId }: RunEventOf<"run-started">): Promise<boolean> {
  return parentRunId !== undefined && !(await store.isWanted(parentRunId));
}
