import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { withinAnswerLimit } from "./model-guards.ts";
import { createModelResolver } from "./model-resolver.ts";
import { ask } from "./testing/bench.ts";
import { httpTo } from "./testing/model-http.ts";
import type { ScriptStep } from "./testing/script-step.ts";
import { createScriptedOpenAiServer } from "./testing/scripted-openai-server.ts";

const answerBytes = 10_000;

async function start(t: TestContext, step: ScriptStep) {
  const server = await createScriptedOpenAiServer({ script: () => step });
  t.after(() => server.close());
  const resolver = createModelResolver({
    defaults: { accounts: { openai: { baseUrl: server.url, apiKey: "sk-key" } }, model: "m" },
    readCredential: async () => undefined,
    http: httpTo(server.url),
    answerBytes,
  });
  return resolver.resolve({});
}

const tooLarge = {
  code: "model-answer-too-large",
  retryable: false,
  message: /longer than 10000 bytes, the limit set by MODEL_ANSWER_LIMIT/,
};

test("an answer within the limit is read, streamed or whole", async (t) => {
  const model = await start(t, { text: "Good day. ".repeat(1_000) });
  let streamed = "";
  const onText = (text: string) => {
    streamed += text;
  };
  for (const more of [{}, { onText }]) assert.equal((await ask(model, more)).text.length, 10_000);
  assert.equal(streamed.length, 10_000);
});

test("a longer one fails with the limit's name, and no more of it is handed over than fits", async (t) => {
  for (const size of [1_001, 200_000]) {
    const model = await start(t, { text: "Good day. ".repeat(size) });
    let streamed = 0;
    const onText = (text: string) => {
      streamed += text.length;
    };
    for (const more of [{}, { onText }]) await assert.rejects(ask(model, more), tooLarge);
    assert.ok(streamed <= answerBytes, `${streamed} characters were handed over.`);
  }
});

test("the arguments of tool calls count", async (t) => {
  const model = await start(t, { toolCalls: [{ name: "save", arguments: { text: "x".repeat(answerBytes) } }] });
  for (const more of [{}, { onText: () => undefined }]) await assert.rejects(ask(model, more), tooLarge);
});

test("what a vendor's library fetches is left where it is too long", async () => {
  let isCancelled = false;
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(10_000));
    },
    cancel() {
      isCancelled = true;
    },
  });
  const fetch = async () => new Response(body, { headers: { "content-type": "application/json" } });
  const http = { fetch, exchange: () => assert.fail(), reveal: (key: string) => key };
  const response = await withinAnswerLimit(http, answerBytes).fetch("https://api.example.com");
  await assert.rejects(response.text(), tooLarge);
  assert.ok(isCancelled);
  assert.ok(pulled < 10, `${pulled} pieces were taken.`);
});
