import type { Database } from "@weft/database";
import type { SystemProcess } from "@weft/schema";
import { sql } from "kysely";

/** A process's last announcement. Moments are milliseconds since the epoch. */
export type ProcessRow = Omit<SystemProcess, "startedDate" | "seenSecondsAgo" | "answered"> & {
  startedAt: number;
  /** On the database's clock. */
  seenAt: number;
};

declare module "@weft/database" {
  interface Tables {
    processes: ProcessRow;
  }
}

/** A process's own announcement. */
export type ProcessFacts = Omit<ProcessRow, "seenAt">;

export type SeenProcess = ProcessFacts & { seenSecondsAgo: number };

/**
 * The processes on the database. With SQLite there is one, which writes nothing.
 * - N1 A process is one row, which it writes every few seconds and removes when it stops.
 * - N2 The database's clock decides alone who is gone: whoever was silent for 15 seconds is left out, and any process
 *   removes its row. One that only stood still comes back with its next announcement.
 * - N3 Nothing depends on it: leases decide who works on runs.
 */
export type ProcessRegistry = {
  announce(): Promise<void>;
  /** Announces this process first, then lists all that exist, in start order. */
  list(): Promise<SeenProcess[]>;
  leave(): Promise<void>;
};

const silenceMs = 15_000;
/** Maximum age of the list's facts about other processes. */
export const announcedEveryMs = 4_000;

/** Every statement here names the rows it changes. */
const isolation = { isolation: "read-committed" } as const;
const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

export function createProcessRegistry(
  { dialect, read, write }: Database,
  readFacts: () => ProcessFacts,
): ProcessRegistry {
  if (dialect === "sqlite") {
    const alone = async () => [{ ...readFacts(), seenSecondsAgo: 0 }];
    return { announce: async () => undefined, list: alone, leave: async () => undefined };
  }
  return {
    async announce() {
      const facts = readFacts();
      const { runs, memoryBytes } = facts;
      const row = { ...facts, seenAt: now };
      await write(
        (tx) =>
          tx
            .insertInto("processes")
            .values(row)
            .onConflict((conflict) => conflict.column("id").doUpdateSet({ runs, memoryBytes, seenAt: now }))
            .execute(),
        isolation,
      );
      // In its own transaction: two processes that return at the same moment would wait for each other's rows.
      await write(
        (tx) => tx.deleteFrom("processes").where("seenAt", "<", sql<number>`${now} - ${silenceMs}`).execute(),
        isolation,
      );
    },
    async list() {
      const own = readFacts();
      const others = await read
        .selectFrom("processes")
        .selectAll()
        .select(sql<number>`greatest(0, ${now} - "seenAt")`.as("silentMs"))
        .where("id", "!=", own.id)
        .where("seenAt", ">=", sql<number>`${now} - ${silenceMs}`)
        .execute();
      const seen = others.map(({ silentMs, seenAt: _, ...facts }) => ({ ...facts, seenSecondsAgo: silentMs / 1_000 }));
      const all = [{ ...own, seenSecondsAgo: 0 }, ...seen];
      return all.toSorted((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1));
    },
    async leave() {
      const { id } = readFacts();
      await write((tx) => tx.deleteFrom("processes").where("id", "=", id).execute(), isolation);
    },
  };
}
