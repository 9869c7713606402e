import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { processorMs, watchTurns } from "./processor-time.ts";

test("the longest turn of the loop is found, wherever it began", async () => {
  const turns = watchTurns();
  await setTimeout(20);
  for (const end = processorMs() + 100; processorMs() < end; );
  await setTimeout(20);
  assert.ok(turns.stop() >= 100);
});
