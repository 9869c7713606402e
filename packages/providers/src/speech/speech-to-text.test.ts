import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { WeftError } from "@weft/schema";
import { recording, startVendor } from "../testing/bench.ts";
import type { ScriptStep } from "../testing/script-step.ts";
import { speechFormat } from "../testing/speech-format.ts";
import { createSpeechToText, type SpeechToTextOptions } from "./transcriber.ts";

const apiKey = "sk-test-0123456789abcdef";

async function start(t: TestContext, script: readonly ScriptStep[], options: Partial<SpeechToTextOptions> = {}) {
  const server = await startVendor(t, speechFormat, ...script);
  const { url: baseUrl } = server;
  return {
    server,
    speech: createSpeechToText({ apiKey, baseUrl, model: "whisper-1", fetch: globalThis.fetch, ...options }),
  };
}

test("the recording goes out as a form, and its text comes back", async (t) => {
  const options = { language: "en", prompt: "Weft", temperature: 0 };
  const { server, speech } = await start(t, [{ text: "Guten Tag, 東京" }, { text: "" }], options);
  assert.equal(await speech.transcribe(recording()), "Guten Tag, 東京");
  assert.equal(await speech.transcribe(recording()), "");
  const form = await server.requests[0]?.body.form();
  const { file, ...fields } = Object.fromEntries(form ?? []);
  assert.deepEqual(fields, {
    model: "whisper-1",
    response_format: "json",
    language: "en",
    prompt: "Weft",
    temperature: "0",
  });
  assert.ok(file instanceof File);
  assert.deepEqual([file.name, file.type, await file.text()], ["message.webm", "audio/webm", "RIFF"]);
  assert.equal(server.requests[0]?.headers.authorization, `Bearer ${apiKey}`);
});

test("without a key no Authorization header is sent, and without an address it is OpenAI's", async (t) => {
  const { server, speech } = await start(t, [{ text: "hi" }], { apiKey: undefined });
  await speech.transcribe(recording());
  assert.equal(server.requests[0]?.headers.authorization, undefined);
  assert.deepEqual([...((await server.requests[0]?.body.form())?.keys() ?? [])], ["file", "model", "response_format"]);
  const urls: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    urls.push(String(input));
    return Response.json({ text: "hi" });
  };
  await createSpeechToText({ model: "whisper-1", fetch }).transcribe(recording());
  assert.deepEqual(urls, ["https://api.openai.com/v1/audio/transcriptions"]);
});

test("refusals, garbage and silence of the server become codes, without the key", async (t) => {
  const error = { message: `bad ${apiKey}` };
  const cases: [ScriptStep, string][] = [
    [{ status: 401, body: { error } }, "model-unauthorized"],
    [{ status: 429, body: { error }, headers: { "retry-after": "3" } }, "model-rate-limited"],
    [{ status: 400, body: { error } }, "model-invalid-request"],
    [{ status: 500, body: { error } }, "model-unavailable"],
    [{ garbage: "<html>login</html>" }, "model-invalid-answer"],
    [{ garbage: '{"hello":"world"}' }, "model-invalid-answer"],
    [{ garbage: "[]" }, "model-invalid-answer"],
  ];
  for (const [step, code] of cases) {
    const { speech } = await start(t, [step]);
    const failure = await speech.transcribe(recording()).catch((reason: unknown) => reason);
    assert.ok(failure instanceof WeftError);
    assert.equal(failure.code, code);
    assert.doesNotMatch(failure.message, /sk-test|login/);
  }
  const { server, speech } = await start(t, []);
  await server.close();
  await assert.rejects(speech.transcribe(recording()), { code: "model-unreachable" });
});

test("an abort ends the request at once, with the signal's reason", async (t) => {
  const { server, speech } = await start(t, [{ hang: true }]);
  const controller = new AbortController();
  const reason = new Error("cancelled");
  const pending = speech.transcribe(recording(controller.signal));
  while (server.count() === 0) await new Promise((resolve) => setImmediate(resolve));
  controller.abort(reason);
  await assert.rejects(pending, reason);
  while (server.abandoned() === 0) await new Promise((resolve) => setImmediate(resolve));
});
