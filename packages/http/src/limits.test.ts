import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createMemoryLimits } from "./limits.ts";

function create(capacity?: number) {
  const time = { nowMs: 1_000_000 };
  const limits = createMemoryLimits({ now: () => time.nowMs }, capacity);
  return { ...limits, time };
}

// What every kind of limits promises is in packages/run-host/src/dispatch/shared-limits.test.ts.

test("forgets the names that were quiet longest, and no others", () => {
  const { take } = create(2);
  const limit = { requests: 1, windowMs: 1_000 };
  for (const name of ["a", "b", "c"]) take(name, limit);
  assert.equal(take("b", limit).waitMs, 1_000);
  assert.equal(take("a", limit).waitMs, 0);
});

test("forgets the names whose last failure is the oldest, and no others", () => {
  const { fail, waitMs } = create(3);
  for (const name of ["a", "b", "c", "a", "d"]) fail(name, 1);
  assert.deepEqual(
    ["a", "b", "c", "d"].map((name) => waitMs([name])),
    [0, 30_000, 30_000, 30_000],
  );
});

test("a look at a standing counts nothing", () => {
  const { look, take } = create();
  const limit = { requests: 1, windowMs: 1_000 };
  for (let index = 0; index < 3; index += 1) assert.equal(look("a", limit).waitMs, 0);
  assert.equal(take("a", limit).waitMs, 0);
  assert.equal(look("a", limit).waitMs, 1_000);
});

test("no window sees more than twice the limit, and who keeps to the rate is never refused", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 5_000 }),
      fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 200 }),
      (requests, windowMs, pausesMs) => {
        const { time, take } = create();
        const passedAt: number[] = [];
        for (const pauseMs of pausesMs) {
          time.nowMs += pauseMs;
          if (take("a", { requests, windowMs }).waitMs === 0) passedAt.push(time.nowMs);
        }
        for (const end of passedAt) {
          assert.ok(passedAt.filter((at) => at > end - windowMs && at <= end).length <= 2 * requests);
        }
        const steady = create();
        for (let index = 0; index < 100; index += 1) {
          assert.equal(steady.take("a", { requests, windowMs }).waitMs, 0);
          steady.time.nowMs += Math.ceil(windowMs / requests);
        }
      },
    ),
    { numRuns: 200 },
  );
});
