import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { HeldConnection } from "../../../packages/database/src/testing/silent-proxy.ts";
import type { Cluster } from "../house/cluster.ts";
import type { Fault, FaultContext } from "./fault.ts";
import { onlyPostgres, withClient } from "./postgres.ts";
import { findNamedRun, type Run, untilTakenOver } from "./taken-over.ts";

/** How long is tried for a server to commit something of a run. */
const patienceMs = 30_000;
/** How long for one that announces the write of a step: an equal event of two owners then makes two calls. */
const choosyMs = 15_000;
const lookMs = 2_000;
/** As events are written in the journal. */
const [write, event] = ['"kind":"write","category":"http"', '"nodeKey":'];

/** An equal event of the other owner is found where the own one never arrived: most do not. */
const ends = ["cut", "cut", "passLate", "passUnheard", "passHeardLate"] as const;

/**
 * A server is stopped (SIGSTOP) while the commit of one of its runs is on its way, and goes on when another server has
 * taken that run over. The commit then never arrives, arrives late, or arrived at once and its answer is lost or heard
 * late: what the server finds in the journal may be its own event or an equal one of the other.
 */
export const heldCommit: Fault = {
  name: "held commit",
  whyNot: (cluster) =>
    onlyPostgres(cluster) ?? (cluster.count > 1 ? undefined : "nobody could take the stopped server's runs over"),
  async strike(context) {
    await withClient(context.cluster, async (client) => {
      const stopped = await stopInCommit(client, context);
      // Nothing was under way.
      if (stopped === undefined) return;
      const { index, run, held } = stopped;
      const end = context.random.pick(ends);
      try {
        if (end === "passUnheard") held.passUnheard();
        if (end === "passHeardLate") held.pass();
        await untilTakenOver(client, run);
        // Long enough to act on what was taken over.
        await sleep(context.random.between(0, 1_000));
        if (end === "passLate") held.pass();
        else if (end !== "passHeardLate") held.cut();
      } finally {
        context.cluster.thaw(index);
      }
    });
  },
};

type Stopped = { index: number; run: Run; held: HeldConnection };

async function stopInCommit(client: Client, { cluster, random, struck }: FaultContext): Promise<Stopped | undefined> {
  const startedAt = performance.now();
  const passedMs = () => performance.now() - startedAt;
  while (passedMs() < patienceMs) {
    const found = await holdOne(cluster, passedMs() < choosyMs ? write : event);
    if (found === undefined) continue;
    cluster.freeze(found.index);
    const run = await findNamedRun(client, found.held.sent);
    if (run !== undefined) {
      struck();
      return { ...found, run };
    }
    // It has ended, or is another's already.
    cluster.thaw(found.index);
    found.held.pass();
    await sleep(random.between(20, 100));
  }
  return undefined;
}

/** The first commit at any server that says this; undefined when there is none for a while. */
async function holdOne(cluster: Cluster, saying: string): Promise<Omit<Stopped, "run"> | undefined> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), lookMs);
  const looking = Array.from({ length: cluster.count }, async (_, index) => {
    const held = await cluster.holdCommit(index, saying, over.signal);
    if (held === undefined) return undefined;
    over.abort();
    return { index, held };
  });
  const [found, ...others] = (await Promise.all(looking)).filter((each) => each !== undefined);
  clearTimeout(timer);
  for (const { held } of others) held.pass();
  return found;
}
