import type { RunHandle } from "@weft/engine";
import { type RunEvent, type RunEventOf, WeftError } from "@weft/schema";
import type { Place } from "@weft/workers";
import { type RunStore, turnOf } from "../journal/index.ts";
import type { RunRow } from "../run-tables.ts";
import { isBuiltIn, shareOf } from "../share-of.ts";
import type { Entrance } from "./admission.ts";
import type { HostContext } from "./host-context.ts";
import { type Claimed, flowGone, type RunContinuation } from "./run-continuation.ts";

/**
 * Goes on with runs that no process works on: those whose process is gone, those that waited for a moment that has come,
 * and those that others left to it.
 * - V1 A run that cannot be taken over does not block others, and is tried again when its lease has ended.
 * - V2 A run may be what ended its process. One that finished nothing since it was last taken over goes on alone
 *   among its like; at its sixth take-over it ends as failed. An upsert has longer steps, and more patience.
 */
export type RunRecovery = {
  /**
   * Takes over what other processes, or this one before its restart, left unfinished, and due runs, up to the limit.
   */
  recover(): Promise<void>;
  recoverDue(): Promise<void>;
  takeOver(claimed: Claimed): Promise<void>;
  /** Continues a run that was ready and claimed. */
  takeReady(claimed: Claimed): Promise<void>;
  /** Releases runs that broke here to any process, and those claimed by a commit whose reply was lost. */
  letGo(): Promise<void>;
};

type Enter = (run: ClaimedRun) => Place & { isDelegated?: boolean };

/** `isFurther`: whether the run finished something since it was last taken over. */
type ClaimedRun = { row: RunRow; begin: RunEventOf<"run-started">; isFurther: boolean };

/** Runs claimed in one statement, and the most that a process has before it takes over more. */
const claimLimit = 100;
const maxActive = 1_000;
/** After this many take-overs in a row without progress a run is given up. */
const lastTakeOver = 6;
const lastTakeOverOfUpsert = 20;
/** A suspect that runs this long without harm lets the next one run beside it. */
const trialMs = 10_000;

export function createRunRecovery(
  context: HostContext,
  entrance: Entrance,
  resumeDue: RunContinuation["resumeDue"],
): RunRecovery {
  const { store, clock, turns, active, abandoned, stopping, logger } = context;
  const trials = createTrials(context);

  function enter({ row, begin, isFurther }: ClaimedRun): Place {
    const { turn, leave } = entrance.enter({ runId: row.id, begin, share: shareOf(begin), entry: "taken-over" });
    const isSuspect = row.takeOvers > 0 && !isFurther;
    const count = () => store.countTakeOver(row, isFurther);
    const begun = Promise.resolve(turn).then(() => (isSuspect ? trials.add(row) : count()));
    // If the database fails now, the run's next commit fails too.
    return {
      turn: begun.then(
        () => undefined,
        () => undefined,
      ),
      leave,
    };
  }

  async function takeOver(claimed: Claimed): Promise<void> {
    const { row } = claimed;
    turns.detached(row.id);
    logger.info("run-recovered", { runId: row.id, lastSeq: row.lastSeq });
    context.watcher?.takenOver();
    await goOnOrGiveUp(claimed, enter);
    turns.found(row.id);
  }

  const enterReady: Enter = ({ row, begin }) => ({
    ...entrance.enter({ runId: row.id, begin, share: shareOf(begin), entry: "ready" }),
    isDelegated: true,
  });

  async function goOnOrGiveUp({ row, heldSince }: Claimed, enter: Enter): Promise<void> {
    const events = await store.loadEvents(row);
    const [first] = events;
    if (first?.type !== "run-started") return;
    const flow = await context.flowOfRun(row.agentVersionId, first.input);
    const turn = turnOf(events);
    if (!flow || !turn) return giveUp(context, row, new WeftError("flow-invalid", { params: { reason: flowGone } }));
    // Decided before the run continues: it could end by itself while this is read.
    const isUnwanted = row.cancelRequested === 1 || (await isOrphan(store, first));
    if (stopping.aborted) return;
    // Its earlier execution here has lost it, and has not ended yet.
    if (active.has(row.id)) return void abandoned.add(row.id);
    const isFurther = hasFinishedAfter(events, row.takeOverSeq);
    const share = shareOf(first);
    const { id: runId, leaseEpoch: epoch } = row;
    const options = { runId, epoch, heldSince, flow, events, share, live: isStreamed(events) };
    const handle = entrance.start(options, turn, enter({ row, begin: first, isFurther }));
    if (!isFurther) failIfCrashed(handle, row);
    if (isUnwanted) handle.cancel();
  }

  async function takeOrLeave(claimed: Claimed, take: (claimed: Claimed) => Promise<void>): Promise<void> {
    const { row } = claimed;
    try {
      await take(claimed);
    } catch (cause) {
      logger.error("run-not-recovered", { runId: row.id, cause });
      turns.detached(row.id);
      abandoned.add(row.id);
    }
  }

  async function resumeDueOrLeave(claimed: Claimed): Promise<void> {
    const { row } = claimed;
    try {
      if (row.cancelRequested === 1) await store.cancelWaiting({ runId: row.id }, clock.now());
      else await resumeDue(claimed);
    } catch (cause) {
      if (cause instanceof WeftError && cause.code === "flow-invalid") return giveUp(context, row, cause);
      logger.error("due-run-not-continued", { runId: row.id, cause });
      await store.release(row);
    }
  }

  async function recoverDue(): Promise<void> {
    await claimAll(context, store.claimDue, resumeDueOrLeave);
  }

  return {
    takeOver,
    takeReady: (claimed) => takeOrLeave(claimed, () => goOnOrGiveUp(claimed, enterReady)),
    letGo: () => letGo(context),
    recoverDue,
    async recover() {
      await letGo(context);
      await recoverDue();
      const takeAbandoned = (claimed: Claimed) => takeOrLeave(claimed, takeOver);
      if (await claimAll(context, store.claimAbandoned, takeAbandoned)) turns.knowsAll();
    },
  };
}

