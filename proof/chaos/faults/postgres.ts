import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Cluster } from "../house/cluster.ts";
import type { Fault } from "./fault.ts";

/** How the names begin under which the servers of this run connect, so that no other's connections are touched. */
export const applicationName = `weft-chaos-${process.pid}`;

export const onlyPostgres = ({ name }: Cluster) => (name === "sqlite" ? "SQLite has no connections" : undefined);
const onlyOwn = (cluster: Cluster) =>
  onlyPostgres(cluster) ?? (cluster.postgres ? undefined : "the PostgreSQL server is not ours to stop");

/** Ends busy connections of the servers. */
export const terminatedConnections: Fault = {
  name: "terminated connections",
  whyNot: onlyPostgres,
  async strike({ cluster, random, struck }) {
    await withClient(cluster, async (client) => {
      const found = await client.query<{ pid: number }>(
        "select pid from pg_stat_activity where starts_with(application_name, $1) order by state = 'idle', random() limit $2",
        [applicationName, random.between(1, 12)],
      );
      struck();
      for (const { pid } of found.rows) await client.query("select pg_terminate_backend($1)", [pid]);
    });
  },
};

/** Holds rows of running runs, as a process does that stands still in a transaction. */
export const frozenTransaction: Fault = {
  name: "frozen transaction",
  whyNot: onlyPostgres,
  async strike({ cluster, random, struck }) {
    await withClient(cluster, async (client) => {
      struck();
      await client.query("begin");
      await client.query(`select "id" from "runs" order by "createdDate" desc limit 5 for update skip locked`);
      await sleep(random.between(3_000, 6_000));
      await client.query("rollback");
    });
  },
};

/** All processes of the database server end at once, and it recovers from its log. */
export const restartedPostgres: Fault = {
  name: "PostgreSQL restart",
  whyNot: onlyOwn,
  async strike({ cluster, struck }) {
    struck();
    cluster.postgres?.restart();
  },
};

/** The database server stands still for longer than a lease. */
export const frozenPostgres: Fault = {
  name: "PostgreSQL freeze",
  whyNot: onlyOwn,
  async strike({ cluster, random, struck }) {
    struck();
    cluster.postgres?.freeze();
    await sleep(random.between(7_000, 9_000));
    cluster.postgres?.thaw();
  },
};

export async function withClient(cluster: Cluster, use: (client: Client) => Promise<void>): Promise<void> {
  const url = new URL(cluster.databaseUrl);
  url.searchParams.delete("application_name");
  const client = new Client({ connectionString: url.href.replaceAll("+", "%20") });
  // The server may end it, too.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
