import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { besideOf, freePlace, overlaps } from "./box.ts";

const size = { width: 248, height: 64 };

describe("where a new node goes", () => {
  it("is right of the one before it, level with it", () => {
    assert.deepEqual(besideOf({ x: 0, y: 0, width: 248, height: 128 }, size), { x: 344, y: 32 });
  });

  it("is the next free place below, on the grid", () => {
    const others = Array.from({ length: 5 }, (_, index) => ({ x: 10, y: index * 70, ...size }));
    const place = freePlace({ x: 3, y: 2 }, size, others);
    assert.ok(others.every((other) => !overlaps({ ...place, ...size }, other)));
    assert.deepEqual([place.x % 8, place.y % 8], [0, 0]);
    assert.deepEqual(freePlace({ x: 1_000, y: 0 }, size, others), { x: 1_000, y: 0 });
  });
});
