// Runs the tests: all, or those whose path contains one of the given words (`npm test -- apps engine/src/run`).
// Arguments with a dash go to Node: `npm test -- --test-name-pattern=lease server`.
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const patterns = ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts", "scripts/**/*.test.ts"];

/** A test that takes longer hangs; it fails instead of holding the run for ever. */
const testTimeoutMs = 120_000;

/** A file that leaves a server or timer open never ends by itself; after this the run stops and names it. */
const runTimeoutMs = 40 * 60_000;

const options = process.argv.slice(2).filter((argument) => argument.startsWith("-"));
const words = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const files = globSync(patterns, { cwd: root })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word.replace(/^\.\//, ""))))
  .sort();

if (files.length === 0) {
  console.error(`No test file's path contains ${words.map((word) => `"${word}"`).join(" or ")}.`);
  process.exitCode = 1;
} else {
  run();
}

function run() {
  const args = ["--test", "--test-reporter=spec", `--test-timeout=${testTimeoutMs}`];
  // Node's own default leaves one core free, which on two cores means one file at a time.
  args.push(`--test-concurrency=${Math.max(2, availableParallelism())}`);
  const child = spawn(process.execPath, [...args, ...options, ...files], { cwd: root, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  let late = false;
  const deadline = setTimeout(() => {
    late = child.kill("SIGTERM");
  }, runTimeoutMs);
  child.on("close", (code) => {
    clearTimeout(deadline);
    process.exitCode = late ? 1 : (code ?? 1);
  });
}
