import type { Database } from "@weft/database";
import type { Clock } from "@weft/engine";
import { toMoment } from "@weft/schema";
import type { IdempotencyStore } from "./idempotency.ts";

const lifetimeMs = 24 * 60 * 60 * 1_000;

/** Keys of repeated requests in the platform's database, for all its processes. */
export function createIdempotencyStore(database: Database, clock: Pick<Clock, "now">): IdempotencyStore {
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
