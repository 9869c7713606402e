import type { Database, Tables } from "@weft/database";
import type { RunInfo } from "@weft/engine/node";
import { holdRun } from "@weft/run-host";
import type { Kysely } from "kysely";

/**
 * What an upsert's step writes outside of the journal. A process that stood still until another one went on with the run
 * writes nothing more: the other may have finished it, and a later upsert may have replaced what it wrote.
 */
export type OwnWrites = {
  /** In a transaction of its own. Rejects with `LeaseLostError`, and writes nothing, where the run is another's or over. */
  write<T>(fn: (tx: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Rejects as `write` does. For right before what no transaction of the platform's holds, as in a vector database. */
  assertOwn(): Promise<void>;
};

export function createOwnWrites(database: Database, run: Pick<RunInfo, "runId" | "epoch">): OwnWrites {
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
