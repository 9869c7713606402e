import type { Tables } from "@weft/database";
import { createPoller } from "@weft/run-host";
import { type StoreCheck, type StoreCheckSettings, type StoreEvaluation, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import { getStore, lockStore } from "../state/document-store.store.ts";
import type { StoreContext } from "../store-context.ts";
import * as store from "./check.store.ts";
import type { Questions } from "./create-questions.ts";
import { listQuestions } from "./question.store.ts";

/** Outcome of a check after an upsert. `dropped`: it completed, and recall is lower than before. */
export type CheckOutcome = "kept" | "dropped" | "failed";

type Checking = StoreContext & {
  questions: Questions;
  onChecked(outcome: CheckOutcome): void;
};

/**
 * Checks of a store's questions that follow from its upserts. Invariants:
 * - C1 What an upsert owes is noted in the transaction of its end, and paid off in that of the evaluation: a process that
 *   is killed in between loses neither, and the next one begins the check again.
 * - C2 Whoever evaluates a store holds its lease, and only the holder's outcome is kept: none is there twice.
 * - C3 A check begins when the store is quiet. It sees all upserts that ended before it, and those that end later owe
 *   another one.
 */
export type StoreChecks = {
  /** Rejects with `not-found` for an unknown store. */
  read(storeId: string): Promise<StoreCheck>;
  change(storeId: string, settings: StoreCheckSettings): Promise<StoreCheck>;
  start(): Promise<void>;
  /** Stops the running check. */
  stop(): Promise<void>;
};

const lookEveryMs = 2_000;
const isolation = { isolation: "read-committed" } as const;

export function createStoreChecks(
  context: StoreContext,
  questions: Questions,
  onChecked: (outcome: CheckOutcome) => void,
): StoreChecks {
  const { database, clock, logger } = context;
  const checkClock = toCheckClock(context);
  const poller = createPoller({
    clock,
    everyMs: lookEveryMs,
    async round(signal) {
      for (const storeId of await store.listDueChecks(database.read, checkClock)) {
        signal.throwIfAborted();
        await check({ ...context, questions, onChecked }, storeId, signal);
      }
    },
    onFailure: (cause) => logger.error("store-checks-failed", { cause }),
  });

  async function read(storeId: string): Promise<StoreCheck> {
    await getStore(database.read, storeId);
    const row = await store.findCheck(database.read, storeId);
    if (row === undefined) return { afterIndexing: false, state: "idle", error: null };
    const isOwed = row.asked > row.done;
    const state = isOwed ? (row.leaseOwner === "" ? "waiting" : "running") : "idle";
    return { afterIndexing: row.isOn === 1, state, error: row.error === "" ? null : row.error };
  }

  return {
    read,
    async change(storeId, { afterIndexing }) {
      await database.write(async (tx) => {
        await lockStore(tx, storeId);
        await store.setCheck(tx, storeId, afterIndexing);
      }, isolation);
      return read(storeId);
    },
    async start() {
      if (database.dialect === "sqlite") await database.write(store.releaseAllChecks, isolation);
      poller.start();
    },
    stop: poller.stop,
  };
}

function toCheckClock({ database, clock }: StoreContext): store.CheckClock {
  return { dialect: database.dialect, now: clock.now };
}

async function check(checking: Checking, storeId: string, stopping: AbortSignal): Promise<void> {
  const { database, ids, logger } = checking;
  const clock = toCheckClock(checking);
  const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn, isolation);
  const claim = { storeId, leaseOwner: ids.uuid() };
  const claimed = await write((tx) => store.claimCheck(tx, clock, claim));
  if (claimed === undefined) return;
  const lost = new AbortController();
  const renewing = renew(checking, claimed, lost);
  try {
    const evaluation = await evaluateClaimed(checking, claimed, AbortSignal.any([stopping, lost.signal]));
    if (evaluation !== undefined) report(checking, evaluation);
  } catch (cause) {
    if (lost.signal.aborted || cause instanceof LeaseLostError) return;
    if (stopping.aborted) {
      await write((tx) => store.releaseCheck(tx, claimed));
      return;
    }
    const error = cause instanceof WeftError ? cause.message : "The check failed. The log of the server says why.";
    // The store was deleted meanwhile.
    if (!(await write((tx) => store.failCheck(tx, clock, { ...claimed, error })))) return;
    logger.error("store-check-failed", { storeId, cause });
    checking.onChecked("failed");
  } finally {
    renewing.stop();
  }
}

/** Undefined if the store has no questions. */
async function evaluateClaimed(
  checking: Checking,
  claimed: store.ClaimedCheck,
  signal: AbortSignal,
): Promise<StoreEvaluation | undefined> {
  const { database, questions } = checking;
  const { storeId } = claimed;
  const checkClock = toCheckClock(checking);
  const keep = async (tx: Kysely<Tables>) => {
    if (!(await store.finishCheck(tx, checkClock, claimed))) throw new LeaseLostError();
  };
  if ((await listQuestions(database.read, storeId)).length === 0) {
    await database.write(keep, isolation);
    return undefined;
  }
  return questions.evaluate(storeId, { cause: "indexing", keep, signal });
}

/**
 * Another process took over the check, or it was cancelled because the setting was turned off or the store was deleted.
 */
class LeaseLostError extends Error {}

function report({ logger, onChecked }: Checking, { storeId, recallDrop, recallAt5 }: StoreEvaluation): void {
  if (recallDrop === null) {
    onChecked("kept");
    return;
  }
  onChecked("dropped");
  const reason = `Recall@5 of the store's questions is lower by ${recallDrop.toFixed(3)} since the check before; now it is ${recallAt5.toFixed(3)}.`;
  logger.warn("store-recall-dropped", { storeId, reason });
}

/** Renews the lease while the check runs. Aborts `lost` if another process holds it. */
function renew(context: StoreContext, claimed: store.ClaimedCheck, lost: AbortController) {
  const clock = toCheckClock(context);
  const timer = setInterval(async () => {
    try {
      const isOwn = await context.database.write((tx) => store.renewCheck(tx, clock, claimed), isolation);
      if (!isOwn) lost.abort(new LeaseLostError());
    } catch (cause) {
      // Storing the outcome checks ownership again.
      context.logger.warn("store-check-not-renewed", { storeId: claimed.storeId, cause });
    }
  }, store.leaseMs / 3);
  return { stop: () => clearInterval(timer) };
}
