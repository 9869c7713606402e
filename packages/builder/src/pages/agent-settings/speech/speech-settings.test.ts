// @process browser: a document in place of globals of Node.
import "../../../testing/browser.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findActive,
  findUnsupported,
  firstChoice,
  type SpeechProvider,
  speechProblems,
  toSpeechForm,
  toSpeechValue,
  withActive,
} from "./speech-settings.ts";

const openai: SpeechProvider = {
  name: "openai",
  title: "OpenAI",
  speech: { service: "openAIWhisper", model: "whisper-1", takesAddress: false, needsCredential: true },
};
const server: SpeechProvider = {
  name: "openai-compatible",
  title: "OpenAI-compatible server",
  speech: { service: "localAISTT", model: "whisper-1", takesAddress: true, needsCredential: false },
};
const providers = [openai, server];

test("one service is on at a time, and each keeps its settings", () => {
  const stored = { openAIWhisper: { status: true, language: "de" }, other: { status: true }, odd: 7 };
  assert.equal(findActive(stored, providers), openai);
  const chosen = withActive(stored, "localAISTT");
  assert.deepEqual(chosen, {
    openAIWhisper: { status: false, language: "de" },
    other: { status: false },
    odd: 7,
    localAISTT: { status: true },
  });
  assert.equal(findActive(chosen, providers), server);
  const off = withActive(chosen, undefined);
  assert.equal(findActive(off, providers), undefined);
  assert.deepEqual(withActive(off, "openAIWhisper").openAIWhisper, { status: true, language: "de" });
});

test("first offered is what was set up before, and a service that the server lacks is named", () => {
  assert.equal(firstChoice({}, providers), openai);
  assert.equal(firstChoice({ localAISTT: { status: false } }, providers), server);
  assert.equal(findUnsupported({ azureCognitive: { status: true } }, providers), "azureCognitive");
  assert.equal(
    findUnsupported({ azureCognitive: { status: false }, openAIWhisper: { status: true } }, providers),
    undefined,
  );
});

test("what forms of other clients send is read: empty texts as absent, numbers from text", () => {
  const given = { status: true, language: "", temperature: "0.2", prompt: "Weft" };
  assert.deepEqual(toSpeechValue(given), { status: true, temperature: 0.2, prompt: "Weft" });
  assert.deepEqual(toSpeechValue({ temperature: "" }), {});
  assert.deepEqual(toSpeechValue({ temperature: "hot" }), {});
});

test("a language that is not in the list stays chosen, whatever it is", () => {
  const languages = (language: string) => {
    const { properties } = toSpeechForm(server, { language }) as { properties: { language: { labels: object } } };
    return properties.language.labels;
  };
  assert.partialDeepStrictEqual(languages(""), { de: "German", ja: "Japanese" });
  assert.partialDeepStrictEqual(languages("yue"), { yue: "Cantonese" });
  assert.partialDeepStrictEqual(languages("?!"), { "?!": "?!" });
});

test("what keeps visitors from recording is said beside its setting", () => {
  const paths = (...given: Parameters<typeof speechProblems>) => speechProblems(...given).map(({ path }) => path);
  for (const baseUrl of ["", "localhost:8000", "file:///etc", "https://a:b@host", "http://host/v1?x"]) {
    assert.deepEqual(paths(server, { baseUrl }, []), ["baseUrl"], baseUrl);
  }
  assert.deepEqual(paths(server, { baseUrl: "http://localhost:8000/v1/" }, []), []);
  assert.deepEqual(paths(openai, {}, []), ["credentialId"]);
  assert.deepEqual(paths(openai, { credentialId: "c" }, ["c"]), []);
  assert.deepEqual(paths(openai, { credentialId: "gone" }, ["c"]), ["credentialId"]);
  assert.deepEqual(paths(openai, { credentialId: "gone" }, undefined), [], "not before the stored ones are known");
});
