import {
  type CompiledFlow,
  type EngineDeps,
  type RunHandle,
  type RunOutcome,
  type StartRunOptions,
  startRun,
} from "@weft/engine";
import { type RunEventOf, type RunInput, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Logger } from "../logger.ts";
import type { RunRow, Tables } from "../storage/tables.ts";
import type { RunStore } from "./run.store.ts";
import type { Admission, Turnstile } from "./turnstile.ts";

/**
 * Owns the runs of this process.
 * - R1 Every run that is not over has a live lease, or waits for a human (G7): abandoned ones are taken over at start
 *   and every five seconds.
 * - R2 A lease is renewed well before it ends; a run whose lease is gone is let go without a trace.
 * - R3 After `shutDown` no new run is accepted, and what was accepted is left resumable.
 */
export type RunService = {
  /** Begins a run. Throws `at-capacity` or `shutting-down` before anything is written. */
  begin(request: BeginRun): RunHandle;
  /** Asks the runs of a chat to end. Resolves when no new step of them starts any more. */
  cancelChat(agentId: string, chatId: string): Promise<void>;
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

export type ActiveRun = { handle: RunHandle; flow: CompiledFlow; askedAt: number };

export type RunServiceDeps = {
  store: RunStore;
  engine: EngineDeps;
  turnstile: Turnstile;
  /** Runs of this process by id, shared with the projection that writes their chat messages. */
  active: Map<string, ActiveRun>;
  /** The flow that a run began with, with its own overrides; undefined when the version is gone. */
  flowOfRun(agentVersionId: string, input: RunInput): Promise<CompiledFlow | undefined>;
  owner: string;
  logger: Logger;
};

/** How long a run stays with a process that gives no sign of life (E8). */
export const runLeaseMs = 10_000;
const renewEveryMs = 3_000;
const sweepEveryMs = 5_000;
const shutDownGraceMs = 10_000;

export function createRunService(deps: RunServiceDeps): RunService {
  const { store, engine, turnstile, active, owner, logger } = deps;
  const timers: NodeJS.Timeout[] = [];
  let isStopping = false;

  function track(options: StartRunOptions, askedAt: number, admission: Admission): RunHandle {
    const handle = startOrLeave(options, admission);
    active.set(options.runId, { handle, flow: options.flow, askedAt });
    const leave = (outcome: RunOutcome) => {
      active.delete(options.runId);
      admission.leave();
      logger.debug("run-ended", { runId: options.runId, outcome });
    };
    handle.done.then(leave, (cause: unknown) => {
      logger.error("run-broke", { runId: options.runId, cause });
      leave("lost");
    });
    return handle;
  }

  /** A journal that cannot be folded throws, and must not keep its place in line. */
  function startOrLeave(options: StartRunOptions, admission: Admission): RunHandle {
    try {
      return startRun(engine, admission.turn ? { ...options, turn: admission.turn } : options);
    } catch (cause) {
      admission.leave();
      throw cause;
    }
  }

  async function takeOver(row: RunRow): Promise<void> {
    const loaded = await store.load(row.id);
    const first = loaded?.events[0];
    if (!loaded || first?.type !== "run-started") return;
    const flow = await deps.flowOfRun(row.agentVersionId, first.input);
    if (!flow) return giveUp(row);
    if (active.has(row.id) || isStopping) return;
    const options = { runId: row.id, epoch: row.leaseEpoch, flow, events: loaded.events, live: false };
    logger.info("run-recovered", { runId: row.id, lastSeq: row.lastSeq });
    const handle = track(options, first.at, turnstile.enter(sessionKey(row)));
    if (row.cancelRequested === 1) handle.cancel();
  }

  /** Ends a run whose flow is gone: it could never go on, and nothing stays unfinished for ever (G7). */
  async function giveUp(row: RunRow): Promise<void> {
    const reason = "the version that this run began with is no longer there, so the run cannot go on.";
    const { code, message, retryable } = new WeftError("flow-invalid", { params: { reason } });
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
    for (const runId of await store.cancelRequested(runIds)) active.get(runId)?.handle.cancel();
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
    timers.push(timer.unref());
  }

  return {
    begin({ runId, begin, flow, warnings, live }) {
      if (isStopping) throw new WeftError("shutting-down");
      const admission = turnstile.enter(sessionKey(begin));
      return track({ runId, epoch: 1, flow, begin, warnings, live }, engine.clock.now(), admission);
    },
    async cancelChat(agentId, chatId) {
      for (const run of await store.listOpen({ agentId, chatId })) {
        await store.requestCancel(run.id);
        active.get(run.id)?.handle.cancel();
      }
    },
    cancelOfAgent: store.requestCancelOfAgent,
    recover,
    startSweeping() {
      every(renewEveryMs, "lease-renewal-failed", renew);
      every(sweepEveryMs, "sweep-failed", recover);
    },
    async shutDown() {
      isStopping = true;
      for (const timer of timers) clearInterval(timer);
      const done = [...active.values()].map(({ handle }) => handle.done);
      for (const { handle } of active.values()) handle.stop();
      const expired = AbortSignal.timeout(shutDownGraceMs);
      const grace = new Promise((resolve) => expired.addEventListener("abort", resolve));
      await Promise.race([Promise.allSettled(done), grace]);
      await store.releaseLeases(owner);
    },
  };
}

/** Sessions belong to an agent: the same session id of two agents is two sessions. */
function sessionKey({ agentId, sessionId }: { agentId: string; sessionId: string }): string {
  return `${agentId}/${sessionId}`;
}
