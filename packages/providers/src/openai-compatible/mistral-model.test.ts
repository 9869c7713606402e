import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ModelCall } from "@weft/engine/ports/chat-model";
import { openAiEmbeddingFormat } from "../openai/testing/openai-embedding-format.ts";
import { openAiFormat } from "../openai/testing/openai-format.ts";
import { findChatProvider, providers } from "../registry.ts";
import { ask, startModel } from "../testing/bench.ts";
import type { ScriptStep } from "../testing/script-step.ts";
import { createScriptedEmbeddingServer } from "../testing/scripted-embedding-server.ts";

function start(t: TestContext, ...script: ScriptStep[]) {
  const chat = findChatProvider("mistral");
  assert.ok(chat);
  return startModel(t, { chat, format: openAiFormat, model: "mistral-small-latest", apiKey: "a-key" }, ...script);
}

test("the seed is called as Mistral calls it", async (t) => {
  const { model, server } = await start(t, { text: "ok" });
  await ask(model, { parameters: { seed: 7 } });
  const body = server.requests[0]?.body ?? assert.fail("nothing was sent");
  assert.deepEqual([body.seed, body.random_seed], [undefined, 7]);
});

test("calls that another model made go to Mistral with ids that it takes, each with its result", async (t) => {
  const { model, server } = await start(t, { text: "ok" });
  const call = (id: string) => ({ id, name: "look", arguments: "{}" });
  const result = (id: string) => ({ role: "tool", toolCallId: id, toolName: "look", content: id }) as const;
  const messages: ModelCall["messages"] = [
    { role: "user", content: "Look twice" },
    { role: "assistant", content: "", toolCalls: [call("call_7_0"), call("D681PevKs")] },
    result("call_7_0"),
    result("D681PevKs"),
  ];
  await ask(model, { messages });
  const sent = server.requests[0]?.body.messages ?? [];
  const called = (sent[1]?.tool_calls ?? []) as { id: string }[];
  assert.deepEqual(
    called.map(({ id }) => id),
    sent.slice(2).map((message) => message.tool_call_id),
  );
  assert.match(called[0]?.id ?? "", /^[A-Za-z0-9]{9}$/);
  assert.equal(called[1]?.id, "D681PevKs", "its own ids stay");
});

test("a conversation that ends with a model's words goes on, and no stream option is sent", async (t) => {
  const { model, server } = await start(t, { text: "ok" });
  await ask(model, { messages: [{ role: "assistant", content: "I looked." }], onText: () => undefined });
  const body = server.requests[0]?.body;
  assert.deepEqual(body?.messages.at(-1), { role: "user", content: "Continue." });
  assert.deepEqual([body?.stream, body?.stream_options], [true, undefined]);
});

test("an answer that met the model's own limit is cut, and one that failed is none", async (t) => {
  const { model } = await start(
    t,
    { text: "one", finishReason: "model_length" },
    { text: "one", finishReason: "error" },
  );
  assert.equal((await ask(model)).finishReason, "length");
  await assert.rejects(ask(model), { code: "model-invalid-answer" });
});

test("what Mistral says of a field reaches the message, whatever its form", async (t) => {
  const problem = { type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted", input: 1 };
  const bodies = [
    { detail: [problem] },
    { object: "error", message: { detail: [problem] }, type: "invalid_request_error", code: null },
  ];
  for (const body of bodies) {
    const { model } = await start(t, { status: 422, body });
    await assert.rejects(ask(model), {
      code: "model-invalid-request",
      message: /body\.seed: Extra inputs are not permitted/,
    });
  }
});

test("the length of vectors has Mistral's own name", async (t) => {
  const server = await createScriptedEmbeddingServer({ format: openAiEmbeddingFormat });
  t.after(server.close);
  const provider = providers.find(({ name }) => name === "mistral")?.embeddings;
  const options = { model: "codestral-embed", baseUrl: server.url, fetch: globalThis.fetch, dimensions: 512 };
  const model = await provider?.create(options);
  await model?.embed({ texts: ["a"], purpose: "document", signal: new AbortController().signal });
  assert.deepEqual(server.requests[0]?.body, {
    model: "codestral-embed",
    input: ["a"],
    encoding_format: "float",
    output_dimension: 512,
  });
});
