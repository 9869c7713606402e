import type { Database, Tables } from "@weft/database";
import { LeaseLostError } from "@weft/engine/ports/journal";
import type { Kysely } from "kysely";

/**
 * For a transaction that writes a step's effect outside the journal: no other process takes the run over before the
 * transaction ends. Rejects with `LeaseLostError` if one has, or the run is over. Call it first.
 */
export async function holdRun(
  { dialect }: Database,
  tx: Kysely<Tables>,
  { runId, epoch }: { runId: string; epoch: number },
): Promise<void> {
  const run = tx
    .selectFrom("runs")
    .select("id")
    .where("id", "=", runId)
    .where("leaseEpoch", "=", epoch)
    .where("leaseOwner", "is not", null)
    .where("status", "=", "running");
  const held = await (dialect === "postgres" ? run.forShare() : run).executeTakeFirst();
  if (held === undefined) throw new LeaseLostError(runId);
}
