import { randomUUID } from "node:crypto";
import type { WritableDatabase } from "./database.ts";
import { DatabaseUnavailableError } from "./storage-error.ts";

/** Maximum age of a reused result. */
const maxAgeMs = 1_000;

type Check = { beganAt: number; isOver: boolean; outcome: Promise<void> };

/**
 * Resolves if the database accepts writes. Rejects if not, with `DatabaseUnavailableError` if the reason is known, and
 * at the latest after `patienceMs`. Callers share a check: there is one at a time, and one in a second. `now`:
 * milliseconds of any monotonic clock.
 */
export function createReadiness({
  database,
  now,
  patienceMs = 1_500,
}: {
  database: WritableDatabase;
  now(): number;
  patienceMs?: number;
}): () => Promise<void> {
  let check: Check | undefined;

  function latest(): Check {
    if (check !== undefined && (!check.isOver || now() - check.beganAt < maxAgeMs)) return check;
    const begun: Check = { beganAt: now(), isOver: false, outcome: assertWritable(database) };
    const end = () => {
      begun.isOver = true;
    };
    begun.outcome.then(end, end);
    check = begun;
    return begun;
  }

  return async () => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new DatabaseUnavailableError("the database does not answer", undefined)),
      patienceMs,
    );
    try {
      await Promise.race([latest().outcome, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Writes a row that is deleted again before it is committed. */
export async function assertWritable(database: WritableDatabase): Promise<void> {
  const name = `readiness ${randomUUID()}`;
  await database.write(
    async (tx) => {
      await tx.insertInto("settings").values({ name, value: "" }).execute();
      await tx.deleteFrom("settings").where("name", "=", name).execute();
    },
    { isolation: "read-committed" },
  );
}
