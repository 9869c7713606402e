import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelAnswer, ModelMessage, ModelToolCall } from "../ports/chat-model.ts";
import { afterAnswer, afterTools, beginAgent, nextStep, type ToolOutcome } from "./agent-loop.ts";

const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5 };
const call = (id: string): ModelToolCall => ({ id, name: "t", arguments: "{}" });
const answer = (text: string, ...toolCalls: ModelToolCall[]): ModelAnswer => ({
  text,
  toolCalls,
  finishReason: toolCalls.length > 0 ? "tool-calls" : "stop",
  usage,
});
const outcome = (
  toolCall: ModelToolCall,
  toolOutput: string,
  more: { error?: string; returnDirect?: boolean } = {},
) => {
  const { returnDirect = false, ...error } = more;
  return {
    call: toolCall,
    used: { tool: "t", toolInput: {}, toolOutput, ...error },
    returnDirect,
    sourceDocuments: [],
  } satisfies ToolOutcome;
};

describe("agent loop", () => {
  it("asks, calls, asks again and is done", () => {
    let state = beginAgent([{ role: "user", content: "hi" }], 5);
    const { messages } = state;
    assert.deepEqual(nextStep(state), { type: "ask", messages, round: 0, mayCallTools: true, isLast: false });
    state = afterAnswer(state, answer("let me look", call("1"), call("2")));
    assert.deepEqual(nextStep(state), { type: "call", calls: [call("1"), call("2")] });
    state = afterTools(state, [outcome(call("1"), "one"), outcome(call("2"), "broke", { error: "broke" })]);
    const asked = { type: "ask", messages: state.messages, round: 1, mayCallTools: true, isLast: false };
    assert.deepEqual(nextStep(state), asked);
    state = afterAnswer(state, answer("done"));
    assert.deepEqual(nextStep(state), { type: "done", text: "done" });
    assert.deepEqual(state.messages, [
      { role: "user", content: "hi" },
      { role: "assistant", content: "let me look", toolCalls: [call("1"), call("2")] },
      { role: "tool", toolCallId: "1", toolName: "t", content: "one" },
      { role: "tool", toolCallId: "2", toolName: "t", content: "broke", isError: true },
      { role: "assistant", content: "done" },
    ]);
    assert.deepEqual(state.usage, { inputTokens: 6, outputTokens: 4, totalTokens: 10 });
    assert.deepEqual(
      state.usedTools.map((used) => used.toolOutput),
      ["one", "broke"],
    );
  });

  it("takes an answer without words as an answer", () => {
    const state = afterAnswer(beginAgent([], 5), answer(""));
    assert.deepEqual(nextStep(state), { type: "done", text: "" });
  });

  it("is done with the first result that is returned directly", () => {
    const asked = afterAnswer(beginAgent([], 5), answer("", call("1"), call("2"), call("3")));
    const state = afterTools(asked, [
      outcome(call("1"), "no"),
      outcome(call("2"), "this", { returnDirect: true }),
      outcome(call("3"), "not this", { returnDirect: true }),
    ]);
    assert.deepEqual(nextStep(state), { type: "done", text: "this" });
    assert.equal(state.usedTools.length, 3);
  });

  it("asks for a last answer without tools after the last round, and ignores calls in it", () => {
    let state = beginAgent([], 1);
    state = afterTools(afterAnswer(state, answer("", call("1"))), [outcome(call("1"), "one")]);
    const told: ModelMessage = {
      role: "user",
      content: "You cannot call tools any more. Answer now, with what you have.",
    };
    const messages = [...state.messages, told];
    assert.deepEqual(nextStep(state), { type: "ask", messages, round: 1, mayCallTools: false, isLast: false });
    state = afterAnswer(state, answer("enough", call("2")));
    assert.deepEqual(nextStep(state), { type: "done", text: "enough" });
    assert.deepEqual(state.messages.at(-1), { role: "assistant", content: "enough" });
  });

  it("fails where that answer says nothing", () => {
    const asked = afterAnswer(beginAgent([], 3), answer("", call("1")));
    const state = { ...afterTools(asked, [outcome(call("1"), "one")]), round: 3 };
    for (const empty of [answer(""), answer(" \n", call("2"))]) {
      assert.throws(() => afterAnswer(state, empty), {
        code: "agent-no-answer",
        message: /tools in 3 answers in a row/,
      });
    }
  });

  it("changes no state in place", () => {
    const begun = beginAgent(Object.freeze([]), 5);
    const asked = afterAnswer(begun, answer("", call("1")));
    afterTools(asked, [outcome(call("1"), "one")]);
    assert.deepEqual(begun.messages, []);
    assert.equal(asked.messages.length, 1);
    assert.deepEqual(asked.usedTools, []);
  });
});
