import assert from "node:assert/strict";
import { test } from "node:test";
import { moveTo } from "./keep-in-view.ts";

const box = (x: number, y = 0, width = 100, height = 50) => ({ x, y, width, height });
const seen = { x: 0, y: 0, width: 500, height: 300 };
const move = (wanted: ReturnType<typeof box>, boxes: ReturnType<typeof box>[], mayShowAll = true) =>
  moveTo({ wanted, seen, boxes: [...boxes, wanted], whole: undefined, lost: 0, mayShowAll });

test("what is in sight moves nothing", () => {
  assert.equal(move(box(0), []), "stay");
  assert.equal(move(box(400, 250), [box(0)]), "stay");
});

test("what is out of sight is moved into it, and no further", () => {
  assert.deepEqual(move(box(450), [box(200)]), { x: 50, y: 0 });
  assert.deepEqual(move(box(-30, 280), [box(200, 100)]), { x: -30, y: 30 });
  assert.deepEqual(move(box(100, 0, 900, 50), []), { x: 100, y: 0 }, "of what is too large, its start");
});

test("the whole flow is shown rather than that a step goes out of sight, where it can be read", () => {
  assert.equal(move(box(450), [box(0)]), "whole");
  assert.deepEqual(move(box(450), [box(0)], false), { x: 50, y: 0 });
  assert.deepEqual(move(box(450), [box(-50)]), { x: 50, y: 0 }, "a step that was not in sight is not lost");
});

test("without a selected step, a flow that was wholly in sight stays so when the canvas becomes narrower", () => {
  const narrowed = (whole: ReturnType<typeof box>, lost: number, mayShowAll = true) =>
    moveTo({ wanted: undefined, seen, boxes: [whole], whole, lost, mayShowAll });
  assert.equal(narrowed(box(10, 0, 600), 200), "whole");
  assert.equal(narrowed(box(10, 0, 600), 200, false), "stay");
  assert.equal(narrowed(box(10, 0, 600), 50), "stay", "it was not in sight before");
  assert.equal(narrowed(box(10, 0, 400), 200), "stay", "it still is");
  assert.equal(narrowed(box(10, 0, 600), -200), "stay", "the canvas became wider");
});
