import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSpeechToText } from "./parse-speech-to-text.ts";

const parse = (services: unknown) => parseSpeechToText(JSON.stringify(services));

test("the service that is switched on is found, with what its form left empty absent", () => {
  const openAIWhisper = { status: true, credentialId: "c-1", language: "en", temperature: "0", prompt: "" };
  assert.deepEqual(parse({ openAIWhisper, localAISTT: { status: false, baseUrl: "http://x" } }), {
    provider: "openai",
    credentialId: "c-1",
    baseUrl: undefined,
    model: "whisper-1",
    language: "en",
    prompt: undefined,
    temperature: 0,
  });
});

test("each service has its address and model", () => {
  const pick = (services: unknown) => {
    const { provider, baseUrl, model } = parse(services) ?? {};
    return [provider, baseUrl, model];
  };
  const groq = "https://api.groq.com/openai/v1";
  const local = { status: true, baseUrl: "http://localhost:8000/v1/" };
  assert.deepEqual(pick({ openAIWhisper: { status: true, model: "gpt-4o-transcribe", baseUrl: "http://x" } }), [
    "openai",
    undefined,
    "gpt-4o-transcribe",
  ]);
  assert.deepEqual(pick({ groqWhisper: { status: true, model: "" } }), ["openai-compatible", groq, "whisper-large-v3"]);
  assert.deepEqual(pick({ localAISTT: { ...local, model: "base" } }), [
    "openai-compatible",
    "http://localhost:8000/v1",
    "base",
  ]);
});

test("nothing usable is undefined, whatever the text holds", () => {
  assert.equal(parseSpeechToText(""), undefined);
  assert.equal(parseSpeechToText("{oops"), undefined);
  for (const services of [
    null,
    [],
    "text",
    {},
    { openAIWhisper: null },
    { openAIWhisper: { status: "true" } },
    { azureCognitive: { status: true } },
    { localAISTT: { status: true } },
    { localAISTT: { status: true, baseUrl: "file:///etc/passwd" } },
  ]) {
    assert.equal(parse(services), undefined, JSON.stringify(services));
  }
});

test("a temperature is a number or its text, from 0 to 1", () => {
  const cases = [
    [0.2, 0.2],
    ["0.2", 0.2],
    ["", undefined],
    [null, undefined],
    [2, undefined],
  ];
  for (const [temperature, expected] of cases) {
    assert.equal(parse({ openAIWhisper: { status: true, temperature } })?.temperature, expected);
  }
});

test("a value that cannot be read is as good as absent", () => {
  const openAIWhisper = { status: true, temperature: "hot", language: 7, credentialId: null };
  const { temperature, language, credentialId, model } = parse({ openAIWhisper, groqWhisper: 1 }) ?? {};
  assert.deepEqual([temperature, language, credentialId, model], [undefined, undefined, undefined, "whisper-1"]);
});
