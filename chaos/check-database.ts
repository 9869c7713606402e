import { sql } from "kysely";
import { openDatabase } from "../packages/database/src/open-database.ts";
import type { Cluster } from "./house/cluster.ts";

/** What the database of stopped servers holds that cannot be. */
export async function checkDatabase({ name, databaseUrl, dataDir }: Pick<Cluster, "name" | "databaseUrl" | "dataDir">) {
  const database = await openDatabase({ databaseUrl, dataDir });
  try {
    const found: string[] = [];
    const rows = async (what: string, query: ReturnType<typeof sql<{ id: string }>>) => {
      for (const { id } of (await query.execute(database.read)).rows) found.push(`${what}: ${id}`);
    };
    if (name === "sqlite") {
      const { rows: problems } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database.read);
      for (const { integrity_check: problem } of problems) if (problem !== "ok") found.push(problem);
    }
    await rows(
      "The journal of a run has gaps",
      sql`select "runId" as id from "runEvents" group by "runId" having count(*) <> max("seq") or min("seq") <> 1`,
    );
    await rows(
      "An event belongs to no run",
      sql`select distinct "runId" as id from "runEvents" where "runId" not in (select "id" from "runs")`,
    );
    await rows(
      "A run has several ends",
      sql`select "runId" as id from "runEvents" where "type" in ('run-completed', 'run-failed', 'run-cancelled') group by "runId" having count(*) > 1`,
    );
    return found;
  } finally {
    await database.close();
  }
}
