import type { RunRow } from "@weft/database";
import type { CompiledFlow, EngineDeps } from "@weft/engine";
import type { Logger } from "@weft/http";
import { type RunEventOf, type RunInput, WeftError } from "@weft/schema";
import { isBuiltIn, type Lessee, type RunStore, type SessionTurns, shareOf, turnOf } from "../journal/index.ts";
import type { RunBroadcast } from "./run-broadcast.ts";
import { flowGone } from "./run-continuation.ts";
import type { ActiveRun, RunTracker } from "./run-tracker.ts";
import type { Admission } from "./turnstile.ts";

export type RunRecoveryDeps = {
  store: RunStore;
  engine: Pick<EngineDeps, "clock">;
  tracker: RunTracker;
  turns: Pick<SessionTurns, "knowsAll" | "strayed" | "found">;
  active: ReadonlyMap<string, ActiveRun>;
  broadcast: Pick<RunBroadcast, "follow">;
  /** The flow that a run began with, with its own overrides; undefined when the version is gone. */
  flowOfRun(agentVersionId: string, input: RunInput): Promise<CompiledFlow | undefined>;
  lessee: Lessee;
  isStopping(): boolean;
  logger: Logger;
};

/**
 * Continues runs whose process is gone.
 * - V1 A run that cannot be taken over does not block others, and is tried again when its lease has ended.
 * - V2 A run may be what ended its process. One that did not get further since it was last taken over goes on alone
 *   among its like; at its sixth take-over it ends as failed. An upsert has longer steps, and more patience.
 */
export type RunRecovery = {
  /** Takes over what other processes, or this one before its restart, left unfinished, up to the limit. */
  recover(): Promise<void>;
  /** Continues a run that was claimed. */
  takeOver(row: RunRow): Promise<void>;
  /** This process no longer works on the run, and has not ended it. */
  abandon(runId: string): void;
};

/** How many runs are claimed in one statement, and how many one process has at most before it takes over more. */
const claimLimit = 100;
const maxActive = 1_000;
/** At this many take-overs in succession without a step further a run is given up. */
const lastTakeOver = 6;
const lastTakeOverOfUpsert = 20;
/** A suspect that runs this long without harm lets the next one run beside it. */
const trialMs = 10_000;

export function createRunRecovery(deps: RunRecoveryDeps): RunRecovery {
  const { store, engine, tracker, turns, active, lessee, logger } = deps;
  const { clock } = engine;
  /** Runs to let go of when the database answers. */
  const abandoned = new Set<string>();
  let trials: Promise<void> = Promise.resolve();

  /** Counts the take-over when the run goes on, not while it waits: waiting does not count against it. */
  async function goOn(row: RunRow): Promise<void> {
    await store.countTakeOver(row);
  }

  /** Lets suspects go on one after the other, so that the one that ends the process is found. */
  function onTrial(row: RunRow): Promise<void> {
    const begun = trials.then(() => goOn(row));
    trials = begun.then(
      () => furtherOrOver(row.id),
      () => undefined,
    );
    return begun;
  }

  async function furtherOrOver(runId: string): Promise<void> {
    const over = new AbortController();
    const end = () => over.abort();
    const stopFollowing = deps.broadcast.follow(runId, { events: end, left: end });
    if (!active.has(runId)) end();
    await clock.sleep(trialMs, over.signal).catch(() => undefined);
    stopFollowing();
  }

  function admit(row: RunRow, begin: RunEventOf<"run-started">): Admission {
    const { turn, leave } = tracker.admit({ runId: row.id, begin, share: shareOf(begin), isTakenOver: true });
    const isSuspect = row.takeOvers > 0 && row.lastSeq === row.takeOverSeq;
    const begun = Promise.resolve(turn).then(() => (isSuspect ? onTrial(row) : goOn(row)));
    // A database that fails now fails the run's next commit, too.
    return { turn: begun.catch(() => undefined), leave };
  }

  async function takeOver(row: RunRow): Promise<void> {
    turns.strayed(row.id);
    await goOnOrGiveUp(row);
    turns.found(row.id);
  }

  async function goOnOrGiveUp(row: RunRow): Promise<void> {
    const loaded = await store.load(row.id);
    const first = loaded?.events[0];
    if (!loaded || first?.type !== "run-started") return;
    const flow = await deps.flowOfRun(row.agentVersionId, first.input);
    const turn = turnOf(loaded.events);
    if (!flow || !turn) return giveUp(row, new WeftError("flow-invalid", { params: { reason: flowGone } }));
    // Decided before the run goes on: it could end in its own way while this is read.
    const isUnwanted = row.cancelRequested === 1 || (await isOrphan(store, first));
    if (active.has(row.id) || deps.isStopping()) return;
    const share = shareOf(first);
    const options = { runId: row.id, epoch: row.leaseEpoch, flow, events: loaded.events, share, live: true };
    logger.info("run-recovered", { runId: row.id, lastSeq: row.lastSeq });
    const handle = tracker.track(options, turn, admit(row, first));
    if (hasCrashed(row)) handle.fail(new WeftError("flow-crashed", { params: { count: row.takeOvers + 1 } }));
    if (isUnwanted) handle.cancel();
  }

  /** Ends a run that cannot continue: nothing stays unfinished forever (G7). */
  async function giveUp(row: RunRow, { code, message, retryable }: WeftError): Promise<void> {
    logger.error("run-given-up", { runId: row.id, lastSeq: row.lastSeq, code });
    const error = { code, message, retryable };
    const event = { type: "run-failed", error, nodeKey: null, seq: row.lastSeq + 1, at: clock.now() } as const;
    await store.append({ runId: row.id, epoch: row.leaseEpoch, events: [event] });
  }

  async function takeOverOrLeave(row: RunRow): Promise<void> {
    try {
      await takeOver(row);
    } catch (cause) {
      logger.error("run-not-recovered", { runId: row.id, cause });
      abandon(row.id);
    }
  }

  function abandon(runId: string): void {
    turns.strayed(runId);
    abandoned.add(runId);
  }

  async function letGo(): Promise<void> {
    const runIds = [...abandoned];
    if (runIds.length === 0) return;
    await store.setAside(runIds, lessee.owner);
    for (const runId of runIds) abandoned.delete(runId);
  }

  return {
    takeOver,
    abandon,
    async recover() {
      await letGo();
      while (active.size < maxActive && !deps.isStopping()) {
        const claimed = await store.claimAbandoned({ ...lessee, limit: claimLimit });
        for (const row of claimed) await takeOverOrLeave(row);
        if (claimed.length < claimLimit) return turns.knowsAll();
      }
    },
  };
}

function hasCrashed({ agentVersionId, takeOvers, lastSeq, takeOverSeq }: RunRow): boolean {
  const most = isBuiltIn(agentVersionId) ? lastTakeOverOfUpsert : lastTakeOver;
  return takeOvers >= most - 1 && lastSeq === takeOverSeq;
}

/** Whether nobody waits for the answer. */
async function isOrphan(store: RunStore, { parentRunId }: RunEventOf<"run-started">): Promise<boolean> {
  return parentRunId !== undefined && !(await store.isWanted(parentRunId));
}
