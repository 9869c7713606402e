import type { RunRow, Signals, Tables } from "@weft/database";
import { type Clock, type CompiledFlow, confidenceMs, type RunHandle } from "@weft/engine";
import { type Logger, type Reach, reaches } from "@weft/http";
import { chatOwnerOf, type RunEventOf, type RunInput, type Share, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import { firstTurn, type Lessee, type ReachedChat, type RunStore, shareOf } from "../journal/index.ts";
import { type AbandonedRunsDeps, createAbandonedRuns } from "./abandoned-runs.ts";
import type { RunBroadcast } from "./run-broadcast.ts";
import { createRunContinuation, type RunContinuation } from "./run-continuation.ts";
import { createRunRecovery } from "./run-recovery.ts";
import { type ActiveRun, createRunTracker, type RunTrackerDeps } from "./run-tracker.ts";

/**
 * Owns the runs of this process.
 * - R1 Every run that is not over has a live lease, or waits for a human (G7): abandoned ones are taken over at start
 *   and every second.
 * - R2 A lease is renewed well before it ends. After a stall that was longer it is renewed all the same; only what
 *   another process took meanwhile is let go.
 * - R3 After `shutDown` no new run is accepted, and what was accepted is left resumable.
 */
export type RunService = RunContinuation &
  Pick<RunCancellation, "cancel" | "cancelChat"> & {
    /** Begins a run. Throws `at-capacity` or `shutting-down` before anything is written. */
    begin(request: BeginRun): RunHandle;
    /** For the transaction that deletes an agent: its runs end within seconds, wherever they are. */
    cancelOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
    /** Takes over what other processes, or this one before its restart, left unfinished, and keeps doing so. */
    start(): Promise<void>;
    shutDown(): Promise<void>;
  };

export type BeginRun = {
  runId: string;
  begin: RunEventOf<"run-started">;
  /** Default: that of its agent and owner. */
  share?: Share;
  flow: CompiledFlow;
  warnings: readonly { code: string; message: string }[];
  live: boolean;
};

export type RunServiceDeps = Omit<RunTrackerDeps, "abandon"> &
  Pick<AbandonedRunsDeps, "patienceMs"> & {
    broadcast: RunBroadcast;
    store: RunStore;
    /** Signals from other processes on the database. */
    signals: Pick<Signals, "hear">;
    /** The flow that a run began with, with its own overrides; undefined when the version is gone. */
    flowOfRun(agentVersionId: string, input: RunInput): Promise<CompiledFlow | undefined>;
    owner: string;
  };

/** How long a run stays with a process that shows no sign of life (E8). */
export const runLeaseMs = 6_000;
const renewEveryMs = 1_500;
const sweepEveryMs = 1_000;
const shutDownGraceMs = 10_000;
export function createRunService(deps: RunServiceDeps): RunService {
  const { store, signals, engine, active, turns, owner, logger } = deps;
  let isStopping = false;
  const tracker = createRunTracker({ ...deps, abandon: (runId) => recovery.abandon(runId) });
  const lessee = { owner, leaseMs: runLeaseMs };
  const recovery = createRunRecovery({ ...deps, tracker, lessee, isStopping: () => isStopping });
  const cancellation = createRunCancellation({ ...deps, clock: engine.clock, lessee, takeOver: recovery.takeOver });
  const abandoned = createAbandonedRuns({ ...deps, clock: engine.clock });
  const endings: (() => void)[] = [];
  let lostBefore: ReadonlySet<string> = new Set();

  function assertAccepting(): void {
    if (isStopping) throw new WeftError("shutting-down");
  }

  /** Keeps the leases of this process, and hears of cancels that another process was asked for. */
  async function renew(): Promise<void> {
    if (active.size === 0) return;
    const runIds = [...active.keys()];
    const lost = new Set(await store.renewLeases({ owner, runIds, leaseMs: runLeaseMs }));
    // One that ends or waits at this moment is gone by the next time.
    for (const runId of lost) if (lostBefore.has(runId)) active.get(runId)?.handle.stop();
    lostBefore = lost;
    for (const runId of await store.cancelRequested(runIds)) cancellation.cancelHere(runId);
  }

  /** Again and again, a tenth sooner or later each time: many processes do not ask the database in step. */
  function every(ms: number, name: string, work: () => Promise<void>): void {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const wait = () => {
      if (isOver) return;
      timer = setTimeout(round, ms * (0.9 + Math.random() / 5));
      timer.unref();
    };
    const round = () => {
      work()
        .catch((cause: unknown) => logger.error(name, { cause }))
        .finally(wait);
    };
    wait();
    endings.push(() => {
      isOver = true;
      clearTimeout(timer);
    });
  }

  return {
    begin({ runId, begin, share = shareOf(begin), flow, warnings, live }) {
      assertAccepting();
      const turn = firstTurn(begin, engine.clock.now());
      const options = { runId, epoch: 1, flow, begin, share, warnings, live };
      return tracker.track(options, turn, tracker.admit({ runId, begin, share }));
    },
    ...createRunContinuation({ ...deps, tracker, lessee, assertAccepting }),
    cancelChat: cancellation.cancelChat,
    cancelOfAgent: (tx, agentId) => store.requestCancelOfAgent(tx, agentId, engine.clock.now()),
    cancel: cancellation.cancel,
    async start() {
      await store.voidLeases();
      await recovery.recover();
      endings.push(signals.hear("run-cancel-requested", cancellation.cancelHere));
      every(renewEveryMs, "lease-renewal-failed", renew);
      every(sweepEveryMs, "sweep-failed", recovery.recover);
      every(renewEveryMs, "abandoned-runs-not-ended", abandoned.sweep);
    },
    async shutDown() {
      isStopping = true;
      for (const end of endings.splice(0)) end();
      const done = [...active.values()].map(({ handle }) => handle.done);
      for (const { handle } of active.values()) handle.stop();
      const expired = AbortSignal.timeout(shutDownGraceMs);
      const grace = new Promise((resolve) => expired.addEventListener("abort", resolve));
      await Promise.race([Promise.allSettled(done), grace]);
      turns.close();
      await store.releaseLeases(owner);
    },
  };
}

type RunCancellationDeps = {
  store: Pick<RunStore, "cancelWaiting" | "isRunning" | "listOpen" | "requestCancel" | "seize">;
  clock: Clock;
  /** Runs of this process by id. */
  active: ReadonlyMap<string, ActiveRun>;
  /** Goes on here with a run that was seized, and ends it because a cancel was asked for. */
  takeOver(row: RunRow): Promise<void>;
  lessee: Lessee;
  logger: Logger;
};

/**
 * Ends runs before their time, wherever they are. What resolves does so when no new step of them starts any more (G8):
 * a run of this process stops at once; another process hears of the cancel, and ends the run; one that does not in time
 * loses the run, which is ended here.
 */
type RunCancellation = {
  cancel(runId: string): Promise<void>;
  /** Of the chats of that id those that are reached. */
  cancelChat(agentId: string, chatId: string, reach: Reach): Promise<void>;
  /** For what other processes ask for. Nothing happens to a run that is not here. */
  cancelHere(runId: string): void;
};

/** How long another process may take to end a run. */
const patienceMs = 2_000;
const pollMs = 20;

function createRunCancellation(deps: RunCancellationDeps): RunCancellation {
  const { store, clock, active, takeOver, lessee, logger } = deps;

  function cancelHere(runId: string): void {
    active.get(runId)?.handle.cancel();
  }

  /** A run may ask its model before its beginning is committed: the database does not know it yet. */
  function cancelChatHere({ agentId, chatId, reach }: ReachedChat): void {
    for (const { handle } of active.values()) {
      const { started } = handle.state;
      if (started?.agentId !== agentId || started.chatId !== chatId) continue;
      if (reaches(reach, { agentId, owner: chatOwnerOf(started) })) handle.cancel();
    }
  }

  async function cancel(runId: string): Promise<void> {
    // First, so that a run that this one called ends with it.
    cancelHere(runId);
    const run = await store.requestCancel(runId);
    // One that is about to be answered either ends here, or goes on and hears of it.
    if (run?.status === "suspended") await store.cancelWaiting({ runId }, clock.now());
    cancelHere(runId);
    if (run !== undefined && !active.has(runId)) await endElsewhere(runId);
  }

  async function endElsewhere(runId: string): Promise<void> {
    const until = clock.now() + patienceMs;
    while (await store.isRunning(runId)) {
      if (clock.now() >= until) return endSeized(runId);
      await clock.sleep(pollMs, new AbortController().signal);
    }
  }

  async function endSeized(runId: string): Promise<void> {
    const row = await store.seize(runId, lessee);
    if (row === undefined) return;
    logger.warn("run-seized", { runId });
    await takeOver(row);
    // Its process may not know yet, and begin one more read on trust.
    await clock.sleep(confidenceMs, new AbortController().signal);
  }

  return {
    cancel,
    cancelHere,
    async cancelChat(agentId, chatId, reach) {
      cancelChatHere({ agentId, chatId, reach });
      for (const run of await store.listOpen({ agentId, chatId, reach })) await cancel(run.id);
    },
  };
}
