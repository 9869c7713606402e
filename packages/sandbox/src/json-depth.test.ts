import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonDepth } from "./outcome.ts";

test("counts nesting, not brackets inside strings", () => {
  assert.equal(jsonDepth("1", 10), 0);
  assert.equal(jsonDepth('"[[["', 10), 0);
  assert.equal(jsonDepth("[]", 10), 1);
  assert.equal(jsonDepth('[{"a":[1]},[]]', 10), 3);
  assert.equal(jsonDepth('{"\\"[":"\\\\","b":{}}', 10), 2);
});

test("stops above the limit", () => {
  assert.equal(jsonDepth("[".repeat(1_000_000), 5), 6);
});
