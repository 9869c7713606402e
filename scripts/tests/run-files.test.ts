import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import type { FileOutcome } from "./run-files.ts";
import type { TestResult } from "./test-messages.ts";

const imports = 'import { after, before, describe, it } from "node:test";\n';
const passes = `${imports}it("passes", () => undefined);`;
const fails = `${imports}describe("a thing", () => { it("fails", () => { throw new Error("as planted"); }); });`;

/** Runs files in a process of its own: the tests of these files are none of this file's. */
function runIn(
  sources: Record<string, string>,
  more: { mostIdleMs?: number; processes?: number; isAlone?: boolean } = {},
): Record<string, FileOutcome> {
  const root = mkdtempSync(join(tmpdir(), "weft-run-files-"));
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(root, name), source);
  const limits = { mostIdleMs: 60_000, mostClosingMs: 2_000 };
  const request = { root, files: Object.keys(sources), processes: 1, options: [], isAlone: false, ...limits, ...more };
  const driver = `
    import { runFiles } from ${JSON.stringify(new URL("run-files.ts", import.meta.url).href)};
    const request = { ...${JSON.stringify(request)}, onFile() {}, signal: new AbortController().signal };
    console.log("OUTCOMES " + JSON.stringify(await runFiles(request)));`;
  writeFileSync(join(root, "driver.mjs"), driver);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, "driver.mjs")], { env, encoding: "utf8" });
  rmSync(root, { recursive: true });
  const line = stdout.split("\n").find((text) => text.startsWith("OUTCOMES ")) ?? assert.fail(stdout + stderr);
  const outcomes: FileOutcome[] = JSON.parse(line.slice("OUTCOMES ".length));
  return Object.fromEntries(outcomes.map((outcome) => [outcome.file, outcome]));
}

const failuresOf = (outcome: FileOutcome | undefined) =>
  outcome?.results.filter((result: TestResult) => result.outcome === "failed" && result.error !== undefined) ?? [];

it("runs files one after the other in one process, and times each", () => {
  const tellsPid = `${imports}console.log(process.pid); it("passes", () => undefined);`;
  const outcomes = runIn({ "a.test.mjs": tellsPid, "b.test.mjs": tellsPid });
  assert.equal(outcomes["a.test.mjs"]?.output, outcomes["b.test.mjs"]?.output);
  for (const { results, problems, ms, cpuSeconds } of Object.values(outcomes)) {
    assert.deepEqual(
      results.filter(({ isSuite }) => !isSuite),
      [{ kind: "test-ended", names: ["passes"], isSuite: false, outcome: "passed" }],
    );
    assert.deepEqual(problems, []);
    assert.ok(ms > 0 && cpuSeconds >= 0);
  }
});

it("keeps the hooks at the top of a file to that file", () => {
  const hooks = `${imports}before(() => console.log("before")); after(() => console.log("after")); it("x", () => undefined);`;
  const outcomes = runIn({ "a.test.mjs": hooks, "b.test.mjs": passes });
  assert.equal(outcomes["a.test.mjs"]?.output, "before\nafter\n");
  assert.equal(outcomes["b.test.mjs"]?.output, "");
});

it("names tests that fail with their error, and files that do not load", () => {
  const outcomes = runIn({ "a.test.mjs": fails, "b.test.mjs": 'import "./missing.mjs";', "c.test.mjs": passes });
  const [failure] = failuresOf(outcomes["a.test.mjs"]);
  assert.deepEqual(failure?.names, ["a thing", "fails"]);
  assert.match(failure?.error ?? "", /Error: as planted\n\s+at .*a\.test\.mjs/);
  assert.match(failuresOf(outcomes["b.test.mjs"])[0]?.error ?? "", /missing\.mjs/);
  assert.deepEqual(failuresOf(outcomes["c.test.mjs"]), []);
});

it("gives a file a process of its own where its head asks for one, and all of them when told so", () => {
  const tellsPid = (head: string) => `${head}\n${imports}console.log(process.pid); it("passes", () => undefined);`;
  const sources = {
    "a.test.mjs": tellsPid(""),
    "own.test.mjs": tellsPid("// @process own: it changes what everything reads."),
    "one.test.mjs": tellsPid("// @process page: a document."),
    "two.test.mjs": tellsPid("// @process page: a document."),
    "b.test.mjs": tellsPid(""),
  };
  const pids = (outcomes: Record<string, FileOutcome>) => Object.values(outcomes).map(({ output }) => output);
  const [shared, own, one, two, again] = pids(runIn(sources));
  assert.equal(shared, again);
  assert.equal(one, two);
  assert.equal(new Set([shared, own, one]).size, 3);
  assert.equal(new Set(pids(runIn(sources, { isAlone: true }))).size, 5);
});

it("fails a file that leaves a process, a server or a temporary file, and removes them", () => {
  const leaves = `${imports}
    import { spawn } from "node:child_process";
    import { mkdtempSync } from "node:fs";
    import { createServer } from "node:net";
    import { tmpdir } from "node:os";
    it("leaves things", async () => {
      console.log("PID " + spawn("sleep", ["60"], { stdio: "ignore" }).pid);
      mkdtempSync(tmpdir() + "/left-");
      await new Promise((resolve) => createServer().listen(0, "127.0.0.1", resolve).unref());
    });`;
  const outcomes = runIn({ "a.test.mjs": leaves, "b.test.mjs": passes });
  const { problems = [], output = "" } = outcomes["a.test.mjs"] ?? {};
  assert.match(
    problems.join("\n"),
    /^It leaves the process \d+: sleep 60\.\nIt leaves a server on port \d+\.\nIt leaves left-\w+ in the folder/,
  );
  assert.deepEqual(outcomes["b.test.mjs"]?.problems, []);
  assert.throws(() => process.kill(Number(/PID (\d+)/.exec(output)?.[1]), 0), /ESRCH/);
});

it("names the test that hangs and what is open, and goes on with the next file in another process", () => {
  const hangs = `${imports}describe("a thing", () => { it("hangs", () => new Promise(() => setInterval(() => {}, 1_000))); });`;
  const outcomes = runIn({ "a.test.mjs": hangs, "b.test.mjs": passes }, { mostIdleMs: 3_000 });
  assert.match(
    outcomes["a.test.mjs"]?.problems[0] ?? "",
    /^Nothing happened for 3 seconds while running "a thing > hangs"; open: .*Timeout/,
  );
  assert.deepEqual(outcomes["b.test.mjs"]?.problems, []);
});

it("names a file that blocks its event loop, and one whose process dies", () => {
  const blocks = `${imports}it("blocks", () => { for (;;); });`;
  const dies = `${imports}it("dies", () => process.kill(process.pid, "SIGKILL"));`;
  const outcomes = runIn({ "a.test.mjs": blocks, "b.test.mjs": dies, "c.test.mjs": passes }, { mostIdleMs: 3_000 });
  assert.match(outcomes["a.test.mjs"]?.problems[0] ?? "", /while running "blocks"; its event loop is blocked/);
  assert.deepEqual(outcomes["b.test.mjs"]?.problems, ["Its process ended before its tests did."]);
  assert.deepEqual(outcomes["c.test.mjs"]?.problems, []);
});

it("fails a file of its own process that leaves a timer", () => {
  const leaves = `// @process own: it leaves a timer.\n${imports}it("leaves a timer", () => void setInterval(() => {}, 1_000));`;
  const outcomes = runIn({ "a.test.mjs": leaves });
  assert.match(outcomes["a.test.mjs"]?.problems[0] ?? "", /^Its process does not end/);
});
