import { setTimeout as sleep } from "node:timers/promises";

const maxAttempts = 8;
const firstPauseMs = 4;

/** `serialization_failure` and `deadlock_detected`: the transaction lost against another and changed nothing. */
const conflictCodes: readonly unknown[] = ["40001", "40P01"];

/** Runs a transaction again, up to eight times in all, with growing random pauses, while it loses against others. */
export async function retryConflicts<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === maxAttempts || !isConflict(error)) throw error;
      await sleep(Math.random() * firstPauseMs * 2 ** attempt);
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && "code" in error && conflictCodes.includes(error.code);
}
