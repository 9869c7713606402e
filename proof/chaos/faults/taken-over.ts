import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { Random } from "../house/random.ts";
import { writer } from "../load/notes.ts";

/** How long is waited for a run to be taken over. */
export const patienceMs = 60_000;
/** How often a run of the agent that writes is chosen, where there is one. */
const writersShare = 0.75;

export type Run = { id: string; leaseEpoch: number };

/** One run that a server runs, locked; undefined where none does. Runs that write elsewhere are few, and have the most to lose. */
export async function lockRunningRun(client: Client, random: Random): Promise<Run | undefined> {
  const agents = random.next() < writersShare ? [writer] : [];
  const { rows } = await client.query<Run>(
    `select "id", "leaseEpoch" from "runs" where "status" = 'running' and "leaseOwner" is not null
     order by "agentId" in (select "id" from "agents" where "name" = any($1)) desc, random()
     limit 1 for update skip locked`,
    [agents],
  );
  return rows[0];
}

/** The running run that a text names by its id, of several one that writes. */
export async function findNamedRun(client: Client, text: string): Promise<Run | undefined> {
  const ids = text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
  const { rows } = await client.query<Run>(
    `select "id", "leaseEpoch" from "runs" where "id" = any($1) and "status" = 'running' and "leaseOwner" is not null
     order by "agentId" in (select "id" from "agents" where "name" = $2) desc, "id" limit 1`,
    [[...new Set(ids)], writer],
  );
  return rows[0];
}

/** Until another process has taken the run over, or ended it. */
export async function untilTakenOver(client: Client, { id, leaseEpoch }: Run): Promise<void> {
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    const { rows } = await client.query(
      `select "id" from "runs" where "id" = $1 and "leaseEpoch" = $2 and "status" = 'running'`,
      [id, leaseEpoch],
    );
    if (rows.length === 0) return;
    await sleep(50);
  }
  throw new Error(`Nobody took over the run ${id} of a frozen server within ${patienceMs / 1_000} s.`);
}