/** Runs suspects one after the other, so that the one that crashes the process is found. */
function createTrials({ store, broadcast, active, clock }: HostContext) {
  let last: Promise<void> = Promise.resolve();

  async function furtherOrOver(runId: string): Promise<void> {
    const over = new AbortController();
    const end = () => over.abort();
    const stopFollowing = broadcast.follow(runId, { events: end, left: end });
    if (!active.has(runId)) end();
    await clock.sleep(trialMs, over.signal).catch(() => undefined);
    stopFollowing();
  }

  return {
    /** Counts the take-over when the run continues, not while it waits: waiting does not count against it. */
    add(row: RunRow): Promise<unknown> {
      const begun = last.then(() => store.countTakeOver(row, false));
      last = begun.then(
        () => furtherOrOver(row.id),
        () => undefined,
      );
      return begun;
    },
  };
}

/** Claims runs in batches, up to the limit. Resolves with whether none is left. */
async function claimAll(
  { active, stopping, lessee, clock }: HostContext,
  claim: RunStore["claimDue"],
  take: (claimed: Claimed) => Promise<void>,
): Promise<boolean> {
  while (active.size < maxActive && !stopping.aborted) {
    const heldSince = clock.elapsed();
    const rows = await claim({ ...lessee, limit: claimLimit, now: clock.now() });
    for (const row of rows) await take({ row, heldSince });
    if (rows.length < claimLimit) return true;
  }
  return false;
}

async function letGo({ abandoned, active, store, lessee }: HostContext): Promise<void> {
  // Possibly claimed by a commit whose reply was lost: this process does not know that it has them.
  for (const runId of await store.listEnded(lessee.owner)) if (!active.has(runId)) abandoned.add(runId);
  const runIds = [...abandoned];
  if (runIds.length === 0) return;
  await store.setAside(runIds, lessee.owner);
  for (const runId of runIds) abandoned.delete(runId);
}

/** Ends a run that cannot continue: nothing stays unfinished forever (G7). */
async function giveUp(
  { store, clock, logger }: HostContext,
  row: RunRow,
  { code, message, retryable }: WeftError,
): Promise<void> {
  logger.error("run-given-up", { runId: row.id, lastSeq: row.lastSeq, code });
  const error = { code, message, retryable };
  const event = { type: "run-failed", error, nodeKey: null, seq: row.lastSeq + 1, at: clock.now() } as const;
  await store.append({ runId: row.id, epoch: row.leaseEpoch, events: [event] });
}

/** Every execution of a run repeats the start of its open step and its calls, which is not progress. */
const beginnings: ReadonlySet<RunEvent["type"]> = new Set(["run-started", "node-started", "effect-started"]);

/** A client may follow the answer as it is written. A run that was resumed may have been asked to stream then. */
function isStreamed(events: readonly RunEvent[]): boolean {
  return events.some(
    (event) => event.type === "node-resumed" || (event.type === "run-started" && event.isStreamed !== false),
  );
}

function hasFinishedAfter(events: readonly RunEvent[], seq: number): boolean {
  return events.some((event) => event.seq > seq && !beginnings.has(event.type));
}

/** Fails a run that made no progress. */
function failIfCrashed(handle: RunHandle, { agentVersionId, takeOvers }: RunRow): void {
  const most = isBuiltIn(agentVersionId) ? lastTakeOverOfUpsert : lastTakeOver;
  if (takeOvers < most - 1) return;
  handle.fail(new WeftError("flow-crashed", { params: { count: takeOvers + 1 } }));
}

/** Nobody waits for the answer. */
async function isOrphan(store: RunStore, { parentRunId }: RunEventOf<"run-started">): Promise<boolean> {
  return parentRunId !== undefined && !(await store.isWanted(parentRunId));
}
