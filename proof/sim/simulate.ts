import { mend, startFaults } from "./faults.ts";
import { startClients } from "./load/clients.ts";
import { createOracle } from "./oracle.ts";
import type { Plant } from "./plants.ts";
import { realElapsed } from "./world/virtual-time.ts";
import { createWorld, type World } from "./world/world.ts";

export type SimulationOptions = {
  seed: number;
  /** Of virtual time, until clients and faults stop. */
  minutes: number;
  processes: number;
  clients: number;
  /** Within so many minutes after the last fault every accepted run has ended. Default 15. */
  settleMinutes?: number | undefined;
  plant?: Plant | undefined;
};

export type Simulation = Pick<World, "violations" | "history"> & {
  seed: number;
  /** The same for the same seed, options and code. */
  hash: string;
  runs: number;
  events: number;
  deaths: number;
  realMs: number;
};

/** How often the oracle looks. */
const lookEveryMs = 1_000;
/** For streams and requests that are still open then. */
const farewellMs = 60_000;

/** Lets processes, clients and faults live for some minutes of virtual time, and then all runs come to their ends. */
export async function simulate(options: SimulationOptions): Promise<Simulation> {
  const { seed, minutes, clients, settleMinutes = 15 } = options;
  const beganAt = realElapsed();
  const world = await createWorld(options);
  const { time, violations, facts, processes } = world;
  const oracle = createOracle(world);
  const isBroken = () => violations.length > 0;
  try {
    for (const process of processes) process.start();
    startClients(world, clients);
    void startFaults(world);
    const endMs = minutes * 60_000;
    await lookUntil(endMs, isBroken);
    world.isQuiet = true;
    world.note("faults stop");
    mend(world);
    await lookUntil(
      endMs + settleMinutes * 60_000,
      () => isBroken() || (time.now() > endMs + farewellMs && oracle.isSettled()),
    );
    if (!isBroken()) await lookUntil(time.now() + farewellMs, isBroken);
    if (!isBroken()) oracle.conclude();
    const { events } = oracle;
    const { size: deaths } = facts.deaths;
    const { history } = world;
    const realMs = realElapsed() - beganAt;
    return { seed, violations, history, hash: world.hash(), runs: facts.runs.size, events: events(), deaths, realMs };
  } finally {
    world.close();
  }

  async function lookUntil(ms: number, isOver: () => boolean): Promise<void> {
    while (time.now() < ms && !isOver()) {
      await time.runUntil(Math.min(ms, time.now() + lookEveryMs));
      oracle.look();
    }
  }
}
