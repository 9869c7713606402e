import assert from "node:assert/strict";
import { it } from "node:test";
import { isDeeperThan } from "./json.ts";

it("counts arrays and objects inside each other, and looks no deeper than asked", () => {
  for (const flat of [null, "text", 1, true, undefined]) assert.equal(isDeeperThan(flat, 0), false);
  assert.equal(isDeeperThan([], 0), true);
  assert.equal(isDeeperThan([1, "a", null], 1), false);
  assert.equal(isDeeperThan({ a: [1, { b: 2 }] }, 3), false);
  assert.equal(isDeeperThan({ a: [1, { b: 2 }] }, 2), true);
  assert.equal(isDeeperThan(JSON.parse("[".repeat(100_000) + "]".repeat(100_000)), 200), true);
});
