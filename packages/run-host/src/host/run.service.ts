import type { Tables } from "@weft/database";
import type { RunHandle, StartRunOptions } from "@weft/engine";
import type { Reach } from "@weft/http/identity";
import type { Logger } from "@weft/http/logger";
import type { Kysely } from "kysely";
import { createBacklog, type Dispatcher, type RunRelay } from "../dispatch/index.ts";
import type { RunTimings } from "../run-timings.ts";
import { createAbandonedRuns, type PatienceOf } from "./abandoned-runs.ts";
import { type Admission, createAdmission, createEntrance, type HandedOver } from "./admission.ts";
import type { HostContext } from "./host-context.ts";
import { createRunCancellation } from "./run-cancellation.ts";
import { createRunContinuation, type RunContinuation } from "./run-continuation.ts";
import { createRunIntake } from "./run-intake.ts";
import { createRunRecovery } from "./run-recovery.ts";
import type { Turnstile } from "./turnstile.ts";

/**
 * Owns the runs of this process.
 * - R1 Every run that is not over has a live lease, or waits for a human, a signal, or a moment that its row names (G7):
 *   abandoned ones and those that are due are taken over at start and with every sweep.
 * - R2 A lease is renewed well before it ends. After a stall that was longer it is renewed all the same; only what
 *   another process took meanwhile is let go.
 * - R3 Once the host is stopping no new run is accepted, and what was accepted is left resumable.
 * - R4 An `api` process accepts and answers runs like any other, and leaves their execution to the workers.
 */
export type RunService = Admission &
  RunContinuation & {
    /** Throws `at-capacity` for a message of this share that should not even be read now: `Turnstile`, T6. */
    assertInTime: Turnstile["assertInTime"];
    /** Ends a run, wherever it is. Resolves when no new step of it starts any more (G8). */
    cancel(runId: string): Promise<void>;
    /** Ends the runs of the reachable chats with that id. */
    cancelChat(agentId: string, chatId: string, reach: Reach): Promise<void>;
    /** For the transaction that deletes an agent: its runs end within seconds, wherever they are. */
    cancelOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
    /** Takes over what other processes, or this one before its restart, left unfinished, and keeps doing so. */
    start(): Promise<void>;
    /** Lets go of the runs, resumable. Call it once the host's `stopping` is aborted. */
    shutDown(): Promise<void>;
  };

export type RunServiceDeps = {
  startRun(options: StartRunOptions): RunHandle;
  turnstile: Turnstile;
  /** For runs of built-in flows, so that they take no slots from runs that answer someone. */
  builtInTurnstile: Turnstile;
  patienceMs: PatienceOf;
  /** Whether this process works on runs. */
  isWorker: boolean;
  /** Takes ready runs while fewer than this run here. */
  maxRunning: number;
  /** Leaves runs to others while fewer than this wait for them. */
  maxWaiting: number;
  dispatcher: Dispatcher;
  /** Lets other processes follow what happens here. */
  relay?: RunRelay | undefined;
  timings: RunTimings;
};

