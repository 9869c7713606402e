import assert from "node:assert/strict";
import { test } from "node:test";
import { createVectorMatrix, normalise, type RowFilter } from "./vector-matrix.ts";
import { toBytes } from "./vector-record.store.ts";

/** Numbers from -1 to 1, the same for the same seed: xorshift. */
function toVector(dimension: number, seed: number): Float32Array {
  let state = (Math.imul(seed + 1, 2_654_435_761) | 1) >>> 0;
  return Float32Array.from({ length: dimension }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2_147_483_648 - 1;
  });
}

function toDirection(dimension: number, seed: number): Float32Array {
  const vector = toVector(dimension, seed);
  normalise(vector);
  return vector;
}

test("the nearest are those of a plain comparison, for vectors of any length and whatever went before", () => {
  for (const dimension of [1, 15, 16, 17, 384]) {
    const matrix = createVectorMatrix(dimension);
    const kept = new Map<number, Float32Array>();
    const query = toDirection(dimension, 1_000_000);
    const assertFound = (limit: number, isWanted = (_key: number) => true, accepts: RowFilter = undefined) => {
      const expected = [...kept]
        .filter(([key]) => isWanted(key))
        .map(([key, vector]) => ({ key, score: vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0) }))
        .sort((a, b) => b.score - a.score);
      const found = matrix.search({ vector: query, limit, accepts });
      assert.equal(found.length, Math.min(limit, expected.length), `${dimension} numbers`);
      for (const [index, hit] of found.entries()) {
        assert.ok(isWanted(hit.key));
        assert.ok(Math.abs(hit.score - (expected[index]?.score ?? 0)) < 1e-5, `${dimension} numbers, hit ${index}`);
      }
    };
    const put = (key: number, seed: number) => {
      matrix.put({ rowKey: key, vector: toBytes(toVector(dimension, seed)), facts: { lot: key % 7 } });
      kept.set(key, toDirection(dimension, seed));
    };

    assertFound(10);
    for (let key = 0; key < 2_500; key += 1) put(key, key);
    assertFound(40);
    assertFound(2_600);
    assertFound(
      50,
      (key) => key % 7 === 3,
      ({ lot }) => lot === 3,
    );
    assert.deepEqual(matrix.keysOf(({ lot }) => lot === 3).slice(0, 3), [3, 10, 17]);
    assert.deepEqual(matrix.search({ vector: query, limit: 5, accepts: () => false }), []);
    for (let key = 0; key < 2_500; key += 5) put(key, key + 5_000);
    assertFound(40);
    const wholeBytes = matrix.bytes();
    matrix.retain(new Set(Array.from({ length: 50 }, (_, index) => index * 50)));
    for (const key of [...kept.keys()]) if (key % 50 !== 0) kept.delete(key);
    assert.equal(matrix.size, 50);
    assertFound(60);
    if (dimension >= 384) assert.ok(matrix.bytes() < wholeBytes / 2, "removed rows take no memory");
    for (let key = 10_000; key < 10_100; key += 1) put(key, key);
    assertFound(200);
  }
});

test("a vector without a direction is near nothing, and spoils nothing", () => {
  const matrix = createVectorMatrix(4);
  const odd = [
    [0, 0, 0, 0],
    [Number.NaN, 1, 0, 0],
    [Number.POSITIVE_INFINITY, 0, 0, 0],
    [3e38, 3e38, 3e38, 3e38],
  ];
  for (const [rowKey, numbers] of odd.entries()) {
    matrix.put({ rowKey, vector: toBytes(Float32Array.from(numbers)), facts: {} });
  }
  const found = matrix.search({ vector: Float32Array.of(1, 0, 0, 0), limit: 10, accepts: undefined });
  assert.deepEqual(
    found.map(({ key, score }) => [key, Number(score.toFixed(5))]),
    [
      [3, 0.5],
      [0, 0],
      [1, 0],
      [2, 0],
    ],
  );
});
