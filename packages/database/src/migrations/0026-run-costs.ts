import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../column-types.ts";

/**
 * Usage and cost of runs, stored beside them. The list by date includes them, so that a month's statistics read only an
 * index. For earlier runs, durations and tokens are known, and costs are not.
 */
export async function addRunCosts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const column of ["durationMs", "totalTokens", "costNanos"]) {
    await db.schema.alterTable("runs").addColumn(column, types.integer).execute();
  }
  const { tokens, durationMs } = types.dialect === "sqlite" ? onSqlite : onPostgres;
  await sql`
    update "runs" set
      "totalTokens" = ${tokens},
      "durationMs" = case when "stoppedDate" is not null then ${durationMs} end
    where "status" <> 'running'`.execute(db);
  await db.schema.dropIndex("runsByDate").execute();
  await db.schema
    .createIndex("runsByDate")
    .on("runs")
    .columns(["updatedDate", "id desc", "agentId", "status", "durationMs", "totalTokens", "costNanos"])
    .where(sql<boolean>`"status" <> 'running'`)
    .execute();
}

const onSqlite = {
  tokens: sql`json_extract("summary", '$.usage.totalTokens')`,
  durationMs: sql`cast(round((julianday("stoppedDate") - julianday("createdDate")) * 86400000) as integer)`,
};

const onPostgres = {
  tokens: sql`("summary"::json -> 'usage' ->> 'totalTokens')::bigint`,
  durationMs: sql`
    round(extract(epoch from ("stoppedDate"::timestamptz - "createdDate"::timestamptz)) * 1000)::bigint`,
};
