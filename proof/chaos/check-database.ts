import { sql } from "kysely";
import type { Database } from "../../packages/database/src/index.ts";
import { openDatabase } from "../../packages/database/src/open-database.ts";
import { fromEventRow } from "../../packages/run-host/src/journal/event-row.ts";
import type { RunEventRow } from "../../packages/run-host/src/run-tables.ts";
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
    found.push(...(await findRepeatedEffects(database)));
    return found;
  } finally {
    await database.close();
  }
}

/** Runs whose journals are read at once. */
const runsAtOnce = 500;

/** Writes that began twice in one attempt, or ended more often than they began: two processes owned one effect. */
async function findRepeatedEffects({ read }: Database): Promise<string[]> {
  const found: string[] = [];
  for (let after = ""; ; ) {
    const ids = await sql<{
      id: string;
    }>`select "id" from "runs" where "id" > ${after} order by "id" limit ${runsAtOnce}`;
    const { rows } = await ids.execute(read);
    for (const { id } of rows) {
      const events = sql<RunEventRow>`select "runId", "seq", "at", "type", "event" from "runEvents"
        where "runId" = ${id} and "type" in ('effect-started', 'effect-finished') order by "seq"`;
      found.push(...repeatedEffectsOf(id, (await events.execute(read)).rows));
    }
    const last = rows.at(-1);
    if (last === undefined) return found;
    after = last.id;
  }
}

function repeatedEffectsOf(runId: string, rows: readonly RunEventRow[]): string[] {
  const begun = new Set<string>();
  const open = new Set<string>();
  const found: string[] = [];
  for (const event of rows.map(fromEventRow)) {
    if (event.type === "effect-started") {
      const attempt = `${event.effectKey} ${event.attempt}`;
      if (event.kind === "write" && begun.has(attempt)) found.push(`A write began twice in run ${runId}: ${attempt}`);
      begun.add(attempt);
      open.add(event.effectKey);
    } else if (event.type === "effect-finished" && !open.delete(event.effectKey)) {
      found.push(`An effect ended that had not begun in run ${runId}: ${event.effectKey}`);
    }
  }
  return found;
}
