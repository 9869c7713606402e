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
