import { statfs } from "node:fs/promises";
import type { Database, Tables } from "@weft/database";
import type { System, SystemDatabase, SystemQueue } from "@weft/schema";
import { toMoment } from "@weft/schema";
import { type Kysely, sql } from "kysely";
import { isWaiting, selectOpenRuns } from "../metrics/database-metrics.ts";

/** Facts about an agent, without its name. */
type Unnamed<T> = Omit<T, "agentName">;

export type QueueFacts = Omit<SystemQueue, "agents"> & { agents: Unnamed<SystemQueue["agents"][number]>[] };

/** Runs that have not ended. Like metrics, reads the index of running runs up to a limit. */
export async function readQueue(read: Kysely<Tables>, now: number): Promise<QueueFacts> {
  const byAgent = await read
    .selectFrom(selectOpenRuns(read).select("agentId").as("open"))
    .select((eb) => [
      "agentId",
      eb.fn.countAll<number>().as("open"),
      eb.fn.count<number>(isWaiting).as("waiting"),
      eb.fn.min<string | null>(sql`case when ${isWaiting} = 1 then "createdDate" end`).as("oldest"),
    ])
    .groupBy("agentId")
    .execute();
  const paused = await read
    .selectFrom("runs")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("status", "=", sql.lit("suspended"))
    // Matches the index of runs by status: SQLite does not derive it from the first condition.
    .where("status", "!=", sql.lit("running"))
    .where("status", "!=", sql.lit("completed"))
    .executeTakeFirstOrThrow();
  const agents = byAgent.map(({ agentId: agentflowId, open, waiting, oldest }) => ({
    agentflowId,
    waiting: Number(waiting),
    running: Number(open) - Number(waiting),
    since: oldest === null ? now : Date.parse(oldest),
  }));
  agents.sort((a, b) => b.waiting - a.waiting || b.running - a.running || (a.agentflowId < b.agentflowId ? -1 : 1));
  const sum = (of: "waiting" | "running") => agents.reduce((total, agent) => total + agent[of], 0);
  return {
    waiting: sum("waiting"),
    oldestWaitingSeconds: Math.max(0, now - Math.min(now, ...agents.map(({ since }) => since))) / 1_000,
    running: sum("running"),
    paused: Number(paused.count),
    agents: agents.slice(0, mostAgents).map(({ since: _, ...agent }) => agent),
  };
}

const mostAgents = 10;

export type TakeOverFacts = { runs: number; latest: Unnamed<NonNullable<System["takeOvers"]["latest"]>> | null };

const dayMs = 86_400_000;

/** Runs record successive take-overs. The few that have any are in a separate index. */
export async function readTakeOvers(read: Kysely<Tables>, now: number): Promise<TakeOverFacts> {
  const latest = await read
    .selectFrom("runs")
    .select(["id", "agentId", "updatedDate", sql<number>`count(*) over ()`.as("count")])
    .where("takeOvers", ">", sql.lit(0))
    .where("updatedDate", ">=", toMoment(now - dayMs))
    .orderBy("updatedDate", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (latest === undefined) return { runs: 0, latest: null };
  const { id: executionId, agentId: agentflowId, updatedDate, count } = latest;
  return { runs: Number(count), latest: { executionId, agentflowId, updatedDate } };
}

/** PostgreSQL inspects every file of the database for its size. */
const sizeIsGoodForMs = 30_000;

/** Queries the database for facts about itself. */
export function createDatabaseReader({ dialect, read }: Database) {
  let known: { at: number; about: { version: string; sizeBytes: number } } | undefined;

  async function about() {
    const at = performance.now();
    if (known === undefined || at - known.at > sizeIsGoodForMs) known = { at, about: await readAbout(dialect, read) };
    return known.about;
  }

  return async (): Promise<SystemDatabase> => {
    const begunAt = performance.now();
    await sql`select 1`.execute(read);
    const latencyMs = Math.round((performance.now() - begunAt) * 100) / 100;
    const connections = dialect === "postgres" ? await readConnections(read) : null;
    return { dialect, ...(await about()), latencyMs, connections };
  };
}

async function readAbout(dialect: Database["dialect"], read: Kysely<Tables>) {
  const question =
    dialect === "sqlite"
      ? sql<About>`select sqlite_version() as "version", page_count * page_size as "size" from pragma_page_count, pragma_page_size`
      : sql<About>`select current_setting('server_version') as "version", pg_database_size(current_database()) as "size"`;
  const { rows } = await question.execute(read);
  const { version = "", size = 0 } = rows[0] ?? {};
  // Packagers append their own version in brackets.
  return { version: version.split(" ")[0] ?? "", sizeBytes: Number(size) };
}

type About = { version: string; size: number };

/** From the counts of each database, which every role may read. */
async function readConnections(read: Kysely<Tables>) {
  const { rows } = await sql<{ used: number; limit: number }>`
    select sum(numbackends)::int as "used", current_setting('max_connections')::int as "limit"
    from pg_stat_database`.execute(read);
  const { used = 0, limit = 0 } = rows[0] ?? {};
  return { used, limit };
}

/** Null if the system does not report it. */
export async function readDisk(folder: string): Promise<System["disk"]> {
  try {
    const { bsize, blocks, bfree, bavail } = await statfs(folder);
    return { freeBytes: bavail * bsize, usedBytes: (blocks - bfree) * bsize };
  } catch {
    return null;
  }
}
