import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { plants } from "./plants.ts";
import { type Simulation, simulate } from "./simulate.ts";
import { realElapsed } from "./world/virtual-time.ts";

const help = `Simulates processes, clients and faults on virtual time: docs/simulation.md.

  ./weft sim [options]

  --seed S        the first seed, a whole number; default 1
  --seeds N       so many seeds from the first one; default 1
  --minutes M     of virtual time, before all comes to its end; default 60
  --processes N   1 to 12; default 4
  --clients N     1 to 100; default 8
  --ci            the short form: as many seeds of 3 minutes as it has time for, 20 at most
  --plant NAME    plants a fault that must be found, one of:
${Object.keys(plants)
  .map((name) => `                  "${name}"`)
  .join("\n")}`;

type Options = {
  seed: number;
  seeds: number;
  minutes: number;
  processes: number;
  clients: number;
  plant?: string;
  isShort: boolean;
};

/** Lines of the history that are shown with a violation. */
const shownLines = 200;
/** Of the history before and after a run's own lines. */
const surroundingMs = 15_000;
const ciSeeds = 20;
const ciMinutes = 3;
/** After this time the short form begins no further seed. */
const ciMs = 70_000;

/** A sentence for the person who called it. */
class Refusal extends Error {}

const { argv, stdout } = process;

try {
  await main(argv.slice(2));
} catch (cause) {
  if (!(cause instanceof Refusal)) throw cause;
  console.error(`${cause.message} See ./weft sim --help.`);
  process.exitCode = 2;
}

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options === undefined) return console.log(help);
  const { seed, seeds } = options;
  const all = Array.from({ length: seeds }, (_, index) => seed + index);
  const jobs = Math.min(seeds, availableParallelism());
  if (jobs < 2 || process.send !== undefined) return runSeeds(options, all);
  // Each has virtual time of its own, and so a Node process of its own.
  const statuses = await Promise.all(
    Array.from({ length: jobs }, (_, job) => {
      const own = all.filter((_, index) => index % jobs === job);
      return runInChild(options, own);
    }),
  );
  const failed = statuses.filter((status) => status !== 0).length;
  console.log(failed === 0 ? "no violation" : "violations were found: see above");
  process.exitCode = failed === 0 ? 0 : 1;
}

function readOptions(args: string[]): Options | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  const isShort = values.ci === true;
  const { plant } = values;
  if (plant !== undefined && !Object.hasOwn(plants, plant)) throw new Refusal(`There is no plant "${plant}".`);
  return {
    seed: readNumber("seed", values.seed, { fallback: 1, from: 0, to: 2 ** 31 }),
    seeds: readNumber("seeds", values.seeds, { fallback: isShort ? ciSeeds : 1, from: 1, to: 100_000 }),
    minutes: readNumber("minutes", values.minutes, { fallback: isShort ? ciMinutes : 60, from: 1, to: 10_000 }),
    processes: readNumber("processes", values.processes, { fallback: 4, from: 1, to: 12 }),
    clients: readNumber("clients", values.clients, { fallback: 8, from: 1, to: 100 }),
    ...(plant === undefined ? {} : { plant }),
    isShort,
  };
}

function parse(args: string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const numbers = { seed: text, seeds: text, minutes: text, processes: text, clients: text };
  try {
    return parseArgs({ args, options: { ...numbers, plant: text, ci: flag, help: flag } });
  } catch (cause) {
    throw new Refusal(cause instanceof Error ? cause.message : String(cause));
  }
}

function readNumber(
  name: string,
  text: string | undefined,
  { fallback, from, to }: { fallback: number; from: number; to: number },
): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= from && value <= to) return value;
  throw new Refusal(`--${name} takes a whole number from ${from} to ${to}, not "${text}".`);
}

function commandOf({ minutes, processes, clients, plant }: Options, seed: number): string {
  const planted = plant === undefined ? "" : ` --plant "${plant}"`;
  return `./weft sim --seed ${seed} --minutes ${minutes} --processes ${processes} --clients ${clients}${planted}`;
}

async function runInChild(options: Options, seeds: readonly number[]): Promise<number> {
  const { minutes, processes, clients, plant, isShort } = options;
  const args = [
    ...["--minutes", `${minutes}`, "--processes", `${processes}`, "--clients", `${clients}`],
    ...(plant === undefined ? [] : ["--plant", plant]),
    ...(isShort ? ["--ci"] : []),
  ];
  const child = fork(fileURLToPath(import.meta.url), args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  child.send(seeds);
  return new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
}

async function runSeeds(options: Options, all: readonly number[]): Promise<void> {
  const seeds = process.send === undefined ? all : await fromParent();
  const plant = options.plant === undefined ? undefined : plants[options.plant];
  for (const seed of seeds) {
    if (options.isShort && realElapsed() > ciMs) {
      console.log("the time of the short form is over");
      return;
    }
    const simulation = await simulate({ ...options, seed, plant });
    report(options, simulation);
    if (simulation.violations.length > 0) process.exitCode = 1;
  }
}

/** The run's own lines, with what happened to processes from shortly before it began. Some violations are seen at the end. */
function linesAbout({ runId, atMs }: Simulation["violations"][number], history: Simulation["history"]) {
  const before = history.filter((line) => line.atMs <= atMs).sort((a, b) => a.atMs - b.atMs);
  const own = before.filter((line) => line.runId === runId && runId !== undefined);
  const fromMs = (own[0]?.atMs ?? 0) - surroundingMs;
  const lastMs = own.findLast((line) => line.atMs < atMs)?.atMs ?? atMs;
  const near = before.filter((line) => line.atMs >= fromMs && line.atMs <= lastMs + surroundingMs);
  return before
    .filter((line) => own.includes(line) || (line.runId === undefined && near.includes(line)))
    .slice(-shownLines);
}

function fromParent(): Promise<number[]> {
  return new Promise((resolve) => {
    process.once("message", (seeds) => {
      resolve(seeds as number[]);
      process.disconnect();
    });
  });
}

function report(options: Options, { seed, hash, runs, events, deaths, realMs, violations, history }: Simulation): void {
  const seconds = (realMs / 1_000).toFixed(1);
  console.log(
    `seed ${seed}: ${runs} runs, ${events} events, ${deaths} deaths of processes, ${violations.length} violations; ` +
      `history ${hash}, ${seconds} s`,
  );
  const [first] = violations;
  if (first === undefined) return;
  for (const { atMs, text, runId } of linesAbout(first, history)) {
    console.log(`  ${(atMs / 1_000).toFixed(3).padStart(9)} s  ${runId === undefined ? "" : "  "}${text}`);
  }
  for (const { atMs, text, runId = "" } of violations.slice(0, 10)) {
    console.log(`seed ${seed}, ${(atMs / 1_000).toFixed(3)} s: ${runId} ${text}`);
  }
  stdout.write(`Again: ${commandOf(options, seed)}\n`);
}
