import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@weft/schema";
import { judgeDocuments } from "./judge-documents.ts";

const toMatches = (...metadata: JsonObject[]) => metadata.map((of, place) => ({ id: `${place}`, metadata: of }));
const startingAt = (from: number) => ({ loc: { lines: { from, to: from } } });

test("a document is as near as its three nearest passages, and what is not scored is as far as the last", () => {
  const { nearness } = judgeDocuments(
    toMatches({ source: "a" }, { source: "a" }, { source: "b" }, { source: "a" }, { source: "a" }, { source: "c" }),
    [6, 5, 4, 4, 1],
  );
  assert.deepEqual(nearness, [5, 5, 2, 5, 5, 1]);
  assert.deepEqual(judgeDocuments(toMatches({}), []).nearness, [0]);
});

test("passages are of one document by loader and source, except those of different records, sheets or chapters", () => {
  const nearnessOf = (first: JsonObject, second: JsonObject) =>
    judgeDocuments(toMatches(first, second, {}), [3, 3, 0]).nearness[0];
  assert.equal(nearnessOf({ docId: "1", source: "a" }, { docId: "1", source: "a", page: 2 }), 2);
  assert.equal(nearnessOf({ docId: "1", source: "a" }, { docId: "2", source: "a" }), 1);
  assert.equal(nearnessOf({ source: "a" }, { source: "b" }), 1);
  assert.equal(nearnessOf({}, {}), 1);
  for (const name of ["row", "line", "pointer", "item", "sheet", "chapter"]) {
    assert.equal(nearnessOf({ source: "a", [name]: 1 }, { source: "a", [name]: 2 }), 1, name);
  }
});

test("the beginning of a document is the passage on its first line, of its first page", () => {
  const beginningsOf = (...metadata: JsonObject[]) => judgeDocuments(toMatches(...metadata), []).beginnings;
  const source = "a";
  assert.deepEqual(
    beginningsOf({ source, ...startingAt(9) }, { source, ...startingAt(1) }, { source: "b", ...startingAt(1) }),
    [1, 1, 2],
  );
  assert.deepEqual(
    beginningsOf({ source, page: 3, ...startingAt(1) }, { source, page: 1, ...startingAt(1) }, { source, slide: 2 }),
    [1, 1, 1],
  );
  assert.deepEqual(beginningsOf({ source }, { source, loc: "somewhere" }, { source, loc: { lines: null } }, {}), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
