import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFollowUps } from "./parse-follow-ups.ts";

const parse = (followUpPrompts: unknown) => parseFollowUps(JSON.stringify({ followUpPrompts }));

test("suggestions are on where the settings say so, with the agent's own model", () => {
  assert.deepEqual(parse({ status: true }), { prompt: "", temperature: undefined });
  const model = { provider: "groq", model: "small", credential: "c-1" };
  assert.deepEqual(parse({ status: true, prompt: " Be brief. ", temperature: "0.2", model }), {
    prompt: "Be brief.",
    temperature: 0.2,
    model,
  });
});

test("a model component of existing clients is read by its name", () => {
  const chatAnthropic = { credentialId: "c-1", modelName: "claude", prompt: "Of {history}", temperature: "0.9" };
  assert.deepEqual(parse({ status: true, selectedProvider: "chatAnthropic", chatAnthropic, chatOpenAI: {} }), {
    prompt: "Of {history}",
    temperature: 0.9,
    model: { provider: "anthropic", model: "claude", credential: "c-1" },
  });
});

test("one that cannot be used here leaves the agent's own model", () => {
  for (const name of ["azureChatOpenAI", "constructor"]) {
    const component = { credentialId: "c-1", prompt: "Of {history}" };
    const found = parse({ status: true, selectedProvider: name, [name]: component });
    assert.deepEqual(found, { prompt: "Of {history}", temperature: undefined }, name);
  }
});

test("anything else is off", () => {
  for (const text of ["", "{oops", "[]", '{"followUpPrompts":null}'])
    assert.equal(parseFollowUps(text), undefined, text);
  for (const settings of [undefined, "yes", [], {}, { status: "true" }, { status: false, prompt: "x" }]) {
    assert.equal(parse(settings), undefined);
  }
});

test("a value that cannot be read is as good as absent", () => {
  const found = parse({ status: true, prompt: 7, temperature: 9, model: "gpt", selectedProvider: {} });
  assert.deepEqual(found, { prompt: "", temperature: undefined });
});
