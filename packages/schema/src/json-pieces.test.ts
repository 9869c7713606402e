import assert from "node:assert/strict";
import { test } from "node:test";
import { isLargeJson, jsonPieces } from "./json-pieces.ts";

const long = 'a😀\ud800"\\\n\u2028é'.repeat(60_000);

test("the pieces of any JSON value are together its text, and none of them is much longer than the others", () => {
  const values: unknown[] = [
    null,
    "",
    long,
    [long, [], {}, [long]],
    {
      long,
      [long.slice(0, 1_000)]: undefined,
      at: new Date(0),
      none: null,
      nested: { long, list: [1, undefined, long] },
    },
    Array.from({ length: 300_000 }, (_, index) => index),
    Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key ${index}`, { index, ok: true }])),
    { __proto__: null, long },
  ];
  for (const value of values) {
    const pieces = [...jsonPieces(value)];
    assert.equal(pieces.join("") === JSON.stringify(value), true);
    assert.ok(pieces.every((piece) => piece.length < 2_000_000));
  }
});

test("what is long is told by its texts, its numbers and its names", () => {
  assert.equal(isLargeJson({ a: "short", b: [1, 2, { c: null }] }), false);
  assert.equal(isLargeJson({ a: { b: [long] } }), true);
  assert.equal(isLargeJson(new Array(100_000).fill(0)), true);
  assert.equal(isLargeJson({ ["k".repeat(200_000)]: 1 }), true);
});
