// @process browser: a document in place of globals of Node.
import "../../testing/browser.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExecutionSummary } from "@weft/client";
import { forEachRun } from "./for-each-run.ts";

const runsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `run_${index}` }) as ExecutionSummary);

test("each run is sent once, four at a time, and those that fail are reported in their order", async () => {
  const sent: string[] = [];
  let under = 0;
  let most = 0;
  const report = await forEachRun(runsOf(10), async ({ id }) => {
    sent.push(id);
    under += 1;
    most = Math.max(most, under);
    await new Promise((resolve) => setTimeout(resolve, id === "run_1" ? 5 : 1));
    under -= 1;
    if (id === "run_1" || id === "run_8") throw new Error(`${id} has ended.`);
  });
  assert.deepEqual(
    sent.toSorted(),
    runsOf(10).map(({ id }) => id),
  );
  assert.equal(most, 4);
  assert.equal(report.done, 8);
  assert.deepEqual(
    report.failures.map(({ run, reason }) => `${run.id}: ${reason}`),
    ["run_1: run_1 has ended.", "run_8: run_8 has ended."],
  );
});

test("no more than a hundred are sent", async () => {
  const { done, failures } = await forEachRun(runsOf(130), async () => undefined);
  assert.deepEqual([done, failures], [100, []]);
});
