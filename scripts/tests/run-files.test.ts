import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";

const passes = 'import { it } from "node:test"; it("passes", () => undefined);';
const fails = 'import { it } from "node:test"; it("fails", () => { throw new Error("as planted"); });';
const leavesTimer =
  'import { it } from "node:test"; it("leaves a timer", () => void setInterval(() => undefined, 1_000));';
const hangs =
  'import { it } from "node:test"; it("hangs", () => new Promise((resolve) => setTimeout(resolve, 3_000)));';

/** Runs files in a process of its own: a test runner inside a test's process runs nothing. */
function runIn(sources: Record<string, string>, limits: { testTimeoutMs: number; mostIdleMs: number }) {
  const root = mkdtempSync(join(tmpdir(), "weft-run-files-"));
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(root, name), source);
  const request = { root, files: Object.keys(sources), atOnce: 2, options: [], ...limits };
  const driver = `
    import { runFiles } from ${JSON.stringify(new URL("run-files.ts", import.meta.url).href)};
    const { durations, ...outcome } = await runFiles(${JSON.stringify(request)});
    console.log("OUTCOME " + JSON.stringify({ ...outcome, timed: [...durations.keys()].sort() }));`;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  writeFileSync(join(root, "driver.mjs"), driver);
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, "driver.mjs")], { env, encoding: "utf8" });
  rmSync(root, { recursive: true });
  const line = stdout.split("\n").find((text) => text.startsWith("OUTCOME ")) ?? assert.fail(stdout + stderr);
  return { ...JSON.parse(line.slice("OUTCOME ".length)), stderr };
}

const patient = { testTimeoutMs: 60_000, mostIdleMs: 60_000 };

it("times every file and passes when all do", () => {
  const { isGood, failed, timed } = runIn({ "a.test.mjs": passes, "b.test.mjs": passes }, patient);
  assert.deepEqual({ isGood, failed, timed }, { isGood: true, failed: [], timed: ["a.test.mjs", "b.test.mjs"] });
});

it("names the files whose tests fail, and those that do not load", () => {
  const broken = 'import "./missing.mjs";';
  const { isGood, failed } = runIn({ "a.test.mjs": fails, "b.test.mjs": passes, "c.test.mjs": broken }, patient);
  assert.deepEqual({ isGood, failed: failed.sort() }, { isGood: false, failed: ["a.test.mjs", "c.test.mjs"] });
});

it("fails a test that hangs", () => {
  const { isGood, failed } = runIn({ "a.test.mjs": hangs }, { testTimeoutMs: 200, mostIdleMs: 60_000 });
  assert.deepEqual({ isGood, failed }, { isGood: false, failed: ["a.test.mjs"] });
});

it("stops when no test ends any more, and names the files that did not", () => {
  const sources = { "a.test.mjs": leavesTimer, "b.test.mjs": passes };
  const { isGood, unfinished, timed, stderr } = runIn(sources, { testTimeoutMs: 60_000, mostIdleMs: 3_000 });
  assert.deepEqual({ isGood, unfinished, timed }, { isGood: false, unfinished: ["a.test.mjs"], timed: ["b.test.mjs"] });
  assert.match(stderr, /No test has ended for 3 seconds. Unfinished: a.test.mjs/);
});
