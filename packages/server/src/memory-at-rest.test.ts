// @process own: it measures its memory.
import assert from "node:assert/strict";
import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { giveBackMemoryAtRest } from "./memory-at-rest.ts";

// What the server is started with.
setFlagsFromString("--expose-gc");
globalThis.gc = runInNewContext("gc");

const everyMs = 200;
const residentMb = () => process.memoryUsage.rss() / 1_024 ** 2;

test("a process at rest gives back what a load has left, again after the next load, and then is left alone", async (t) => {
  const collections = start(t);
  for (const _ of [1, 2]) {
    const before = residentMb();
    allocate(60);
    const after = residentMb();
    assert.ok(after > before + 40, `${before} → ${after} MB`);
    assert.ok(await until(() => residentMb() < after - 40), `${before} → ${after} → ${residentMb()} MB`);
  }
  // The observer hears of them later.
  await sleep(2 * everyMs);
  const done = collections();
  await sleep(5 * everyMs);
  // V8 may have one of its own under way.
  assert.ok(collections() <= done + 1, `${collections() - done} more`);
});

test("a busy process is not paused", async (t) => {
  start(t);
  allocate(60);
  const before = residentMb();
  const work = setInterval(() => {
    const end = performance.now() + 10;
    while (performance.now() < end);
  }, 20);
  await sleep(6 * everyMs);
  clearInterval(work);
  assert.ok(residentMb() > before - 40, `${before} → ${residentMb()} MB`);
  assert.ok(await until(() => residentMb() < before - 40), `${before} → ${residentMb()} MB`);
});

test("a process that uses much is not paused", async (t) => {
  const collections = start(t);
  const used = allocate(160);
  await sleep(everyMs);
  const before = collections();
  await sleep(5 * everyMs);
  // V8 may have one of its own under way; what paused it would have done so every time.
  assert.ok(collections() <= before + 1, `${collections() - before} more with ${used.length} objects`);
});

/** Returns how often the whole heap was collected since. */
function start(t: TestContext): () => number {
  let count = 0;
  const observer = new PerformanceObserver((list) => {
    const entries = list.getEntries() as (PerformanceEntry & { detail?: { kind?: number } })[];
    count += entries.filter(({ detail }) => detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length;
  });
  observer.observe({ entryTypes: ["gc"] });
  t.after(() => observer.disconnect());
  t.after(giveBackMemoryAtRest({ everyMs }));
  return () => count;
}

/** Takes about so many megabytes of the heap. */
function allocate(megabytes: number): object[] {
  return Array.from({ length: megabytes * 10_000 }, (_, index) => ({ index, text: [index] }));
}

async function until(condition: () => boolean): Promise<boolean> {
  for (let waited = 0; waited < 60_000; waited += 50) {
    if (condition()) return true;
    await sleep(50);
  }
  return false;
}
