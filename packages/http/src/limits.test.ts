import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createRateLimiter } from "./limits.ts";

function create(capacity?: number) {
  const time = { nowMs: 1_000_000 };
  const limiter = createRateLimiter({ now: () => time.nowMs }, capacity);
  return { time, take: limiter.take };
}

test("lets as many requests through at once as the limit says, then one for each interval", () => {
  const { time, take } = create();
  const limit = { requests: 3, windowMs: 1_000 };
  const standings = Array.from({ length: 4 }, () => take("a", limit));
  assert.deepEqual(
    standings.map(({ remaining, waitMs }) => [remaining, Math.ceil(waitMs)]),
    [
      [2, 0],
      [1, 0],
      [0, 0],
      [0, 334],
    ],
  );
  assert.equal(standings[2]?.resetAtMs, time.nowMs + 1_000);
  time.nowMs += 334;
  assert.equal(take("a", limit).waitMs, 0);
  assert.notEqual(take("a", limit).waitMs, 0);
});

test("a refused request costs nothing, and others are not touched by it", () => {
  const { time, take } = create();
  const limit = { requests: 1, windowMs: 1_000 };
  take("a", limit);
  for (let index = 0; index < 50; index += 1) assert.equal(take("a", limit).waitMs, 1_000);
  assert.equal(take("b", limit).waitMs, 0);
  time.nowMs += 1_000;
  assert.equal(take("a", limit).waitMs, 0);
});

test("a limit that is changed holds at once", () => {
  const { take } = create();
  take("a", { requests: 1, windowMs: 60_000 });
  assert.notEqual(take("a", { requests: 1, windowMs: 60_000 }).waitMs, 0);
  assert.equal(take("a", { requests: 100, windowMs: 120_000 }).waitMs, 0);
});

test("forgets the names that were quiet longest, and no others", () => {
  const { take } = create(2);
  const limit = { requests: 1, windowMs: 1_000 };
  for (const name of ["a", "b", "c"]) take(name, limit);
  assert.equal(take("b", limit).waitMs, 1_000);
  assert.equal(take("a", limit).waitMs, 0);
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
