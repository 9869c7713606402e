import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import type { ModelReference } from "@weft/engine";
import { WeftError } from "@weft/schema";
import { createModelResolver, defaultProviderName, type ModelDefaults } from "./model-resolver.ts";
import { createScriptedOpenAiServer, type ScriptedOpenAiServer } from "./testing/scripted-openai-server.ts";

let operator: ScriptedOpenAiServer;
let other: ScriptedOpenAiServer;
before(async () => {
  operator = await createScriptedOpenAiServer({ script: () => ({ text: "operator" }) });
  other = await createScriptedOpenAiServer({ script: () => ({ text: "other" }) });
});
after(() => Promise.all([operator.close(), other.close()]));

const credentials: Record<string, Record<string, string>> = {
  own: { apiKey: "sk-own-key" },
  empty: { apiKey: "" },
};

/** A resolver whose calls to OpenAI itself are counted, not made. */
function setUp(defaults: ModelDefaults) {
  const vendorCalls: { url: string; authorization: string | null }[] = [];
  const resolver = createModelResolver({
    defaults,
    readCredential: async (id) =>
      id === "located" ? { apiKey: "sk-own-key", baseUrl: `${other.url}/` } : credentials[id],
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (request.url.startsWith("http://127.0.0.1")) return globalThis.fetch(request);
      vendorCalls.push({ url: request.url, authorization: request.headers.get("authorization") });
      return Response.json({ error: { message: "not in a test" } }, { status: 400 });
    },
  });
  const ask = async (reference: ModelReference) => {
    const model = await resolver.resolve(reference);
    const signal = new AbortController().signal;
    return model.answer({ messages: [{ role: "user", content: "Hi" }], signal });
  };
  return { resolver, vendorCalls, ask };
}

async function refusal(reference: ModelReference, defaults: ModelDefaults = {}): Promise<string> {
  try {
    await setUp(defaults).resolver.resolve(reference);
  } catch (error) {
    assert.ok(error instanceof WeftError);
    assert.equal(error.code, "model-not-configured");
    return error.message;
  }
  return assert.fail("it resolved");
}

test("with nothing configured an empty reference is the rehearsal model", async () => {
  for (const defaults of [{}, { apiKey: "", baseUrl: " ", model: "" }]) {
    const { resolver, ask } = setUp(defaults);
    assert.equal((await resolver.resolve({})).id, "rehearsal/rules");
    assert.equal((await resolver.resolve({ provider: "rehearsal", model: "anything" })).id, "rehearsal/rules");
    assert.match((await ask({})).text, /^\[rehearsal model: rules, not an AI\] /);
    assert.equal(defaultProviderName(defaults), "rehearsal");
  }
});

test("with a key alone an empty reference is OpenAI, and the key goes there", async () => {
  const { resolver, vendorCalls, ask } = setUp({ apiKey: "sk-operator" });
  assert.equal((await resolver.resolve({})).id, "openai/gpt-4o-mini");
  assert.equal((await resolver.resolve({ model: "gpt-4o" })).id, "openai/gpt-4o");
  assert.equal((await setUp({ apiKey: "k", model: "gpt-4.1" }).resolver.resolve({})).id, "openai/gpt-4.1");
  await assert.rejects(ask({}));
  assert.deepEqual(vendorCalls, [
    { url: "https://api.openai.com/v1/chat/completions", authorization: "Bearer sk-operator" },
  ]);
});

test("with a base URL an empty reference is a compatible server there, key or no key", async () => {
  const { resolver, ask } = setUp({ baseUrl: `${operator.url}/`, model: "llama3", apiKey: "sk-operator" });
  assert.equal((await resolver.resolve({})).id, "openai-compatible/llama3");
  assert.equal((await ask({})).text, "operator");
  assert.equal(operator.requests.at(-1)?.headers.authorization, "Bearer sk-operator");
  assert.equal((await setUp({ baseUrl: operator.url }).ask({})).text, "operator");
  assert.equal(operator.requests.at(-1)?.headers.authorization, undefined);
});

test("the operator's base URL stands for OpenAI too", async () => {
  const { vendorCalls, ask } = setUp({ baseUrl: operator.url, apiKey: "sk-operator" });
  assert.equal((await ask({ provider: "openai" })).text, "operator");
  assert.equal((await ask({ provider: "openai", credential: "own" })).text, "operator");
  assert.equal(operator.requests.at(-1)?.headers.authorization, "Bearer sk-own-key");
  assert.deepEqual(vendorCalls, []);
});

test("the operator's key never goes to an address that a flow names", async () => {
  const { ask } = setUp({ baseUrl: operator.url, apiKey: "sk-operator" });
  assert.equal((await ask({ baseUrl: other.url })).text, "other");
  assert.equal(other.requests.at(-1)?.headers.authorization, undefined);
  assert.equal((await ask({ provider: "openai", credential: "located" })).text, "other");
  assert.equal(other.requests.at(-1)?.headers.authorization, "Bearer sk-own-key");
  const message = await refusal({ provider: "openai", baseUrl: other.url }, { apiKey: "sk-operator" });
  assert.match(message, /a base URL of its own needs a credential of its own/);
});

test("what cannot be used is refused with a sentence", async () => {
  assert.match(
    await refusal({ provider: "openai" }),
    /openai\/gpt-4o-mini cannot be used: it needs an API key\. Choose/,
  );
  assert.match(await refusal({ provider: "openai-compatible" }), /it needs a base URL/);
  assert.match(await refusal({ provider: "nobody" }), /no provider has the name nobody\. Known providers: openai, /);
  assert.match(await refusal({ provider: "toString" }), /no provider has the name/);
  assert.match(await refusal({ credential: "gone" }, { apiKey: "k" }), /its credential does not exist any more/);
  assert.match(
    await refusal({ provider: "openai", credential: "empty" }, { apiKey: "k" }),
    /its credential has no apiKey/,
  );
  for (const baseUrl of [
    "ftp://example.org/v1",
    "not a url",
    "http://user:secret@example.org/v1",
    "file:///etc/passwd",
  ]) {
    const message = await refusal({ baseUrl });
    assert.match(message, /its base URL is not an http/);
    assert.ok(!message.includes("secret"));
  }
});

test("models are kept: one for the same key and address, another for another key", async () => {
  const { resolver } = setUp({ apiKey: "sk-operator" });
  const first = await resolver.resolve({ provider: "openai", credential: "own" });
  assert.equal(await resolver.resolve({ provider: "openai", credential: "own" }), first);
  assert.notEqual(await resolver.resolve({ provider: "openai" }), first);
  credentials.own = { apiKey: "sk-own-rotated" };
  assert.notEqual(await resolver.resolve({ provider: "openai", credential: "own" }), first);
  credentials.own = { apiKey: "sk-own-key" };
  for (let index = 0; index < 250; index += 1) await resolver.resolve({ provider: "openai", model: `m${index}` });
  assert.notEqual(await resolver.resolve({ provider: "openai", credential: "own" }), first);
});

test("importing the package loads no vendor's library", async () => {
  const code = `
    import { registerHooks } from "node:module";
    const urls = [];
    registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context); } });
    await import(${JSON.stringify(import.meta.resolve("./index.ts"))});
    process.stdout.write(JSON.stringify(urls.filter((url) => url.includes("@ai-sdk") || url.includes("rehearsal-model"))));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code]);
  assert.deepEqual(JSON.parse(stdout), []);
});
