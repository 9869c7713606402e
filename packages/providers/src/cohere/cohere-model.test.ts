import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ask, startModel } from "../testing/bench.ts";
import type { ScriptStep } from "../testing/script-step.ts";
import { cohere } from "./cohere.ts";
import { cohereFormat } from "./testing/cohere-format.ts";

const subject = { chat: cohere.chat, format: cohereFormat, model: "command-a-03-2025", apiKey: "a-key" };
const start = (t: TestContext, ...script: ScriptStep[]) => startModel(t, subject, ...script);

test("the plan beside calls is the model's words, and goes back as a plan", async (t) => {
  const toolCalls = [{ id: "look_1", name: "look", arguments: { at: "Oslo" } }];
  const { model, server } = await start(t, { text: "I will look.", toolCalls }, { text: "ok" });
  const { text, toolCalls: called } = await ask(model);
  assert.equal(text, "I will look.");
  await ask(model, { messages: [{ role: "assistant", content: text, toolCalls: called }] });
  const call = { id: "look_1", type: "function", function: { name: "look", arguments: '{"at":"Oslo"}' } };
  assert.deepEqual(server.requests[1]?.body.messages, [
    { role: "assistant", tool_calls: [call], tool_plan: "I will look." },
  ]);
});

test("thoughts are not part of the answer of the answer, a call without arguments has none, and citations are passed over", async (t) => {
  const event = (type: string, delta: object) => `event: ${type}\ndata: ${JSON.stringify({ type, delta })}\n\n`;
  const { model } = await start(t, {
    chunks: [
      event("content-delta", { message: { content: { thinking: "Hm" } } }),
      event("content-delta", { message: { content: { text: "Hi" } } }),
      event("citation-start", { message: { citations: { start: 0, end: 2, text: "Hi", sources: [] } } }),
      event("tool-call-start", { message: { tool_calls: { id: "a", type: "function", function: { name: "now" } } } }),
      event("message-end", { finish_reason: "TOOL_CALL", usage: { tokens: { input_tokens: 3, output_tokens: 2 } } }),
    ],
  });
  assert.deepEqual(await ask(model, { onText: () => undefined }), {
    text: "Hi",
    toolCalls: [{ id: "a", name: "now", arguments: "{}" }],
    finishReason: "tool-calls",
    usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
  });
});

for (const onText of [undefined, () => undefined]) {
  test(`an answer that failed or ran out of time is none, ${onText ? "streamed" : "whole"}`, async (t) => {
    const { model } = await start(t, { text: "a", finishReason: "ERROR" }, { text: "a", finishReason: "TIMEOUT" });
    await assert.rejects(ask(model, onText && { onText }), { code: "model-invalid-answer" });
    await assert.rejects(ask(model, onText && { onText }), { code: "model-invalid-answer" });
  });
}

test("a key that expired and a question that is too long are told apart, with Cohere's words", async (t) => {
  const tooLong = "too many tokens: total number of tokens in the prompt cannot exceed 4081";
  const { model } = await start(
    t,
    { status: 498, body: { message: "invalid token" } },
    { status: 400, body: { message: tooLong } },
    { status: 429, body: { message: "You are past the per minute request limit" }, headers: { "retry-after": "9" } },
  );
  await assert.rejects(ask(model), { code: "model-unauthorized" });
  await assert.rejects(ask(model), { code: "model-invalid-request", message: new RegExp(tooLong) });
  await assert.rejects(ask(model), { code: "model-rate-limited", upstream: { status: 429, retryAfterSeconds: 9 } });
});
