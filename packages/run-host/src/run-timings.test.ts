import assert from "node:assert/strict";
import { test } from "node:test";
import { heldMs, toRunTimings } from "./run-timings.ts";

test("a lease is six seconds, renewed every one and a half, and looked after every second", () => {
  const { leaseMs, renewEveryMs, sweepEveryMs, confidenceMs } = toRunTimings();
  assert.deepEqual([leaseMs, renewEveryMs, sweepEveryMs, confidenceMs], [6_000, 1_500, 1_000, 2_000]);
});

test("other times follow from the lease", () => {
  const short = toRunTimings({ leaseMs: 300 });
  assert.deepEqual([short.renewEveryMs, short.sweepEveryMs, short.confidenceMs], [75, 75, 100]);
  const long = toRunTimings({ leaseMs: 60_000 });
  assert.deepEqual([long.renewEveryMs, long.sweepEveryMs, long.confidenceMs], [15_000, 1_000, 2_000]);
});

test("no process trusts that a run is its own for longer than others leave it alone", () => {
  for (const leaseMs of [200, 301, 6_000, 60_000]) {
    assert.ok(toRunTimings({ leaseMs }).confidenceMs <= heldMs(leaseMs));
    assert.ok(heldMs(leaseMs) < leaseMs);
  }
  assert.throws(() => toRunTimings({ leaseMs: 300, confidenceMs: 2_000 }), /Do not trust it for 2000 ms/);
});

test("a lease that a living process could not keep is refused", () => {
  assert.throws(() => toRunTimings({ leaseMs: 50 }), /A lease of 50 ms is too short/);
  assert.throws(() => toRunTimings({ leaseMs: 1_000, renewEveryMs: 900 }), /can end before it is renewed every 900 ms/);
});
