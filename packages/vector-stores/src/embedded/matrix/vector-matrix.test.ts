import assert from "node:assert/strict";
import { test } from "node:test";
import { toBytes } from "../vector-record.store.ts";
import type { RowFacts, RowFilter } from "./filter-answers.ts";
import { createVectorMatrix } from "./vector-matrix.ts";
import { normalise } from "./vector-planes.ts";

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

function toDirection(vector: Float32Array): Float32Array {
  const direction = Float32Array.from(vector);
  normalise(direction);
  return direction;
}

function toCosine(vector: Float32Array, query: Float32Array): number {
  return toDirection(vector).reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
}

const lotThree: RowFilter = { name: "lot 3", accepts: ({ lot }) => lot === 3 };
const nothing: RowFilter = { name: "nothing", accepts: () => false };

/** A matrix beside the vectors themselves, for a plain comparison. */
function createPair(dimension: number, centre?: Float32Array) {
  const matrix = createVectorMatrix(dimension, centre);
  const kept = new Map<number, Float32Array>();
  const query = toDirection(toVector(dimension, 1_000_000));
  return {
    matrix,
    kept,
    put(key: number, vector: Float32Array) {
      matrix.put({ rowKey: key, vector: toBytes(vector), facts: { lot: key % 7 } });
      kept.set(key, vector);
    },
    /** Of what the matrix finds, the nearest by exact comparison are the nearest of all. */
    assertFound(limit: number, isWanted = (_key: number) => true, accepts: RowFilter = undefined, asked = query) {
      const cosines = new Map([...kept].map(([key, vector]) => [key, toCosine(vector, asked)]));
      const expected = [...cosines].filter(([key]) => isWanted(key)).map(([, cosine]) => cosine);
      const hits = matrix.search({ vector: asked, limit, accepts });
      for (const { key, score } of hits) {
        assert.ok(isWanted(key));
        assert.ok(Math.abs(score - (cosines.get(key) ?? 9)) < 0.02, `${dimension} numbers: ${score}`);
      }
      const found = hits.map(({ key }) => cosines.get(key) ?? 9).sort((a, b) => b - a);
      const nearest = expected.sort((a, b) => b - a).slice(0, limit);
      assert.deepEqual(found.slice(0, limit), nearest, `${dimension} numbers`);
    },
  };
}

test("the nearest are those of a plain comparison, for vectors of any length and whatever went before", () => {
  for (const dimension of [1, 15, 16, 17, 384]) {
    const { matrix, kept, put, assertFound } = createPair(dimension);
    assertFound(10);
    for (let key = 0; key < 2_500; key += 1) put(key, toVector(dimension, key));
    assertFound(40);
    assertFound(2_600);
    assertFound(50, (key) => key % 7 === 3, lotThree);
    const vector = toDirection(toVector(dimension, 3));
    assert.deepEqual(matrix.keysOf(lotThree).slice(0, 3), [3, 10, 17]);
    assert.deepEqual(matrix.search({ vector, limit: 5, accepts: nothing }), []);
    for (let key = 0; key < 2_500; key += 5) put(key, toVector(dimension, key + 5_000));
    assertFound(40);
    matrix.retain(Array.from({ length: 60 }, (_, index) => index * 50));
    for (const key of [...kept.keys()]) if (key % 50 !== 0) kept.delete(key);
    assert.equal(matrix.size, 50);
    assertFound(60);
    assertFound(60, (key) => key % 7 === 3, lotThree);
    for (let key = 10_000; key < 10_100; key += 1) put(key, toVector(dimension, key));
    assertFound(200);
    assertFound(200, (key) => key % 7 === 3, lotThree);
    matrix.retain([]);
    kept.clear();
    assertFound(10);
    put(1, toVector(dimension, 1));
    assertFound(10);
    assertFound(10, (key) => key % 7 === 3, lotThree);
  }
});

test("a row whose metadata changes is filtered as it is now, and only the latest filters are kept", () => {
  const matrix = createVectorMatrix(2);
  const vector = toBytes(Float32Array.of(1, 0));
  const find = (lot: number) => {
    const accepts = { name: `lot ${lot}`, accepts: (facts: RowFacts) => facts.lot === lot };
    return matrix.search({ vector: Float32Array.of(1, 0), limit: 9, accepts }).map(({ key }) => key);
  };
  for (let rowKey = 0; rowKey < 3; rowKey += 1) matrix.put({ rowKey, vector, facts: { lot: rowKey } });
  for (let lot = 0; lot < 40; lot += 1) assert.deepEqual(find(lot), lot < 3 ? [lot] : []);
  assert.deepEqual([find(0), find(1)], [[0], [1]]);
  matrix.put({ rowKey: 0, vector, facts: { lot: 1 } });
  assert.deepEqual([find(0), find(1)], [[], [0, 1]]);
  matrix.retain([1, 2]);
  assert.deepEqual([find(0), find(1), find(2)], [[], [1], [2]]);
});

test("the nearest of many are found, also when all vectors have most in common and one number is far larger", () => {
  const dimension = 96;
  const common = toVector(dimension, 77).map((value, at) => (at === 5 ? 30 : 4 * value));
  const toSkewed = (seed: number) => toVector(dimension, seed).map((value, at) => value + (common[at] ?? 0));
  const { put, assertFound } = createPair(dimension, toDirection(common));
  for (let key = 0; key < 6_000; key += 1) put(key, toSkewed(key));
  for (let seed = 50_000; seed < 50_008; seed += 1) {
    const asked = toDirection(toSkewed(seed));
    assertFound(10, undefined, undefined, asked);
    assertFound(10, (key) => key % 7 === 3, lotThree, asked);
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
    found.map(({ key, score }) => [key, Number(score.toFixed(2))]),
    [
      [3, 0.5],
      [0, 0],
      [1, 0],
      [2, 0],
    ],
  );
});
