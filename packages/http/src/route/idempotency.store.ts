import type { Database } from "@weft/database";
import type { WallClock } from "@weft/engine/ports/clock";
import { toMoment } from "@weft/schema";
import type { IdempotencyStore } from "./idempotency.ts";

/** What a request with an Idempotency-Key made. */
export type IdempotencyKeyRow = {
  /** SHA-256 of the caller, the operation and the key. */
  keyHash: string;
  /** SHA-256 of the request. */
  bodyHash: string;
  /** Id of what the request makes, fixed before it is made. */
  resourceId: string;
  createdDate: string;
  /** Text of the answer; null until there is one. */
  answer: string | null;
};

declare module "@weft/database" {
  interface Tables {
    idempotencyKeys: IdempotencyKeyRow;
  }
}

const lifetimeMs = 24 * 60 * 60 * 1_000;

/** Keys of repeated requests in the platform's database, for all its processes. */
export function createIdempotencyStore(database: Database, clock: WallClock): IdempotencyStore {
  return {
    begin: (entry) =>
      database.write(
        async (tx) => {
          const now = clock.now();
          const outdated = toMoment(now - lifetimeMs);
          await tx.deleteFrom("idempotencyKeys").where("createdDate", "<", outdated).execute();
          const made = await tx
            .insertInto("idempotencyKeys")
            .values({ ...entry, createdDate: toMoment(now), answer: null })
            .onConflict((conflict) => conflict.column("keyHash").doNothing())
            .returning("keyHash")
            .executeTakeFirst();
          if (made !== undefined) return { ...entry, isNew: true, answer: null };
          const kept = tx.selectFrom("idempotencyKeys").selectAll().where("keyHash", "=", entry.keyHash);
          return { ...(await kept.executeTakeFirstOrThrow()), isNew: false };
        },
        { isolation: "read-committed" },
      ),

    async finish(keyHash, answer) {
      await database.write(
        (tx) => tx.updateTable("idempotencyKeys").set({ answer }).where("keyHash", "=", keyHash).execute(),
        { isolation: "read-committed" },
      );
    },

    async forget(keyHash) {
      await database.write((tx) => tx.deleteFrom("idempotencyKeys").where("keyHash", "=", keyHash).execute(), {
        isolation: "read-committed",
      });
    },
  };
}
