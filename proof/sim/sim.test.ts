// @tier long: simulations of minutes with planted faults.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { plants } from "./plants.ts";
import { type SimulationOptions, simulate } from "./simulate.ts";

const small = { minutes: 1, processes: 4, clients: 8 };

describe("a seed", () => {
  // Each is a test of its own: on a loaded machine three of them take longer than a test may say nothing.
  it("decides everything that happens", async (t) => {
    const histories: Awaited<ReturnType<typeof simulate>>[] = [];
    for (const [turn, seed] of [1, 2, 1].entries()) {
      await t.test(`turn ${turn + 1}`, async () => void histories.push(await simulate({ ...small, seed })));
    }
    const [first, other, again] = histories;
    assert.ok(first && other && again);
    assert.deepEqual(first.violations, []);
    assert.ok(first.runs > 5 && first.events > 50);
    assert.equal(again.hash, first.hash);
    assert.notEqual(other.hash, first.hash);
  });

  it("leaves the machine's time as it was", async () => {
    const before = Date.now();
    await simulate({ ...small, seed: 3 });
    assert.ok(Math.abs(Date.now() - before) < 600_000);
    await new Promise((resolve) => setTimeout(resolve, 1));
  });
});

/** Faults that are rare, or that only the end shows, take more. */
const extents: Readonly<Record<string, Partial<SimulationOptions>>> = {
  "waits that are over are not found": { settleMinutes: 5 },
  "no wake-up comes, and ready runs are not looked for": { settleMinutes: 5 },
  "a cancel is not noted": { minutes: 3, clients: 16 },
  "runs of the dead are not taken over": { minutes: 3 },
};

describe("the oracle finds", () => {
  for (const [name, plant] of Object.entries(plants)) {
    it(name, async () => {
      const found = [];
      const options = { ...small, minutes: 2, seed: 1, ...extents[name] };
      for (let { seed } = options; seed < options.seed + 5 && found.length === 0; seed += 1) {
        const { violations } = await simulate({ ...options, seed, plant });
        found.push(...violations);
      }
      assert.ok(found.length > 0);
    });
  }
});

/** Seeds that found a bug. Each keeps to the order of random choices that the simulation made then. */
const seeds: readonly (SimulationOptions & { found: string })[] = [
  {
    ...{ seed: 2, minutes: 2, processes: 3, clients: 10, settleMinutes: 5 },
    found: "a run that two requests of a process name at once began twice there, and lost its turn",
  },
  {
    ...{ seed: 4, minutes: 2, processes: 3, clients: 10, settleMinutes: 5 },
    found: "the same, where a stream waits for it",
  },
];

describe("finds no more that", () => {
  for (const { found, ...options } of seeds) {
    it(found, async () => assert.deepEqual((await simulate(options)).violations, []));
  }
});

describe("the command line", () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [fileURLToPath(new URL("main.ts", import.meta.url)), ...args], { encoding: "utf8" });

  it("says what is wrong with its arguments", () => {
    for (const [args, problem] of [
      [["--seed", "x"], /--seed takes a whole number/],
      [["--minutes", "0"], /--minutes takes a whole number from 1/],
      [["--plant", "none"], /no plant "none"/],
      [["--speed"], /--speed/],
    ] as const) {
      const { status, stderr } = run(...args);
      assert.equal(status, 2);
      assert.match(stderr, problem);
      assert.match(stderr, /--help/);
    }
    assert.match(run("--help").stdout, /--seeds N/);
  });

  it("tells a violation with its history and the command that repeats it, and fails", () => {
    const { status, stdout } = run("--seed", "1", "--minutes", "1", "--plant", "events are streamed twice");
    assert.equal(status, 1);
    assert.match(stdout, /seed 1, \d+\.\d+ s: \S+ The stream gave event/);
    assert.match(stdout, /run-started epoch 1/);
    assert.match(stdout, /Again: \.\/weft sim --seed 1 --minutes 1 --processes 4 --clients 8 --plant "events/);
  });
});
