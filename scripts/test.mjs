// Runs the tests: all, or those whose path contains one of the given words (`npm test -- apps engine/src/run`).
// `--browser` runs the browser's instead; `--fast` those that a change concerns, the nearest first, in under a minute
// (`scripts/tests/choose-fast-tests.ts`). `--test-name-pattern=lease` chooses by name; other arguments with a dash go to Node.
// A run of all tests runs files that failed once more, one at a time, and names those that then pass as flaky (decision 72).
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findServerBundle } from "./server-bundle.mjs";
import { chooseFastTests } from "./tests/choose-fast-tests.ts";
import { runFiles } from "./tests/run-files.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Tests of components are written in JSX: docs/decisions/0076-component-tests.md. */
const registerTsx = new URL("../packages/builder/src/testing/register-tsx.ts", import.meta.url).href;

/** Every file is a process that loads much of the sources: without their types already taken out a second of work each. */
process.env.NODE_COMPILE_CACHE ??= join(root, ".cache", "compile");

/** How long each file took when all were run. Long files begin first, so that none is left alone at the end. */
const durationsFile = join(root, ".cache", "test-durations.json");

const patternsOf = {
  node: ["packages/*/src/**/*.test.{ts,tsx}", "apps/*/src/**/*.test.ts", "{scripts,sim}/**/*.test.ts"],
  browser: ["e2e/**/*.test.ts"],
};

const cores = Math.max(2, availableParallelism());

/** Files at once. Those of Node wait a part of their time, for processes, leases and databases; a browser waits for nothing. */
const atOnceOf = { node: cores + 1, browser: cores };

/** Files that start servers and wait for leases and moments. They are spread among those that compute. */
const waits = /\/whole-server\//;

/** Begin first where no run has timed the files yet. */
const longest =
  /\/(timed-wait-process|upsert-crash|session-order|conformance|document-stores|workbench\/src\/main|cli\/\w+|every-page|pages)\.test\.ts$/;

/** A test that takes longer hangs; it fails instead of holding the run for ever. */
const testTimeoutMs = 120_000;

/** Without the end of any test for so long the run stops: a file left a server or a timer open and never ends. */
const mostIdleMs = 2 * testTimeoutMs;

/** More files than these do not fail by chance. */
const mostRepeated = 4;

const slowestShown = 10;

/** Of a file among the longest that was not timed yet. */
const guessedMs = 60_000;

const own = new Set(["--browser", "--fast"]);
const given = process.argv.slice(2);
const kind = given.includes("--browser") ? "browser" : "node";
const isFast = given.includes("--fast");
const options = given.filter((argument) => argument.startsWith("-") && !own.has(argument));
const words = given.filter((argument) => !argument.startsWith("-"));
const known = readDurations();
const files = chooseFiles();

if (files.length === 0) {
  if (!isFast) console.error(`No test file's path contains ${words.map((word) => `"${word}"`).join(" or ")}.`);
  process.exitCode = isFast ? 0 : 1;
} else {
  process.exitCode = await runAll();
}

function chooseFiles() {
  const all = globSync(patternsOf[kind], { cwd: root }).map((file) => file.replaceAll("\\", "/"));
  if (isFast) {
    return chooseFastTests({ root, tests: all, durations: known, atOnce: atOnceOf[kind], say: console.log });
  }
  const chosen = all.filter(
    (file) => words.length === 0 || words.some((word) => file.includes(word.replace(/^\.\//, ""))),
  );
  const msOf = (file) => known[file] ?? (longest.test(file) ? guessedMs : 0);
  const { true: waiting = [], false: working = [] } = Object.groupBy(
    chosen.sort((a, b) => msOf(b) - msOf(a) || (a < b ? -1 : 1)),
    (file) => waits.test(file),
  );
  return spread(waiting, working);
}

/** Both lists in their order, as one in which the parts of each stand equally far apart. */
function spread(some, others) {
  const placed = [some, others].flatMap((files) => files.map((file, index) => ({ file, at: index / files.length })));
  return placed.sort((a, b) => a.at - b.at).map(({ file }) => file);
}

async function runAll() {
  const isWhole = words.length === 0 && options.length === 0 && !isFast;
  // Hundreds of servers and commands start from it. Those that began before it was there would run from the sources.
  if (isWhole && findServerBundle(root, "main") === undefined) {
    spawnSync(process.execPath, [join(root, "scripts/server-bundle.mjs")], { stdio: "inherit" });
  }
  const first = await run(files, atOnceOf[kind]);
  if (!isWhole) return first.isGood ? 0 : 1;
  const slowest = [...first.durations].sort(([, a], [, b]) => b - a);
  console.log("\nThe slowest files, in seconds:");
  for (const [file, ms] of slowest.slice(0, slowestShown)) console.log(`${Math.round(ms / 1_000)}`.padStart(5), file);
  writeDurations({ ...known, ...Object.fromEntries(slowest) });
  const { isGood, failed, unfinished } = first;
  if (isGood) return 0;
  if (unfinished.length > 0 || failed.length === 0 || failed.length > mostRepeated) return 1;
  console.log(`\nOnce more, one at a time: ${failed.join(", ")}`);
  const second = await run(failed, 1);
  if (second.isGood) console.log(`\nFLAKY, passed when run again: ${failed.join(", ")}`);
  return second.isGood ? 0 : 1;
}

function run(chosen, atOnce) {
  const withTsx = kind === "node" ? [`--import=${registerTsx}`] : [];
  return runFiles({ root, files: chosen, atOnce, options: [...withTsx, ...options], testTimeoutMs, mostIdleMs });
}

function readDurations() {
  try {
    return JSON.parse(readFileSync(durationsFile, "utf8"));
  } catch {
    return {};
  }
}

function writeDurations(durations) {
  mkdirSync(dirname(durationsFile), { recursive: true });
  writeFileSync(durationsFile, JSON.stringify(durations, undefined, 1));
}
