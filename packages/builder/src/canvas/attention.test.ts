import assert from "node:assert/strict";
import { test } from "node:test";
import { createAttention, isAsked } from "./attention.ts";

test("an empty field is asked for once it was left, or its step was looked at, or the flow is to be used", () => {
  let ids = ["a", "b"];
  const attention = createAttention(() => ids);
  const asked = () => ["a", "b", "c"].map((id) => isAsked(attention.steps.get(id), "url"));
  assert.deepEqual(asked(), [false, false, false]);
  attention.leave("a", "name");
  assert.deepEqual(asked(), [false, false, false], "another field was left");
  attention.leave("a", "url");
  assert.deepEqual(asked(), [true, false, false]);
  attention.demand("b");
  assert.deepEqual(asked(), [true, true, false]);
  ids = ["a", "b", "c"];
  assert.deepEqual(asked(), [true, true, false], "a new step is asked for nothing yet");
  attention.demandAll();
  assert.deepEqual(asked(), [true, true, true]);
});

test("what is known is not announced again", () => {
  const attention = createAttention(() => ["a"]);
  let count = 0;
  attention.steps.subscribe("a", () => (count += 1));
  attention.leave("a", "url");
  attention.leave("a", "url");
  attention.demand("a");
  attention.demandAll();
  assert.equal(count, 2);
});
