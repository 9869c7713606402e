import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "./faults/fault.ts";
import { NoAnswerError } from "./house/client.ts";
import { type Facts, noFacts } from "./house/facts.ts";
import type { Player, World } from "./load/player.ts";

/** A campaign's world, with the players that are ready in it. */
export type Stage = { world: World; players: readonly { player: Player; weight: number }[]; faultTimes: number[] };

/** When a case is over: after some time, or after its fault has struck so many times. */
export type Extent = { seconds: number } | { rounds: number };

const workers = 8;
const quietMs = 60_000;

/** Plays while a fault strikes again and again; then waits until all is quiet, and collects what is there. */
export async function runCase({ world, players, faultTimes }: Stage, fault: Fault, extent: Extent): Promise<Facts> {
  const facts = noFacts();
  world.facts = facts;
  const { random } = world;
  let isOver = false;
  const playing = Array.from({ length: workers }, async () => {
    while (!isOver) {
      await play(world, pick(players, random.next()));
      await sleep(random.between(20, 120));
    }
  });

  const startedAt = performance.now();
  let strikes = 0;
  const isDue = () =>
    "rounds" in extent ? strikes < extent.rounds : performance.now() - startedAt < extent.seconds * 1_000;
  const struck = () => {
    faultTimes.push(performance.now());
    facts.faults += 1;
  };
  while (isDue()) {
    await sleep(random.between(500, 3_000));
    await fault.strike({ ...world, struck });
    strikes += 1;
    await reviveEnded(world);
  }
  isOver = true;
  await Promise.all(playing);
  await reviveEnded(world);
  await untilQuiet(world);
  await Promise.all(players.map(({ player }) => collect(world, player)));
  // What began while they collected.
  await untilQuiet(world);
  await readStates(world);
  facts.odd = facts.odd.map((sentence) => withLog(world, sentence));
  return facts;
}

/** A sentence about an answer, with what the servers logged of it. */
function withLog({ cluster }: World, sentence: string): string {
  const [, requestId] = /\(request ([\w-]+)\)/.exec(sentence) ?? [];
  const line = requestId === undefined ? undefined : cluster.findLog(requestId);
  return line === undefined ? sentence : `${sentence}\n  ${line.slice(0, 2_000)}`;
}

function pick(players: Stage["players"], share: number): Player {
  const total = players.reduce((sum, { weight }) => sum + weight, 0);
  let left = share * total;
  for (const { player, weight } of players) {
    left -= weight;
    if (left < 0) return player;
  }
  throw new Error("Nobody plays.");
}

async function play({ facts }: World, player: Player): Promise<void> {
  facts.operations += 1;
  try {
    await player.play();
  } catch (error) {
    facts[error instanceof NoAnswerError ? "stuck" : "odd"].push(toText(error));
  }
}

async function collect({ facts }: World, player: Player): Promise<void> {
  await player.collect().catch((error: unknown) => {
    facts[error instanceof NoAnswerError ? "stuck" : "odd"].push(toText(error));
  });
}

/** A server that ends by itself is noted, and started again as a supervisor would. */
async function reviveEnded({ cluster, facts }: World): Promise<void> {
  for (const { index, output } of cluster.findEnded()) {
    facts.broken.push(`Server ${index} ended by itself: ${lastWords(output)}`);
    await cluster.start(index);
  }
}

/** What a process wrote of its end: no lines of the log, which may hold the address of the first log-in. */
function lastWords(output: string): string {
  const lines = output.split("\n").filter((line) => /^\w*Error:|^error:|^\s+at /i.test(line));
  return lines.slice(0, 3).join(" ").replaceAll(/\s+/g, " ");
}

async function untilQuiet({ client }: World): Promise<void> {
  const until = performance.now() + quietMs;
  const path = "/executions?state=INPROGRESS&page=1&limit=1";
  while (performance.now() < until) {
    const { total } = (await client.ask("GET", path)).json<{ total: number }>();
    if (total === 0) return;
    await client.pause(250);
  }
}

async function readStates({ client, facts }: World): Promise<void> {
  const left = [...facts.runs];
  const read = async () => {
    for (let run = left.pop(); run !== undefined; run = left.pop()) {
      const answer = await client.ask("GET", `/executions/${run.id}`);
      run.state = answer.status === 200 ? answer.json<{ state: string }>().state : undefined;
    }
  };
  await Promise.all([read(), read(), read(), read()]);
}

function toText(error: unknown): string {
  return error instanceof Error ? `${error.message}${error.cause ? ` (${error.cause})` : ""}` : String(error);
}
