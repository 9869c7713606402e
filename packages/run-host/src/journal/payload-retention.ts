import type { Database, Tables } from "@weft/database";
import { toMoment } from "@weft/schema";
import type { Kysely } from "kysely";
import { listEnded, listLong, measureEnded, readEvent, readMark, replaceEvent, writeMark } from "./payload.store.ts";
import { removePayloads } from "./remove-payloads.ts";

const dayMs = 86_400_000;
/** Runs at once: finding the long events among thousands takes SQLite 50 µs each, on the event loop. */
const batchSize = 25;
const isolation = { isolation: "read-committed" } as const;

/** Removes the large inputs and outputs from the journals of runs that ended long ago. */
export type PayloadRetention = {
  /** Does so for some runs; each event is a write of its own. False: no such run is left. */
  removeSome(now: number, signal: AbortSignal): Promise<boolean>;
};

export function createPayloadRetention(database: Database, retentionMs: number): PayloadRetention {
  const days = Math.max(1, Math.round(retentionMs / dayMs));
  return {
    async removeSome(now, signal) {
      const after = await readMark(database.read);
      const before = toMoment(now - retentionMs);
      const runs = await listEnded(database.read, { after, before, limit: batchSize });
      const last = runs.at(-1);
      if (last === undefined) return false;
      for (const address of await listLong(
        database.read,
        runs.map(({ id }) => id),
      )) {
        if (signal.aborted) return false;
        const event = await readEvent(database.read, address);
        const rest = event && removePayloads(event, days);
        if (rest !== undefined) await database.write((tx) => replaceEvent(tx, address, rest), isolation);
      }
      // Whoever stops before this line does the same runs again, which changes nothing more.
      await database.write((tx) => writeMark(tx, last), isolation);
      return true;
    },
  };
}

/** Runs that ended before a moment, ever or since the last whose payloads were removed, and the bytes of their long events. */
export async function findOverdue(
  read: Kysely<Tables>,
  { before, since }: { before: string; since: "ever" | "mark" },
): Promise<{ runs: number; bytes: number }> {
  const after = since === "mark" ? await readMark(read) : undefined;
  return measureEnded(read, { after, before });
}
