import assert from "node:assert/strict";
import { test } from "node:test";
import { createRepetition } from "./repeated-event.ts";

const event = (content: unknown, more: object = {}, ofEvent: object = {}) =>
  JSON.stringify({ id: "a", ...ofEvent, choices: [{ index: 0, delta: { content, ...more }, finish_reason: null }] });

function learnt(data: string) {
  const repetition = createRepetition();
  repetition.learn(data, JSON.parse(data));
  return repetition;
}

test("events that differ in their text alone are read without parsing, and equal to what parsing gives", () => {
  const { textOf } = learnt(event("Good "));
  for (const text of ["day", " ", "Jürgen 🧶", "}],", "content", "\u2028", "'"])
    assert.equal(textOf(event(text)), text);
});

test("all others are parsed", () => {
  const { textOf } = learnt(event("Good "));
  for (const text of ["", 'a "word"', "back\\slash", "line\nbreak", "\t", "\u007f", null, ["parts"]]) {
    assert.equal(textOf(event(text)), undefined, JSON.stringify(text));
  }
  const others = [
    event("day", { tool_calls: [] }),
    event("day", {}, { usage: { completion_tokens: 1 } }),
    event("day").replace("null", '"stop"'),
    event("day").replace("}]}", "}]} "),
    event("day").slice(0, -1),
    event("x").replace('"x"', '"a","content":"b"'),
    "[DONE]",
  ];
  for (const data of others) assert.equal(textOf(data), undefined, data);
});

test("nothing is learnt of an event that says more, or whose text is not where it seems to be", () => {
  const others = [
    event("Good ", { reasoning_content: "Hm" }),
    event("Good ", { refusal: "No" }),
    event("Good ", {}, { usage: { completion_tokens: 1 } }),
    event("Good ", {}, { error: "overloaded" }),
    event("Good ", {}, { note: { content: "Good " } }),
    event("Good ").replace("null", '"stop"'),
    JSON.stringify({ choices: [] }),
    JSON.stringify({ choices: [null] }),
  ];
  for (const data of others) assert.equal(learnt(data).textOf(event("Good ")), undefined, data);
});

test("a stream whose events all differ is looked at three times", () => {
  const repetition = createRepetition();
  for (const id of ["a", "b", "c", "d"]) {
    const data = event("Good ", {}, { id });
    repetition.learn(data, JSON.parse(data));
  }
  assert.equal(repetition.textOf(event("day", {}, { id: "c" })), "day");
  assert.equal(repetition.textOf(event("day", {}, { id: "d" })), undefined);
});
