import assert from "node:assert/strict";
import { test } from "node:test";
import { toAgo } from "./format.ts";

const minuteMs = 60_000;

test("says how long ago something was in the largest unit that fits", () => {
  const cases: [elapsedMs: number, expected: string][] = [
    [0, "just now"],
    [59_999, "just now"],
    [-500, "just now"],
    [minuteMs, "1 minute ago"],
    [59 * minuteMs, "59 minutes ago"],
    [150 * minuteMs, "2 hours ago"],
    [24 * 60 * minuteMs, "yesterday"],
    [10 * 24 * 60 * minuteMs, "10 days ago"],
    [800 * 24 * 60 * minuteMs, "2 years ago"],
  ];
  for (const [elapsedMs, expected] of cases) assert.equal(toAgo(1e12, 1e12 + elapsedMs), expected);
});
