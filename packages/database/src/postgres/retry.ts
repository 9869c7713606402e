import { setTimeout as sleep } from "node:timers/promises";
import { isConnectionLost } from "../storage-error.ts";

const maxAttempts = 8;

/** A conflict is over in milliseconds; a server restart takes seconds. Pauses double from these. */
const conflictPauseMs = 4;
const reconnectPauseMs = 50;

/**
 * `serialization_failure`, `deadlock_detected` and `lock_not_available`: the transaction lost against another, or
 * waited long for one, and changed nothing.
 */
const conflictCodes: readonly unknown[] = ["40001", "40P01", "55P03"];

/**
 * Retries a transaction, up to eight attempts in all, with growing random pauses, while it loses against others or, for
 * at most 13 seconds, its connection. `commits` is called when only the commit remains: if the connection is lost
 * during the commit, its outcome is unknown, and it is not repeated.
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

/** Like `retryTransaction`, for work that is rolled back as a whole if it loses, and not repeated for anything else. */
export function retryConflict<T>(transaction: () => Promise<T>): Promise<T> {
  return retry(transaction, isConflict);
}

/** Like `retryTransaction`, for work that changes nothing, or finds out by itself whether it did. */
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
