import assert from "node:assert/strict";
import { test } from "node:test";
import { placesOf, sharedPassages } from "./passage-places.ts";

test("a passage has a place in every other mode that answered", () => {
  const ranked = { keyword: ["a", "b", "c"], vector: ["c", "d"], hybrid: ["c", "a"] };
  assert.deepEqual(placesOf("c", "hybrid", ranked), { keyword: 3, vector: 1 });
  assert.deepEqual(placesOf("b", "keyword", ranked), { vector: null, hybrid: null });
  assert.deepEqual(placesOf("c", "hybrid", { hybrid: ["c"], keyword: ["c"] }), { keyword: 1 });
});

test("the passages of the store's own settings have places, too", () => {
  const ranked = { hybrid: ["a", "b"], store: ["b", "a"] };
  assert.deepEqual(placesOf("b", "hybrid", ranked), { store: 1 });
  assert.deepEqual([...sharedPassages(ranked, 1)], []);
  assert.deepEqual([...sharedPassages(ranked, 2).keys()], ["b", "a"]);
});

test("passages that several lists show are numbered from the best hybrid one, others are not", () => {
  const ranked = { keyword: ["a", "b", "e"], vector: ["c", "d", "e"], hybrid: ["c", "a", "b"] };
  assert.deepEqual(
    [...sharedPassages(ranked, 2)],
    [
      ["c", 0],
      ["a", 1],
    ],
  );
  assert.deepEqual([...sharedPassages(ranked, 3)].at(-1), ["e", 3]);
  assert.deepEqual([...sharedPassages({}, 3)], []);
});
