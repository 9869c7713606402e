import { Client, type Pool, type PoolClient } from "pg";
import type { LineTimes } from "../line-times.ts";

/** A connection in use: the bytes transferred by `since`, on `performance.now()`. */
type Line = { bytes: number; since: number; isDoubted: boolean };

/**
 * Ends dead connections that both sides hold open: a firewall forgot them, a cable was pulled, or a proxy hangs. Their
 * queries then fail as with any lost connection, and are retried; the system's own probes would take hours. A query may
 * take any time: a silent connection is ended only if PostgreSQL says twice, over another connection, that it does no
 * work for it, or does not know it.
 */
export function endDeadLines(pool: Pool, connectionString: string, times: LineTimes): void {
  const lines = new Map<PoolClient, Line>();
  let isAsking = false;
  pool.on("acquire", (client) =>
    lines.set(client, { bytes: bytesOf(client), since: performance.now(), isDoubted: false }),
  );
  pool.on("release", (_, client) => lines.delete(client));
  pool.on("remove", (client) => lines.delete(client));

  async function look(): Promise<void> {
    const silent = listSilent(lines, times);
    if (silent.length === 0 || isAsking) return;
    isAsking = true;
    const idle = await findIdle(connectionString, silent.map(pidOf), times).catch(() => undefined);
    isAsking = false;
    for (const client of silent) doubt(client, idle?.has(pidOf(client)) ?? false);
  }

  function doubt(client: PoolClient, isIdle: boolean): void {
    const line = lines.get(client);
    if (line === undefined || line.bytes !== bytesOf(client)) return;
    if (isIdle && line.isDoubted) destroy(client);
    line.isDoubted = isIdle;
  }

  const timer = setInterval(() => {
    if (pool.ended) clearInterval(timer);
    else void look();
  }, times.lookEveryMs).unref();
}

/** Those in use without traffic for some time. */
function listSilent(lines: ReadonlyMap<PoolClient, Line>, { silentMs }: LineTimes): PoolClient[] {
  const now = performance.now();
  const silent: PoolClient[] = [];
  for (const [client, line] of lines) {
    const bytes = bytesOf(client);
    if (bytes !== line.bytes) Object.assign(line, { bytes, since: now, isDoubted: false });
    else if (now - line.since >= silentMs) silent.push(client);
  }
  return silent;
}

/**
 * Those of these backends that are idle, or gone. Undefined if PostgreSQL cannot tell: behind a pooler, which gives its
 * clients numbers of its own, or if it does not track its backends' activity.
 */
async function findIdle(
  connectionString: string,
  pids: readonly number[],
  { probeMs }: LineTimes,
): Promise<Set<number> | undefined> {
  const client = new Client({ connectionString, application_name: "weft", connectionTimeoutMillis: probeMs });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number; state: string | null; own: number }>({
      text: "select pid, state, pg_backend_pid() as own from pg_stat_activity where pid = any($1) or pid = pg_backend_pid()",
      values: [pids],
      query_timeout: probeMs,
    } as never);
    if (!rows.some(({ pid, own, state }) => pid === pidOf(client) && pid === own && state === "active"))
      return undefined;
    const busy = new Set(rows.filter(({ state }) => !state?.startsWith("idle")).map(({ pid }) => pid));
    return new Set(pids.filter((pid) => !busy.has(pid)));
  } finally {
    destroy(client);
  }
}

/** Ends a connection here, regardless of its other end. A query in it fails. */
export function destroy(client: Client | PoolClient): void {
  streamOf(client).destroy(new Error("Connection terminated: nothing comes over it any more."));
}

type Wire = {
  processID: number;
  connection: { stream: { bytesRead: number; bytesWritten: number; destroy(cause: Error): void } };
};

/** Members missing from the driver's types. */
const wireOf = (client: Client | PoolClient) => client as unknown as Wire;
const streamOf = (client: Client | PoolClient) => wireOf(client).connection.stream;
const pidOf = (client: Client | PoolClient) => wireOf(client).processID;

function bytesOf(client: PoolClient): number {
  const { bytesRead, bytesWritten } = streamOf(client);
  return bytesRead + bytesWritten;
}
