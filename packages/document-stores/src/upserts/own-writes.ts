import type { Database, Tables } from "@weft/database";
import type { RunInfo } from "@weft/engine/node";
import { holdRun } from "@weft/run-host";
import type { Kysely } from "kysely";

/**
 * Writes of an upsert's step outside the journal. A process that stalled until another one took over the run writes
 * nothing more: the other may have finished it, and a later upsert may have replaced its data.
 */
export type OwnWrites = {
  /**
   * In its own transaction. Rejects with `LeaseLostError`, and writes nothing, if the run is another process's or over.
   */
  write<T>(fn: (tx: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Rejects as `write` does. Call right before writes outside the platform's transactions, as to a vector database. */
  assertOwn(): Promise<void>;
};

export function createOwnWrites(database: Database, run: RunInfo): OwnWrites {
  const write: OwnWrites["write"] = (fn) =>
    database.write(
      async (tx) => {
        await holdRun(database, tx, run);
        return fn(tx);
      },
      { isolation: "read-committed" },
    );
  return { write, assertOwn: () => write(async () => undefined) };
}
