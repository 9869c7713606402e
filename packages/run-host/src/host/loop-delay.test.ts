// @process own: it stalls.
import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createLoopDelay } from "./loop-delay.ts";

function stall(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it("is late while the loop is kept busy, not for one stall, and no more once it is idle", async (t) => {
  const delay = createLoopDelay();
  delay.start();
  t.after(delay.stop);
  await sleep(50);
  stall(700);
  await sleep(700);
  assert.ok(delay.lateMs() < 300, "one stall");
  const until = performance.now() + 1_800;
  while (performance.now() < until) {
    stall(320);
    await sleep(1);
  }
  assert.ok(delay.lateMs() > 200, "many");
  while (delay.lateMs() > 200) await sleep(50);
});

it("is late while single turns take longer than it looks at", async (t) => {
  const delay = createLoopDelay();
  delay.start();
  t.after(delay.stop);
  for (let turn = 0; turn < 5; turn += 1) {
    stall(700);
    await sleep(1);
  }
  assert.ok(delay.lateMs() > 500, `${delay.lateMs()} ms`);
  while (delay.lateMs() > 200) await sleep(50);
});
