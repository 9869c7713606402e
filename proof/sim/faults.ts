import { hinder } from "./facts.ts";
import type { SimProcess } from "./world/process.ts";
import type { World } from "./world/world.ts";

type Fault = (world: World, process: SimProcess) => void;

const kill: Fault = ({ random }, process) => process.kill(random.between(200, 20_000));

const restart: Fault = ({ random }, process) => process.restart(random.between(200, 10_000));

/** Often for longer than a lease. */
const pause: Fault = ({ random }, process) => process.pause(random.between(500, 16_000));

/** The next transaction is not begun, or its answer is lost; or the process ends before it, or after it. */
const breakWrite: Fault = ({ random, note }, { life }) => {
  if (life === undefined) return;
  life.link.nextFault = random.pick(["refused", "answer lost", "killed before commit", "killed after commit"] as const);
  note(`${life.actor.name}: the next write is ${life.link.nextFault}`);
};

const cutFromDatabase: Fault = ({ random, time, note, facts }, { life }) => {
  if (life === undefined) return;
  const ms = random.pick([300, 2_000, 8_000, 20_000]);
  life.link.cutUntilMs = time.now() + ms;
  // What it asks for at the end of that comes later still.
  hinder(facts, life.actor.name, time.now() + ms + 14_000);
  note(`${life.actor.name} does not reach the database for ${ms} ms`);
};

/** The wall clock of one process, for a while. */
const moveClock: Fault = ({ random, time, note, facts }, { life }) => {
  if (life === undefined) return;
  const { actor } = life;
  actor.offsetMs = random.pick([-60_000, -5_000, 5_000, 60_000]);
  note(`${actor.name}: the clock is set by ${actor.offsetMs} ms`);
  hinder(facts, actor.name, time.now());
  void time.sleep(random.between(1_000, 60_000)).then(() => {
    actor.offsetMs = 0;
  });
};

/** The wall clocks of all machines, that of the database included. */
const moveAllClocks: Fault = ({ random, time, note, facts, database, processes }) => {
  const ms = random.pick([-4_000, 4_000, 20_000]);
  note(`all clocks are set by ${ms} ms`);
  const actors = [database.actor, ...processes.flatMap(({ life }) => life?.actor ?? [])];
  for (const actor of actors) actor.offsetMs += ms;
  // A lease that ended at a moment ends later when the clock went back.
  for (const { name } of actors) hinder(facts, name, time.now() + Math.max(0, -ms));
};

const spoilSignals: Fault = ({ random, time, note, database: { signalFaults } }) => {
  const ms = random.between(5_000, 60_000);
  Object.assign(signalFaults, {
    lost: random.pick([0, 0.3, 1]),
    doubled: random.pick([0, 0.5]),
    lateMs: random.pick([0, 500, 10_000]),
  });
  note(`for ${ms} ms signals are ${JSON.stringify(signalFaults)}`);
  void time.sleep(ms).then(() => Object.assign(signalFaults, { lost: 0, doubled: 0, lateMs: 0 }));
};

const faults: readonly Fault[] = [
  ...[kill, kill, restart, pause, pause, breakWrite, breakWrite, breakWrite],
  ...[cutFromDatabase, moveClock, moveAllClocks, spoilSignals],
];

/** Breaks something every few seconds, until the world is quiet. */
export async function startFaults(world: World): Promise<void> {
  const { time, random, processes } = world;
  for (;;) {
    await time.sleep(random.between(1_000, 15_000));
    if (world.isQuiet) return;
    random.pick(faults)(world, random.pick(processes));
  }
}

/** Mends what is still broken. Processes that are on their way up or down come to their end. */
export function mend({ processes, database }: World): void {
  Object.assign(database.signalFaults, { lost: 0, doubled: 0, lateMs: 0 });
  for (const { life } of processes) {
    if (life === undefined) continue;
    life.link.nextFault = undefined;
    life.link.cutUntilMs = 0;
    life.actor.offsetMs = database.actor.offsetMs;
  }
}