export function createRunService(context: HostContext, deps: RunServiceDeps): RunService {
  const { store, signals, clock, active, turns, lessee, logger } = context;
  const { isWorker, dispatcher, relay, timings } = deps;
  const entrance = createEntrance(context, {
    ...deps,
    delegatedStarted: (runId) => relay?.begun(runId),
    placeFreed(runId) {
      relay?.left(runId);
      intake.placeFreed();
    },
    others: isWorker ? undefined : { backlog: createBacklog(store.countReady, deps.maxWaiting, logger), handOver },
  });
  const admission = createAdmission(context, entrance);
  const continuation = createRunContinuation(context, entrance);
  const recovery = createRunRecovery(context, entrance, continuation.resumeDue);
  const cancellation = createRunCancellation(context, recovery.takeOver);
  const intake = createRunIntake(context, { maxRunning: deps.maxRunning, take: recovery.takeReady });
  const abandonedRuns = createAbandonedRuns(context, deps.patienceMs);
  const renew = createRenewal(context, cancellation.cancelHere);
  const endings: (() => void)[] = [];

  async function handOver({ isLeased, ...run }: HandedOver): Promise<void> {
    try {
      if (isLeased) await store.handOver(run);
      dispatcher.announce("runs");
    } catch (cause) {
      // Another process takes it over when its lease ends.
      logger.warn("run-not-handed-over", { runId: run.id, cause });
    }
  }

  return {
    ...admission,
    ...continuation,
    assertInTime: deps.turnstile.assertInTime,
    cancelChat: cancellation.cancelChat,
    cancelOfAgent: (tx, agentId) => store.requestCancelOfAgent(tx, agentId, clock.now()),
    cancel: cancellation.cancel,
    async start() {
      signals.announce(lessee.owner);
      await store.voidLeases();
      for (const runId of await store.listHeld()) turns.detached(runId);
      const sweep = isWorker ? recovery.recover : recovery.letGo;
      await sweep();
      endings.push(signals.hear("run-cancel-requested", cancellation.cancelHere), abandonedRuns.answer());
      const again = [
        { ms: timings.renewEveryMs, failure: "lease-renewal-failed", work: renew },
        { ms: timings.sweepEveryMs, failure: "sweep-failed", work: sweep },
        { ms: timings.renewEveryMs, failure: "abandoned-runs-not-ended", work: abandonedRuns.sweep },
      ];
      if (isWorker) {
        endings.push(dispatcher.onWake("runs", intake.wake), dispatcher.onWake("due", recovery.recoverDue));
        const look = async () => void intake.wake();
        again.push({ ms: timings.sweepEveryMs, failure: "ready-runs-not-claimed", work: look });
        await look();
      }
      endings.push(...again.map((repeated) => every(repeated, logger)));
    },
    async shutDown() {
      for (const end of endings.splice(0)) end();
      const left = [...active.keys()];
      const done = [...active.values()].map(({ handle }) => handle.done);
      // At once: callers waiting for one of them learn of the end next.
      for (const { handle } of active.values()) handle.stop();
      await intake.close();
      const expired = AbortSignal.timeout(timings.shutDownGraceMs);
      const grace = new Promise((resolve) => expired.addEventListener("abort", resolve));
      await Promise.race([Promise.allSettled(done), grace]);
      turns.close();
      await store.releaseLeases(lessee.owner);
      for (const _ of left) dispatcher.announce("runs");
      await dispatcher.close();
    },
  };
}

/** Renews the leases of this process, and learns of cancels requested at other processes. */
function createRenewal({ store, active, lessee, watcher }: HostContext, cancelHere: (runId: string) => void) {
  let lostBefore: ReadonlySet<string> = new Set();

  return async (): Promise<void> => {
    if (active.size === 0) return;
    const runIds = [...active.keys()];
    const lost = new Set(await store.renewLeases({ ...lessee, runIds }));
    // One that ends or waits at this moment is gone by the next time.
    for (const runId of lost) if (lostBefore.has(runId)) active.get(runId)?.handle.stop();
    lostBefore = lost;
    watcher?.leasesRenewed(runIds.length - lost.size, lost.size);
    for (const runId of await store.cancelRequested(runIds)) cancelHere(runId);
  };
}

type Repeated = { ms: number; failure: string; work(): Promise<void> };

/**
 * Repeats work, with the interval varied by up to a tenth, so that processes do not query the database in step. Returns
 * a function that stops it.
 */
function every({ ms, failure, work }: Repeated, logger: Logger): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const wait = () => {
    if (isOver) return;
    timer = setTimeout(round, ms * (0.9 + Math.random() / 5));
    timer.unref();
  };
  const round = () => {
    work()
      .catch((cause: unknown) => logger.error(failure, { cause }))
      .finally(wait);
  };
  wait();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
