import { setTimeout as sleep } from "node:timers/promises";
import { isConnectionLost } from "../storage-error.ts";

const maxAttempts = 8;

/** A conflict is over in milliseconds; a server that starts again takes seconds. Pauses double from these. */
const conflictPauseMs = 4;
const reconnectPauseMs = 50;

/**
 * `serialization_failure`, `deadlock_detected` and `lock_not_available`: the transaction lost against another, or waited
 * long for one, and changed nothing.
 */
const conflictCodes: readonly unknown[] = ["40001", "40P01", "55P03"];

/**
 * Runs a transaction again, up to eight times in all, with growing random pauses, while it loses against others or, for
 * at most 13 seconds, its connection. `commits` is called when the transaction is done except for its commit: whether a
 * commit took place that lost its connection is unknown, and it is not repeated.
 */
export function retryTransaction<T>(transaction: (commits: () => void) => Promise<T>): Promise<T> {
  let isCommitting = false;
  return retry(
    () => {
      isCommitting = false;
      return transaction(() => {
        isCommitting = true;
      });
    },
    (error) => isConflict(error) || (!isCommitting && isConnectionLost(error)),
  );
}

/** As `retryTransaction`, for what is undone as a whole where it loses, and not repeated for anything else. */
export function retryConflict<T>(transaction: () => Promise<T>): Promise<T> {
  return retry(transaction, isConflict);
}

/** As `retryTransaction`, for what changes nothing, or finds out by itself whether it did. */
export function retryLost<T>(query: () => Promise<T>): Promise<T> {
  return retry(query, (error) => isConflict(error) || isConnectionLost(error));
}

async function retry<T>(attempt: () => Promise<T>, mayRepeat: (error: unknown) => boolean): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (count === maxAttempts || !mayRepeat(error)) throw error;
      await sleep(Math.random() * (isConflict(error) ? conflictPauseMs : reconnectPauseMs) * 2 ** count);
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && "code" in error && conflictCodes.includes(error.code);
}
