// Runs the tests, many files to a process: all of `npm test`, or those whose path contains one of the given words
// (`npm test -- apps engine/src/run`). How it works and what runs where: docs/reference/tests.md.
//   --fast       those that a change concerns, the nearest first, in 40 seconds
//   --long       those that `npm test` leaves to `npm run test:long`
//   --browser    the tests in Chromium
//   --alone      every file in a process of its own
//   --seed=N     the order of an earlier run
//   --set-budget writes what this run cost as the budget of the next ones
// `--test-name-pattern=lease` chooses tests by name; other arguments with a dash go to Node.
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { arrangeFiles } from "./tests/arrange-files.ts";
import { countCosts, judgeCosts, readBudget, writeBudget } from "./tests/budget.ts";
import { chooseFastTests, findChanges } from "./tests/choose-fast-tests.ts";
import { readDurations, readFailures, writeDurations, writeReport } from "./tests/durations.ts";
import { openFailureHistory } from "./tests/failure-history.ts";
import { findTests } from "./tests/find-tests.ts";
import { measureSpeedMs } from "./tests/measure-speed.ts";
import { offerPreviousRelease, offerServer } from "./tests/offer-server.mjs";
import { createProgress, isGood, printCounts, printSummary } from "./tests/print-outcomes.ts";
import { runFiles } from "./tests/run-files.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Tests of components are written in JSX: docs/decisions/0076-component-tests.md. */
const registerTsx = new URL("../packages/builder/src/testing/register-tsx.ts", import.meta.url).href;

process.env.NODE_COMPILE_CACHE ??= join(root, ".cache", "compile");

const own = ["--fast", "--long", "--browser", "--alone", "--set-budget"];
const given = process.argv.slice(2);
const has = (name) => given.includes(name);
// What is the same on every database is tested on SQLite by `npm test`.
if (has("--long")) process.env.TEST_DATABASE ??= "postgres";
const seedGiven = given.find((argument) => argument.startsWith("--seed="))?.slice("--seed=".length);
const options = given.filter((each) => each.startsWith("-") && !own.includes(each) && !each.startsWith("--seed="));
const words = given.filter((each) => !each.startsWith("-")).map((word) => word.replace(/^\.\//, ""));

const cores = availableParallelism();
/**
 * Test processes at once: half of their time they wait, for other processes, pages and databases. Beside much other work
 * each gets a small share of the cores, and twice as many a fair one.
 */
const isBusy = loadavg()[0] > 3 * cores && !has("--browser");
const processes = Math.min((isBusy ? 4 : 2) * cores, 8);
const mostIdleMs = 100_000;
/** A page may wait for a whole import. */
const mostIdleInBrowserMs = 240_000;
const mostClosingMs = 20_000;
/** With so few files their tests are listed. */
const verboseBelow = 4;
/** After how many of the files the speed of the machine is measured. */
const speedShare = 0.1;

const durations = readDurations(root);
const history = openFailureHistory(root);
const secondsOf = (file) => durations[file] ?? 1;
const seed = seedGiven === undefined ? Math.floor(Math.random() * 1e9) : Number(seedGiven);
const files = chooseFiles();
process.exitCode = files.length === 0 ? reportNone() : await runAll();

function chooseFiles() {
  const tier = has("--browser")
    ? "browser"
    : has("--long")
      ? "long"
      : words.length > 0 || has("--fast")
        ? "any"
        : "usual";
  const tests = findTests(root, tier).filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
  if (has("--fast")) return chooseFastTests({ root, tests, secondsOf, processes, history, say: console.log });
  return arrangeFiles(tests, { seed, secondsOf });
}

function reportNone() {
  if (has("--fast")) return 0;
  console.error(`No test file's path contains ${words.map((word) => `"${word}"`).join(" or ")}.`);
  return 1;
}

async function runAll() {
  const isWhole = words.length === 0 && options.length === 0 && !has("--fast");
  const isUsual = isWhole && !["--long", "--browser", "--alone"].some(has);
  if (isWhole || has("--fast")) offerServer(root);
  offerPreviousRelease(root, files);
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stopping.abort());
  const browser = has("--browser")
    ? await (await import("../proof/e2e/testing/open-browser.ts")).offerBrowser()
    : undefined;
  const startedAt = performance.now();
  measureSpeedMs();
  const speedsMs = [measureSpeedMs()];
  const progress = createProgress(files, secondsOf, files.length < verboseBelow);
  const outcomes = await runFiles({
    root,
    files,
    processes,
    options: [...(has("--browser") ? [] : [`--import=${registerTsx}`]), ...options],
    mostIdleMs: has("--browser") ? mostIdleInBrowserMs : mostIdleMs,
    mostClosingMs,
    isAlone: has("--alone"),
    onFile(outcome) {
      progress(outcome);
      if (Math.random() < speedShare) speedsMs.push(measureSpeedMs());
    },
    signal: stopping.signal,
  });
  await browser?.close();
  const wallMs = performance.now() - startedAt;
  writeReport(root, outcomes);
  if (isWhole) writeDurations(root, outcomes);
  const failed = outcomes.filter((outcome) => !isGood(outcome)).map(({ file }) => file);
  if (!has("--browser"))
    history.remember(
      failed,
      findChanges(root).map(({ path }) => path),
    );
  printSummary(outcomes, wallMs);
  const isOverBudget = isUsual && holdToBudget(countCosts(outcomes, speedsMs));
  for (const line of readFailures(root)) console.log(line);
  console.log(`Order: --seed=${seed}`);
  printCounts(outcomes);
  return outcomes.every(isGood) && !isOverBudget && !stopping.signal.aborted ? 0 : 1;
}

function holdToBudget(costs) {
  if (has("--set-budget")) writeBudget(root, costs);
  const { isOver, lines } = judgeCosts(costs, readBudget(root));
  for (const line of lines) console.log(line);
  return isOver;
}
