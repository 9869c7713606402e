import assert from "node:assert/strict";
import { test } from "node:test";
import { fuseRanks, meanReciprocalRank, recallAtK } from "./fuse-ranks.ts";

const idsOf = (fused: { id: string }[]) => fused.map(({ id }) => id);

test("what stands high in several lists comes first", () => {
  const fused = fuseRanks([
    ["a", "b", "c"],
    ["b", "d", "a"],
  ]);
  assert.deepEqual(idsOf(fused), ["b", "a", "d", "c"]);
  assert.equal(fused[0]?.score, 1 / 62 + 1 / 61);
});

test("ties keep their order, repetitions count once, and no lists have no results", () => {
  assert.deepEqual(idsOf(fuseRanks([["a"], ["b"]])), ["a", "b"]);
  assert.deepEqual(fuseRanks([["a", "a", "b"]], { k: 0 }), [
    { id: "a", score: 1 },
    { id: "b", score: 1 / 2 },
  ]);
  assert.deepEqual(fuseRanks([]), []);
});

test("a list may weigh more", () => {
  assert.deepEqual(idsOf(fuseRanks([["a"], ["b"]], { weights: [1, 2] })), ["b", "a"]);
});

test("recall is the part of what is relevant that was found", () => {
  const relevant = new Set(["a", "b", "c", "d"]);
  assert.equal(recallAtK(relevant, ["a", "x", "b", "a"], 4), 0.5);
  assert.equal(recallAtK(relevant, ["x", "a"], 1), 0);
  assert.equal(recallAtK(new Set(), ["a"], 1), 1);
});

test("the reciprocal rank is that of the first relevant result, meant over the cases", () => {
  const relevant = new Set(["a"]);
  const cases = [
    { relevant, ranked: ["a"] },
    { relevant, ranked: ["x", "a"] },
    { relevant, ranked: ["x"] },
    { relevant, ranked: ["x", "y", "z", "a", "a"] },
  ];
  assert.equal(meanReciprocalRank(cases), (1 + 1 / 2 + 0 + 1 / 4) / 4);
  assert.equal(meanReciprocalRank([]), 0);
});
