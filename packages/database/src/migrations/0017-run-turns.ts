import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../column-types.ts";

/** The order of runs in their sessions, and how often a run was taken over without progress. */
export async function addRunTurns(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable("runs").addColumn("turnOrder", types.integer).execute();
  for (const column of ["takeOvers", "takeOverSeq"]) {
    await db.schema
      .alterTable("runs")
      .addColumn(column, types.integer, (made) => made.notNull().defaultTo(0))
      .execute();
  }
  await db.schema
    .createIndex("runsInSession")
    .on("runs")
    .columns(["agentId", "sessionId", "owner", "turnOrder"])
    .where(sql<boolean>`"status" = 'running'`)
    .execute();
  // Runs that another run waits for have no turn of their own: behind that run, neither would ever continue.
  await sql`
    update "runs" set "turnOrder" = (
      select count(*) from "runs" as "earlier"
      where "earlier"."agentId" = "runs"."agentId" and "earlier"."sessionId" = "runs"."sessionId"
        and "earlier"."owner" = "runs"."owner" and "earlier"."status" = 'running'
        and ("earlier"."createdDate" < "runs"."createdDate"
          or ("earlier"."createdDate" = "runs"."createdDate" and "earlier"."id" <= "runs"."id")))
    where "status" in ('running', 'suspended') and exists (
      select 1 from "runEvents" as "begin"
      where "begin"."runId" = "runs"."id" and "begin"."seq" = 1 and "begin"."event" like '%"depth":0%')`.execute(db);
}
