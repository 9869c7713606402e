import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { flowOf } from "../../../packages/server/src/testing/test-platform.ts";
import type { Cluster } from "../house/cluster.ts";
import { createAgent, type World } from "../load/player.ts";
import type { Fault } from "./fault.ts";

/** How long such a run may take to end. */
const patienceMs = 180_000;
/**
 * Six processes in succession die of a run that records nothing new. This one may record once that it began, and the
 * process that does so, at the latest the sixth, is the first of six.
 */
const mostDeaths = 11;

/** A run that kills the process that works on it, again and again: it ends as failed, and takes no other run with it. */
export const poisonRun: Fault = {
  name: "poison run",
  whyNot({ name }) {
    if (process.platform !== "linux") return "who called is read from /proc, which Linux alone has";
    return name === "sqlite" ? "a server alone would end it after six restarts" : undefined;
  },
  async strike({ struck, ...world }) {
    const { cluster, services, client, facts } = world;
    let deaths = 0;
    const restarts: Promise<void>[] = [];
    services.onPoison((port) => {
      const index = findCaller(cluster, { from: port, to: Number(new URL(services.apiUrl).port) });
      // A server that was restored from a backup.
      if (index === undefined) return false;
      struck();
      deaths += 1;
      restarts.push(cluster.kill(index).then(() => cluster.start(index)));
      return true;
    });
    const agentId = await createAgent(world, "Poison", flowOf("http", "Call", { url: `${services.apiUrl}/poison` }));
    void client.askOnce("POST", `/prediction/${agentId}`, { question: "hi" }, { key: randomUUID() });
    const state = await untilEnded(world, agentId);
    await Promise.all(restarts);
    const said = `The run of the agent ${agentId} that kills its process is ${state} after ${deaths} deaths.`;
    if (state === "INPROGRESS" || state === undefined) facts.stuck.push(said);
    else if (state !== "ERROR" || deaths === 0 || deaths > mostDeaths) facts.odd.push(said);
  },
};

async function untilEnded({ client }: World, agentId: string): Promise<string | undefined> {
  const until = performance.now() + patienceMs;
  let state: string | undefined;
  while (performance.now() < until) {
    const answer = await client.ask("GET", `/executions?agentflowId=${agentId}&page=1&limit=1`);
    [{ state } = { state }] = answer.json<{ data: { state: string }[] }>().data;
    if (state !== undefined && state !== "INPROGRESS") return state;
    await client.pause(250);
  }
  return state;
}

type Ports = { from: number; to: number };

/** The server that holds the connection between these ports, by the tables of Linux: its inode, and who holds it open. */
function findCaller(cluster: Cluster, { from, to }: Ports): number | undefined {
  const rows = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  // A closed connection keeps its ports for a while, without an inode; another one may have the same local port.
  const row = rows.find(
    ([, local, remote, , , , , , , inode]) => isPort(local, from) && isPort(remote, to) && inode !== "0",
  );
  const inode = row?.[9];
  const index = cluster.pids().findIndex((pid) => inode !== undefined && holds(pid, `socket:[${inode}]`));
  return index < 0 ? undefined : index;
}

/** `address`: in hexadecimal, as in `0100007F:1F90`. */
function isPort(address: string | undefined, port: number): boolean {
  return address?.endsWith(`:${port.toString(16).toUpperCase().padStart(4, "0")}`) ?? false;
}

function holds(pid: number, link: string): boolean {
  return namesOf(`/proc/${pid}/fd`).some((fd) => targetOf(`/proc/${pid}/fd/${fd}`) === link);
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined for what was closed meanwhile. */
function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
