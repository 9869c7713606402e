import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, startModel } from "../testing/bench.ts";
import { httpOver } from "../testing/model-http.ts";
import { ollama } from "./ollama.ts";
import { ollamaFormat } from "./testing/ollama-format.ts";

const subject = { chat: ollama.chat, format: ollamaFormat, model: "m" };

const line = (fields: object) => `${JSON.stringify({ done: false, ...fields })}\n`;

test("without a key no Authorization header is sent, and without an address it is the usual one", async (t) => {
  const { model, server } = await startModel(t, subject, { text: "hi" });
  assert.equal((await ask(model)).text, "hi");
  assert.equal(server.requests[0]?.headers.authorization, undefined);
  const urls: string[] = [];
  const local = await ollama.chat.create({
    model: "m",
    ...httpOver(async (input) => {
      urls.push(String(input));
      return Response.json({ error: "model 'm' not found" }, { status: 404 });
    }),
  });
  await assert.rejects(ask(local), { code: "model-invalid-request", message: /model 'm' not found/ });
  assert.deepEqual(urls, ["http://127.0.0.1:11434/api/chat"]);
});

test("calls without an id get one that no other call of the conversation has", async (t) => {
  const toolCalls = [
    { name: "look", arguments: {} },
    { name: "look", arguments: { again: true } },
  ];
  const { model } = await startModel(t, subject, { toolCalls }, { toolCalls });
  const first = await ask(model);
  const second = await ask(model, {
    messages: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "", toolCalls: first.toolCalls },
    ],
  });
  const ids = [...first.toolCalls, ...second.toolCalls].map(({ id }) => id);
  assert.equal(new Set(ids).size, 4);
});

test("lines are read whole, wherever they are split, and thoughts are left out", async (t) => {
  const text = [
    line({ message: { role: "assistant", content: "", thinking: "Hm." } }),
    line({ message: { content: "Grüße 東京 🎉" } }),
    line({ done: true, done_reason: "stop", eval_count: 3 }).trimEnd(),
  ].join("\n");
  const bytes = Buffer.from(text);
  const { model } = await startModel(t, subject, {
    chunks: Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)),
  });
  assert.deepEqual(await ask(model), {
    text: "Grüße 東京 🎉",
    toolCalls: [],
    finishReason: "stop",
    usage: { inputTokens: 0, outputTokens: 3, totalTokens: 3 },
  });
});

test("a stream that ends politely but early is no answer; an odd end is named as such", async (t) => {
  const { model } = await startModel(
    t,
    subject,
    { chunks: [line({ message: { content: "Hel" } })] },
    { text: "", finishReason: "load" },
  );
  await assert.rejects(ask(model), { code: "model-invalid-answer", message: /before it was complete/ });
  assert.equal((await ask(model)).finishReason, "other");
});

test("a picture by its address is refused before anything is sent", async (t) => {
  const { model, server } = await startModel(t, subject);
  const image = { type: "image", mediaType: "image/png", data: new URL("https://example.org/a.png") } as const;
  await assert.rejects(ask(model, { messages: [{ role: "user", content: [image] }] }), {
    code: "model-invalid-request",
    message: /a picture's bytes, not its address/,
  });
  assert.equal(server.count(), 0);
});

test("arguments that are no object are left out", async (t) => {
  const { model, server } = await startModel(t, subject, { text: "ok" });
  const toolCalls = ["{oops", "[1]", '{"a":1}'].map((text, index) => ({
    id: `${index}`,
    name: "look",
    arguments: text,
  }));
  await ask(model, { messages: [{ role: "assistant", content: "", toolCalls }] });
  const calls = server.requests[0]?.body.messages[0]?.tool_calls as { function: { arguments: unknown } }[];
  assert.deepEqual(
    calls.map((call) => call.function.arguments),
    [{}, {}, { a: 1 }],
  );
});

test("models think or do not, and gpt-oss thinks in levels", async (t) => {
  for (const [name, reasoning, think] of [
    ["qwen3", "none", false],
    ["qwen3", "low", true],
    ["gpt-oss:20b", "medium", "medium"],
    ["gpt-oss", "none", "low"],
    ["gpt-oss", "max", "high"],
  ] as const) {
    const { model, server } = await startModel(t, { ...subject, model: name }, { text: "hi" });
    await ask(model, { parameters: { reasoning } });
    const body = server.requests[0]?.body ?? assert.fail("nothing was sent");
    assert.equal(body.think, think, `${name} ${reasoning}`);
  }
});
