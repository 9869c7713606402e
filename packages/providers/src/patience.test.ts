import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ModelCall } from "@weft/engine/ports/chat-model";
import type { AnswerLimits } from "./model-guards.ts";
import { createModelResolver } from "./model-resolver.ts";
import { ask, createTestClock } from "./testing/bench.ts";
import { httpTo } from "./testing/model-http.ts";
import type { ScriptStep } from "./testing/script-step.ts";
import { createScriptedOpenAiServer } from "./testing/scripted-openai-server.ts";

const hour = 3_600_000;

/** A model behind a server with one answer, on a clock that passes when it is told to. */
async function start(t: TestContext, step: ScriptStep, limits: Partial<AnswerLimits>) {
  const server = await createScriptedOpenAiServer({ script: () => step });
  t.after(() => server.close());
  const { clock, sleepers, pass } = createTestClock();
  const resolver = createModelResolver({
    defaults: { accounts: { openai: { baseUrl: server.url, apiKey: "sk-key" } }, model: "m" },
    readCredential: async () => undefined,
    http: httpTo(server.url),
    patience: { limits: { firstTokenMs: hour, betweenTokensMs: hour, answerMs: hour, ...limits }, clock },
  });
  const model = await resolver.resolve({});
  return {
    server,
    sleepers,
    ask: (more: Partial<ModelCall> = {}) => ask(model, more),
    pass,
    /** Until the server has the request, and the model waits. */
    async asked() {
      while (server.requests.length === 0) await new Promise(setImmediate);
    },
  };
}

const failsWith = (message: RegExp) => ({ code: "model-timeout", retryable: true, message });

test("a stream without a first token ends at its limit, which the error names", async (t) => {
  const model = await start(t, { hang: true }, { firstTokenMs: 120_000 });
  const answer = assert.rejects(
    model.ask({ onText: () => undefined }),
    failsWith(/no first token within 120000 ms, .* MODEL_FIRST_TOKEN_MS/),
  );
  await model.asked();
  await model.pass(119_999);
  assert.equal(model.sleepers.size, 1);
  await model.pass(1);
  await answer;
});

test("a stream that stands still ends at its limit, which counts from the last token", async (t) => {
  const model = await start(t, { hang: true, afterText: "Once upon" }, { betweenTokensMs: 60_000 });
  const began = Promise.withResolvers<void>();
  const onText = (text: string) => text.includes("upon") && began.resolve();
  const answer = assert.rejects(
    model.ask({ onText }),
    failsWith(/no further token within 60000 ms, .* MODEL_BETWEEN_TOKENS_MS/),
  );
  await model.asked();
  await model.pass(50_000);
  await began.promise;
  await model.pass(59_999);
  assert.equal(model.sleepers.size, 1);
  await model.pass(1);
  await answer;
});

test("an answer in one piece has a limit of its own", async (t) => {
  const model = await start(t, { hang: true }, { firstTokenMs: 1, answerMs: 600_000, betweenTokensMs: 60_000 });
  const answer = assert.rejects(model.ask(), failsWith(/no answer within 600000 ms, .* MODEL_ANSWER_MS/));
  await model.asked();
  for (let passed = 0; passed < 600_000; passed += 60_000) await model.pass(60_000);
  await answer;
});

test("an answer in time leaves nothing that waits; a cancel is passed on", async (t) => {
  const model = await start(t, { text: "Hello." }, {});
  assert.equal((await model.ask({ onText: () => undefined })).text, "Hello.");
  assert.equal(model.sleepers.size, 0);
  const hanging = await start(t, { hang: true }, {});
  const cancel = new AbortController();
  const answer = assert.rejects(hanging.ask({ signal: cancel.signal }), /cancelled/);
  await hanging.asked();
  cancel.abort(new Error("cancelled"));
  await answer;
  assert.equal(hanging.sleepers.size, 0);
});
