import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, startModel } from "../testing/bench.ts";
import { anthropic } from "./anthropic.ts";
import { anthropicFormat } from "./testing/anthropic-format.ts";

const subject = (model: string) => ({ chat: anthropic.chat, format: anthropicFormat, model, apiKey: "a-key" });

test("a model without structured output is made to answer by a tool, and that is the text", async (t) => {
  const toolCalls = [{ name: "json", arguments: { city: "Oslo" } }];
  const { model, server } = await startModel(
    t,
    subject("claude-3-haiku-20240307"),
    { toolCalls },
    { toolCalls, pieces: 3 },
  );
  const schema = { type: "object", properties: { city: { type: "string" } } };
  for (const onText of [undefined, () => undefined]) {
    const answer = await ask(model, { responseSchema: { name: "a", schema }, ...(onText && { onText }) });
    assert.deepEqual(JSON.parse(answer.text), { city: "Oslo" });
    assert.deepEqual([answer.toolCalls, answer.finishReason], [[], "stop"]);
  }
  assert.deepEqual(server.requests[0]?.body.tool_choice, { type: "any", disable_parallel_tool_use: true });
});

test("a streamed call's arguments are checked by Anthropic before they come", async (t) => {
  const { model, server } = await startModel(t, subject("claude-sonnet-4-5"), { text: "ok" });
  const tools = [{ name: "look", description: "Looks", parameters: { type: "object" } }];
  await ask(model, { tools, onText: () => undefined });
  assert.ok(!JSON.stringify(server.requests[0]?.body.tools).includes("eager_input_streaming"));
});

test("a conversation that ends with a model's words ends with the user's, for vendors that need it", async (t) => {
  const messages = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "It is a refund." },
  ] as const;
  const { model, server } = await startModel(t, subject("claude-sonnet-4-5"), { text: "ok" });
  await ask(model, { messages: [...messages] });
  const sent = server.requests[0]?.body.messages as { role: string }[];
  assert.deepEqual(
    sent.map(({ role }) => role),
    ["user", "assistant", "user"],
  );
  assert.match(JSON.stringify(sent.at(-1)), /Continue\./);
});

test("an error before the first event of a stream is the vendor's error", async (t) => {
  const data = { type: "error", error: { type: "rate_limit_error", message: "slow down" } };
  const { model } = await startModel(t, subject("claude-sonnet-4-5"), {
    chunks: [`event: error\ndata: ${JSON.stringify(data)}\n\n`],
  });
  await assert.rejects(ask(model, { onText: () => undefined }), {
    code: "model-rate-limited",
    upstream: { status: 429 },
  });
});

const look = { name: "look", description: "Looks", parameters: { type: "object" } };

for (const onText of [undefined, () => undefined]) {
  test(`Claude gets its thoughts back with the call that they led to, ${onText ? "streamed" : "whole"}`, async (t) => {
    const thought = { text: "I should look.", signature: "c2VhbA==" };
    const step = { thought, text: "I look.", toolCalls: [{ id: "a", name: "look", arguments: {} }] };
    const { model, server } = await startModel(t, subject("claude-sonnet-4-5"), step, { text: "ok" });
    const call = { tools: [look], parameters: { thinkingTokens: 2_000, maxTokens: 500 }, ...(onText && { onText }) };
    const { text, toolCalls } = await ask(model, call);
    assert.equal(text, "I look.", "thoughts are not part of the answer");
    const said = { role: "assistant", content: text, toolCalls } as const;
    const found = { role: "tool", toolCallId: "a", toolName: "look", content: "Rain" } as const;
    // As from the journal.
    const messages = JSON.parse(JSON.stringify([{ role: "user", content: "Hi" }, said, found]));
    await ask(model, { ...call, messages });
    const [first, second] = server.requests.map(({ body }) => body);
    assert.deepEqual(first?.thinking, { type: "enabled", budget_tokens: 2_000 });
    assert.equal(first?.max_tokens, 2_500, "the answer keeps its room");
    assert.deepEqual(second?.messages[1]?.content, [
      { type: "thinking", thinking: thought.text, signature: thought.signature },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "a", name: "look", input: {} },
    ]);
  });
}

test("a budget of nothing stops Claude from thinking, and an effort is its budget where it has no levels", async (t) => {
  const { model, server } = await startModel(t, subject("claude-sonnet-4-5"), { text: "ok" }, { text: "ok" });
  await ask(model, { parameters: { thinkingTokens: 0 } });
  await ask(model, { parameters: { reasoning: "low" } });
  assert.deepEqual(server.requests[0]?.body.thinking, { type: "disabled" });
  assert.match(JSON.stringify(server.requests[1]?.body.thinking), /"type":"enabled","budget_tokens":\d+/);
});
