import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createScriptedModel } from "@weft/engine/testing";
import type { HistoryMessage } from "@weft/schema";
import { toWordingCall } from "./word-question.ts";

const signal = new AbortController().signal;
const history: HistoryMessage[] = [
  { role: "userMessage", content: "Tell me about gift cards." },
  { role: "apiMessage", content: "They are sold in shops." },
];
const plain = { question: "Are they refunded?", history: [], variants: 0, hypothetical: false };

async function word(request: Parameters<typeof toWordingCall>[0], text: string) {
  const model = createScriptedModel([{ text }]);
  const call = toWordingCall(request);
  assert.ok(call);
  const said = await call.make(model, signal);
  return { wording: call.read(said.json), asked: model.calls[0], said };
}

describe("wording a question", () => {
  it("needs no model for a question that stands alone and is asked once", () => {
    assert.equal(toWordingCall(plain), undefined);
  });

  it("completes, varies and imagines in one call", async () => {
    const { wording, asked, said } = await word(
      { ...plain, history, variants: 2, hypothetical: true },
      JSON.stringify({
        question: "Are gift cards refunded?",
        variants: ["money back for gift cards", "Are gift cards refunded?", "returning a gift card", "a third"],
        answer: "Gift cards are not refunded.",
      }),
    );
    assert.deepEqual(wording, {
      question: "Are gift cards refunded?",
      others: ["money back for gift cards", "returning a gift card"],
      imagined: "Gift cards are not refunded.",
    });
    assert.match(String(asked?.messages.at(-1)?.content), /User: Tell me about gift cards\.\nAssistant: They are sold/);
    assert.deepEqual(Object.keys(asked?.responseSchema?.schema.properties ?? {}), ["question", "variants", "answer"]);
    assert.equal(said.usage.totalTokens, 15);
  });

  it("asks for no more than is wanted, and keeps the question as it was asked", async () => {
    const { wording, asked } = await word({ ...plain, variants: 1 }, '{"variants":["other words"]}');
    assert.deepEqual(wording, { question: plain.question, others: ["other words"], imagined: undefined });
    assert.deepEqual(Object.keys(asked?.responseSchema?.schema.properties ?? {}), ["variants"]);
  });

  it("does without what a model left empty or made too long", async () => {
    const long = "x".repeat(2_001);
    const request = { ...plain, history, variants: 2, hypothetical: true };
    const { wording } = await word(request, JSON.stringify({ question: long, variants: [], answer: " " }));
    assert.deepEqual(wording, { question: plain.question, others: [], imagined: undefined });
  });

  it("rejects an answer that is no JSON", async () => {
    await assert.rejects(word({ ...plain, variants: 1 }, "Sure! Here you go."), { code: "model-invalid-answer" });
  });
});
