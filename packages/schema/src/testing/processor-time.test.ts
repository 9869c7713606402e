import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { longestTurnOf, processorMs, watchTurns } from "./processor-time.ts";

async function workFor(ms: number): Promise<void> {
  for (const end = processorMs() + ms; processorMs() < end; );
  await setTimeout(20);
}

test("a long turn counts only if it comes each time", async () => {
  let runs = 0;
  const once = await longestTurnOf(async () => {
    runs += 1;
    await workFor(runs === 1 ? 200 : 1);
  }, 150);
  assert.deepEqual([once < 150, runs], [true, 2]);
  const always = await longestTurnOf(() => workFor(200), 150);
  assert.ok(always >= 200);
});

test("the longest turn of the loop is found, wherever it began", async () => {
  const turns = watchTurns();
  await setTimeout(20);
  for (const end = processorMs() + 100; processorMs() < end; );
  await setTimeout(20);
  assert.ok(turns.stop() >= 100);
});
