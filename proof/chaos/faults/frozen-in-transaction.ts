import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { Cluster } from "../house/cluster.ts";
import type { Fault, FaultContext } from "./fault.ts";
import { onlyPostgres, withClient } from "./postgres.ts";
import { lockRunningRun, patienceMs, type Run, untilTakenOver } from "./taken-over.ts";

/** How long only an open transaction will do: most send all of it at once, and are committed when the lock goes. */
const choosyMs = 8_000;
const lookEveryMs = 5;

/**
 * SIGSTOP of one server inside a transaction that moves a run on; it goes on when another server has taken that run over.
 * What it then hears of its commit is a lost connection, and an equal event in the journal may be the other's. A run's row
 * is locked until its server's transaction waits for it. Where none is caught that is still open, one that is committed
 * without its server having heard of it will do.
 */
export const frozenInTransaction: Fault = {
  name: "freeze in a transaction",
  whyNot: (cluster) =>
    onlyPostgres(cluster) ?? (cluster.count > 1 ? undefined : "nobody could take the frozen server's runs over"),
  async strike(context) {
    await withClient(context.cluster, async (client) => {
      const frozen = await freezeInTransaction(client, context);
      // Nothing was under way.
      if (frozen === undefined) return;
      const { index, run } = frozen;
      try {
        await untilTakenOver(client, run);
        // Long enough to act on what was taken over.
        await sleep(context.random.between(0, 1_000));
      } finally {
        context.cluster.thaw(index);
      }
    });
  },
};

type Frozen = { index: number; run: Run };

/** Resolves when a server stands still in a transaction that moves this run on; undefined where none could be caught. */
async function freezeInTransaction(client: Client, context: FaultContext): Promise<Frozen | undefined> {
  const startedAt = performance.now();
  const passedMs = () => performance.now() - startedAt;
  while (passedMs() < patienceMs) {
    const frozen = await tryRun(client, context, passedMs() < choosyMs);
    if (frozen !== undefined) return frozen;
    // A run whose server is gone is taken over by nobody while its row is locked.
    await sleep(context.random.between(100, 400));
  }
  return undefined;
}

/** Locks one run that goes on. Undefined where none does, or its server is not caught. */
async function tryRun(client: Client, context: FaultContext, isChoosy: boolean): Promise<Frozen | undefined> {
  const { cluster, random, struck } = context;
  await client.query("begin");
  const run = await lockRunningRun(client, random);
  const waiting = run === undefined ? undefined : await findWaiting(client, cluster);
  if (waiting !== undefined) cluster.freeze(waiting.index);
  await client.query("rollback");
  if (run === undefined || waiting === undefined) return undefined;
  if (isChoosy && !(await isOpen(client, waiting.backend))) {
    cluster.thaw(waiting.index);
    return undefined;
  }
  struck();
  return { index: waiting.index, run };
}

/** The transaction of a server that waits for our lock; undefined when none does for half a second. */
async function findWaiting(client: Client, cluster: Cluster): Promise<{ index: number; backend: number } | undefined> {
  const names = Array.from({ length: cluster.count }, (_, index) => cluster.connectionName(index));
  for (let looks = 0; looks < 100; looks += 1) {
    const { rows } = await client.query<{ pid: number; name: string }>(
      `select pid, application_name as name from pg_stat_activity
       where application_name = any($1) and pg_backend_pid() = any(pg_blocking_pids(pid)) limit 1`,
      [names],
    );
    const [found] = rows;
    if (found) return { index: names.indexOf(found.name), backend: found.pid };
    await sleep(lookEveryMs);
  }
  return undefined;
}

/** Whether the transaction waits for more from its server, once its statement is done. */
async function isOpen(client: Client, backend: number): Promise<boolean> {
  for (;;) {
    const { rows } = await client.query<{ state: string }>(`select state from pg_stat_activity where pid = $1`, [
      backend,
    ]);
    const state = rows[0]?.state;
    if (state !== "active") return state === "idle in transaction";
    await sleep(lookEveryMs);
  }
}
