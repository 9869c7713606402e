import type { RunRow, Tables } from "@weft/database";
import { type Kysely, sql } from "kysely";

/** A run that is gone. */
export type DeletedRun = Pick<RunRow, "id" | "chatId">;

const ended = ["completed", "failed", "cancelled"];

/** Deletes those of these runs that have ended, with their journals. */
export async function deleteEnded(tx: Kysely<Tables>, ids: readonly string[]): Promise<DeletedRun[]> {
  const deleted = await tx
    .deleteFrom("runs")
    .where("id", "in", ids)
    .where("status", "in", ended)
    .returning(["id", "chatId"])
    .execute();
  const gone = deleted.map(({ id }) => id);
  if (gone.length > 0) await tx.deleteFrom("runEvents").where("runId", "in", gone).execute();
  return deleted;
}

/** Runs that ended before a moment, the oldest first. */
export async function listEndedBefore(read: Kysely<Tables>, moment: string, limit: number): Promise<string[]> {
  const rows = await read
    .selectFrom("runs")
    .select("id")
    .where("status", "!=", sql.lit("running"))
    .where("status", "in", ended)
    .where("updatedDate", "<", moment)
    .orderBy("updatedDate")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
