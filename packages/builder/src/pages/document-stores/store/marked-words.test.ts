import assert from "node:assert/strict";
import { test } from "node:test";
import { markedWords } from "./passage-parts.tsx";

test("the telling words of a question are marked, as one and as many", () => {
  assert.deepEqual(markedWords("How many days does a refund take?"), ["days", "day", "refund", "refunds"]);
});

test("numbers and names are words, common words and marks are none", () => {
  assert.deepEqual(markedWords("Where is X-42, and E7?"), ["x-42", "x-42s", "e7", "e7s"]);
  assert.deepEqual(markedWords("what is it (all) about?"), []);
  assert.deepEqual(markedWords("  "), []);
});

test("a word is marked once", () => {
  assert.deepEqual(markedWords("Refund refund REFUND"), ["refund", "refunds"]);
});
