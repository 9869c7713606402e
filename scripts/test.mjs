// Runs the tests: all, or those whose path contains one of the given words (`npm test -- apps engine/src/run`).
// Arguments with a dash go to Node: `npm test -- --test-name-pattern=lease server`. `--browser` runs the browser's instead.
// A run of all tests runs files that failed once more, one at a time, and names those that then pass as flaky (decision 72).
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const reporter = new URL("report-files.mjs", import.meta.url).href;

/** Every file is a process that loads much of the sources: without their types already taken out a second of work each. */
const compileCache = join(root, ".cache", "compile");

const patternsOf = {
  node: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
  browser: ["e2e/**/*.test.ts"],
};

const cores = Math.max(2, availableParallelism());

/** Files at once. Those of Node wait half of their time, for processes, leases and databases; a browser waits for nothing. */
const atOnceOf = { node: cores + 1, browser: cores };

/** A test that takes longer hangs; it fails instead of holding the run for ever. */
const testTimeoutMs = 120_000;

/** A file that leaves a server or timer open never ends by itself; after this the run stops and names it. */
const runTimeoutMs = 40 * 60_000;

/** More files than these do not fail by chance. */
const mostRepeated = 4;

const slowestShown = 10;

const given = process.argv.slice(2);
const kind = given.includes("--browser") ? "browser" : "node";
const patterns = patternsOf[kind];
const options = given.filter((argument) => argument.startsWith("-") && argument !== "--browser");
const words = given.filter((argument) => !argument.startsWith("-"));
const files = globSync(patterns, { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word.replace(/^\.\//, ""))))
  .sort();

if (files.length === 0) {
  console.error(`No test file's path contains ${words.map((word) => `"${word}"`).join(" or ")}.`);
  process.exitCode = 1;
} else {
  process.exitCode = await runAll();
}

async function runAll() {
  const first = await run(files, atOnceOf[kind]);
  if (words.length > 0 || options.length > 0) return first.code;
  const slowest = [...first.durations].sort(([, a], [, b]) => b - a).slice(0, slowestShown);
  console.log("\nThe slowest files, in seconds:");
  for (const [file, ms] of slowest) console.log(`${Math.round(ms / 1_000)}`.padStart(5), file);
  if (first.code === 0 || first.isLate || first.failed.length === 0 || first.failed.length > mostRepeated)
    return first.code;
  console.log(`\nOnce more, one at a time: ${first.failed.join(", ")}`);
  const second = await run(first.failed, 1);
  if (second.code === 0) console.log(`\nFLAKY, passed when run again: ${first.failed.join(", ")}`);
  return second.code;
}

/** @returns {Promise<{ code: number, isLate: boolean, failed: string[], durations: Map<string, number> }>} */
async function run(chosen, concurrency) {
  const directory = mkdtempSync(join(tmpdir(), "weft-test-files-"));
  const report = join(directory, "files.ndjson");
  const args = ["--test", `--test-timeout=${testTimeoutMs}`, `--test-concurrency=${concurrency}`];
  args.push("--test-reporter=spec", "--test-reporter-destination=stdout");
  args.push(`--test-reporter=${reporter}`, `--test-reporter-destination=${report}`);
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
  const child = spawn(process.execPath, [...args, ...options, ...chosen], { cwd: root, env, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => child.kill(signal));
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = child.kill("SIGTERM");
  }, runTimeoutMs);
  const code = await new Promise((resolve) => child.on("close", (exitCode) => resolve(exitCode ?? 1)));
  clearTimeout(deadline);
  const lines = readFileSync(report, "utf8").split("\n").filter(Boolean);
  rmSync(directory, { recursive: true, force: true });
  const durations = new Map();
  const failed = new Set();
  for (const { file, ms, isFailed } of lines.map((line) => JSON.parse(line))) {
    const path = relative(root, file);
    durations.set(path, (durations.get(path) ?? 0) + ms);
    if (isFailed) failed.add(path);
  }
  return { code: isLate ? 1 : code, isLate, failed: [...failed], durations };
}
