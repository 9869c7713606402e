import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createThoughtFilter } from "./thoughts-in-tags.ts";

const texts: [text: string, answer: string, hasThoughts: boolean][] = [
  ["Hello", "Hello", false],
  [" Hello", " Hello", false],
  ["<think>secret</think>\n\nHello", "Hello", true],
  ["\n <think>\n\n</think>\n\nHello <think>as a tag</think>", "Hello <think>as a tag</think>", true],
  ["<thinking>a</thinking><think>b</think> Hello", "Hello", true],
  ["◁think▷a◁/think▷Hello", "Hello", true],
  ["[THINK]a[/THINK]Hello", "Hello", true],
  ["<think>a</thin</think>Hello", "Hello", true],
  ["<think>never ended", "", true],
  ["<think>never ended</thin", "", true],
  ["<think>a</think>", "", true],
  ["<thin", "<thin", false],
  ["<thinker>is a name", "<thinker>is a name", false],
  ["Use <think>.", "Use <think>.", false],
  ["```\n<think>\n```", "```\n<think>\n```", false],
  [" \n", " \n", false],
  ["", "", false],
];

function read(pieces: readonly string[]) {
  const filter = createThoughtFilter();
  const words = pieces.map((piece) => filter.add(piece)).join("");
  return [words + filter.end(), filter.found()];
}

test("thoughts at the beginning are no part of the answer, wherever the text is cut", () => {
  for (const [text, answer, hasThoughts] of texts) {
    assert.deepEqual(read([text]), [answer, hasThoughts], text);
    assert.deepEqual(read([...text]), [answer, hasThoughts], text);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length }), (cut) => {
        assert.deepEqual(read([text.slice(0, cut), text.slice(cut)]), [answer, hasThoughts]);
      }),
    );
  }
});

test("words of an answer are handed over as they come", () => {
  const filter = createThoughtFilter();
  assert.deepEqual(
    ["He", "llo <think>", "x"].map((piece) => filter.add(piece)),
    ["He", "llo <think>", "x"],
  );
});
