import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../column-types.ts";

/** What lists of runs show, beside the runs, and the orders in which they are listed. */
export async function createExecutionLists(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const column of ["errorCode", "summary"]) {
    await db.schema.alterTable("runs").addColumn(column, types.text).execute();
  }
  const runs = (name: string, columns: string[]) => db.schema.createIndex(name).on("runs").columns(columns);
  // A run moves its date with every step; only one that pauses or ends is entered here, once.
  const isPaused = sql<boolean>`"status" <> 'running'`;
  await runs("runsByDate", ["updatedDate desc", "id"]).where(isPaused).execute();
  await runs("runsByAgent", ["agentId", "updatedDate desc", "id"]).where(isPaused).execute();
  // Most runs are completed, and in no such list.
  const isSpecial = sql<boolean>`"status" <> 'running' and "status" <> 'completed'`;
  await runs("runsByStatus", ["status", "updatedDate desc", "id"]).where(isSpecial).execute();
}
