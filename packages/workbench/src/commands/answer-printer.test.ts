import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "@weft/schema";
import { createAnswerPrinter } from "./answer-printer.ts";

function open() {
  const pieces: string[] = [];
  const printer = createAnswerPrinter((text) => pieces.push(text));
  printer.committed([{ type: "node-started", nodeKey: "llm", isAnswer: true } as RunEvent]);
  const say = (text: string, effectSeq = 1) => printer.delta({ nodeKey: "llm", effectSeq, text } as never);
  return { printer, say, printed: () => pieces.join("") };
}

test("a step's line begins on a line of its own, and the answer is printed once", () => {
  const { printer, say, printed } = open();
  say("Hello ");
  say("there.");
  printer.endLine();
  assert.equal(printed(), "Hello there.\n", "before the step is written");
  printer.finish("Hello there.");
  assert.equal(printed(), "Hello there.\n");
});

test("an answer without a step after it ends with a line break, too", () => {
  const { printer, say, printed } = open();
  say("Hello");
  printer.finish("Hello there.");
  assert.equal(printed(), "Hello there.\n");
});

test("a message that the model began again stands on a new line", () => {
  const { printer, say, printed } = open();
  say("Hel");
  say("Good day.", 2);
  printer.finish("Good day.");
  assert.equal(printed(), "Hel\nGood day.\n");
});
