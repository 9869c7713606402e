import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import type { ModelReference } from "@weft/engine/ports/chat-model";
import { WeftError } from "@weft/schema";
import {
  createModelResolver,
  type ModelDefaults,
  type OperatorAccount,
  defaultProviderName as providerOf,
} from "./model-resolver.ts";
import { findChatProvider } from "./registry.ts";
import { ask } from "./testing/bench.ts";
import { httpOver } from "./testing/model-http.ts";
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
  "of OpenAI": { openAIApiKey: "sk-existing-key" },
  "of Anthropic": { anthropicApiKey: "sk-ant-existing-key" },
  "of Google": { googleGenerativeAPIKey: "AIza-existing-key" },
  empty: { apiKey: "" },
};

type Given = Partial<Record<"openai" | "anthropic" | "google" | "ollama", OperatorAccount>> & { model?: string };

const toDefaults = ({ model, ...accounts }: Given): ModelDefaults => ({ accounts, model });
const defaultProviderName = (given: Given) => providerOf(toDefaults(given));

/** A resolver whose calls to vendors themselves are noted, not made. */
function setUp(given: Given) {
  const vendorCalls: { url: string; key: string | null }[] = [];
  const resolver = createModelResolver({
    defaults: toDefaults(given),
    readCredential: async (id) =>
      id === "located" ? { apiKey: "sk-own-key", baseUrl: `${other.url}/` } : credentials[id],
    http: httpOver(async (input, init) => {
      const request = new Request(input, init);
      if (request.url.startsWith("http://127.0.0.1")) return globalThis.fetch(request);
      const keys = ["authorization", "x-api-key", "x-goog-api-key"].map((name) => request.headers.get(name));
      vendorCalls.push({ url: request.url, key: keys.find((key) => key !== null) ?? null });
      return Response.json({ error: { message: "not in a test" } }, { status: 400 });
    }),
  });
  return {
    resolver,
    vendorCalls,
    ask: async (reference: ModelReference) => ask(await resolver.resolve(reference)),
  };
}

async function refusal(reference: ModelReference, defaults: Given = {}): Promise<string> {
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
  for (const defaults of [{}, { openai: { apiKey: "", baseUrl: " " }, ollama: { baseUrl: "" }, model: "" }]) {
    const { resolver, ask } = setUp(defaults);
    assert.equal((await resolver.resolve({})).id, "rehearsal/rules");
    assert.equal((await resolver.resolve({ provider: "rehearsal", model: "anything" })).id, "rehearsal/rules");
    assert.equal((await resolver.resolve({ model: "rules" })).id, "rehearsal/rules");
    for (const [model, vendor] of [
      ["gpt-4o", "openai"],
      ["claude-sonnet-4", "anthropic"],
      ["gemini-2.5-pro", "google"],
    ]) {
      await assert.rejects(() => resolver.resolve({ model }), { code: "model-not-configured" }, vendor);
    }
    assert.match((await ask({})).text, /^\[rehearsal model: rules, not an AI\] /);
    assert.equal(defaultProviderName(defaults), "rehearsal");
  }
});

test("with a key alone an empty reference is OpenAI, and the key goes there", async () => {
  const { resolver, vendorCalls, ask } = setUp({ openai: { apiKey: "sk-operator" } });
  assert.equal((await resolver.resolve({})).id, "openai/gpt-4o-mini");
  assert.equal((await resolver.resolve({ model: "gpt-4o" })).id, "openai/gpt-4o");
  assert.equal((await setUp({ openai: { apiKey: "k" }, model: "gpt-4.1" }).resolver.resolve({})).id, "openai/gpt-4.1");
  await assert.rejects(ask({}));
  assert.deepEqual(vendorCalls, [{ url: "https://api.openai.com/v1/chat/completions", key: "Bearer sk-operator" }]);
});

test("with a base URL an empty reference is a compatible server there, key or no key", async () => {
  const { resolver, ask } = setUp({
    openai: { baseUrl: `${operator.url}/`, apiKey: "sk-operator" },
    model: "llama3",
  });
  assert.equal((await resolver.resolve({})).id, "openai-compatible/llama3");
  assert.equal((await ask({})).text, "operator");
  assert.equal(operator.requests.at(-1)?.headers.authorization, "Bearer sk-operator");
  assert.equal((await setUp({ openai: { baseUrl: operator.url } }).ask({})).text, "operator");
  assert.equal(operator.requests.at(-1)?.headers.authorization, undefined);
});

test("the operator's base URL stands for OpenAI too", async () => {
  const { vendorCalls, ask } = setUp({ openai: { baseUrl: operator.url, apiKey: "sk-operator" } });
  assert.equal((await ask({ provider: "openai" })).text, "operator");
  assert.equal((await ask({ provider: "openai", credential: "own" })).text, "operator");
  assert.equal(operator.requests.at(-1)?.headers.authorization, "Bearer sk-own-key");
  assert.deepEqual(vendorCalls, []);
});

test("the operator's key never goes to an address that a flow names", async () => {
  const { ask } = setUp({ openai: { baseUrl: operator.url, apiKey: "sk-operator" } });
  assert.equal((await ask({ baseUrl: other.url })).text, "other");
  assert.equal(other.requests.at(-1)?.headers.authorization, undefined);
  assert.equal((await ask({ provider: "openai", credential: "located" })).text, "other");
  assert.equal(other.requests.at(-1)?.headers.authorization, "Bearer sk-own-key");
  const message = await refusal({ provider: "openai", baseUrl: other.url }, { openai: { apiKey: "sk-operator" } });
  assert.match(message, /a custom base URL requires its own credential/);
});

test("what cannot be used is refused with a sentence", async () => {
  assert.match(
    await refusal({ provider: "openai" }),
    /openai\/gpt-4o-mini cannot be used: it needs an API key\. Choose/,
  );
  assert.match(await refusal({ provider: "openai-compatible" }), /it needs a base URL/);
  assert.match(await refusal({ provider: "nobody" }), /there is no provider named nobody\. Known providers: openai, /);
  assert.match(await refusal({ provider: "toString" }), /there is no provider named/);
  assert.match(await refusal({ credential: "gone" }, { openai: { apiKey: "k" } }), /its credential no longer exists/);
  assert.match(
    await refusal({ provider: "openai", credential: "empty" }, { openai: { apiKey: "k" } }),
    /its credential has no apiKey/,
  );
  for (const baseUrl of [
    "ftp://example.org/v1",
    "not a url",
    "http://user:secret@example.org/v1",
    "file:///etc/passwd",
  ]) {
    const message = await refusal({ baseUrl });
    assert.match(message, /its base URL must be an http/);
    assert.ok(!message.includes("secret"));
  }
});

const vendorKeys: [field: string, baseUrl: string][] = [
  ["mistralAIAPIKey", "https://api.mistral.ai/v1"],
  ["togetherAIApiKey", "https://api.together.xyz/v1"],
  ["xaiApiKey", "https://api.x.ai/v1"],
  ["perplexityApiKey", "https://api.perplexity.ai"],
  ["fireworksApiKey", "https://api.fireworks.ai/inference/v1"],
  ["cerebrasApiKey", "https://api.cerebras.ai/v1"],
  ["nvidiaNIMApiKey", "https://integrate.api.nvidia.com/v1"],
  ["sambanovaApiKey", "https://api.sambanova.ai/v1"],
  ["litellmApiKey", "https://litellm.example/v1"],
  ["azureOpenAIApiKey", "https://ours.openai.azure.com/openai/v1"],
];

for (const [field, baseUrl] of vendorKeys) {
  test(`a credential's ${field} is the key of ${new URL(baseUrl).host}`, async () => {
    credentials[field] = { [field]: "key-of-the-vendor" };
    const { vendorCalls, ask } = setUp({});
    await assert.rejects(ask({ provider: "openai-compatible", baseUrl, model: "m", credential: field }));
    assert.deepEqual(vendorCalls, [{ url: `${baseUrl}/chat/completions`, key: "Bearer key-of-the-vendor" }]);
  });
}

test("without a key that it reads, nothing is sent to a vendor", async () => {
  const baseUrl = "https://api.mistral.ai/v1";
  credentials.stranger = { pineconeApiKey: "pc-1234567" };
  assert.match(
    await refusal({ provider: "openai-compatible", baseUrl, credential: "stranger" }),
    /its credential has no apiKey for OpenAI-compatible server, only pineconeApiKey\. Enter the key as apiKey/,
  );
  assert.match(await refusal({ baseUrl, credential: "empty" }), /its credential has no apiKey\. Enter one\./);
  assert.match(await refusal({ baseUrl }), /api\.mistral\.ai needs an API key\. Choose a credential\./);
  credentials["address alone"] = { baseUrl: other.url };
  const answer = await setUp({}).ask({ provider: "openai-compatible", credential: "address alone" });
  assert.equal(answer.text, "other", "a server without keys");
});

const everyAccount = {
  anthropic: { apiKey: "sk-ant-operator" },
  google: { apiKey: "AIza-operator" },
  ollama: { baseUrl: "http://gpu.local:11434" },
} satisfies Given;

test("the default provider is the first that has an account", async () => {
  const { anthropic, google, ollama } = everyAccount;
  assert.equal(defaultProviderName({ ...everyAccount, openai: { apiKey: "k" } }), "openai");
  assert.equal(defaultProviderName(everyAccount), "anthropic");
  assert.equal(defaultProviderName({ google, ollama }), "google");
  assert.equal(defaultProviderName({ ollama }), "ollama");
  assert.equal(defaultProviderName({ model: "gpt-4o" }), "rehearsal");
  const { resolver } = setUp({ anthropic, model: "claude-opus-5-5" });
  assert.equal((await resolver.resolve({})).id, "anthropic/claude-opus-5-5");
});

test("the default model may name its provider, unless it is one of a compatible server", async () => {
  const idOf = async (defaults: Given, reference: ModelReference = {}) =>
    (await setUp(defaults).resolver.resolve(reference)).id;
  const openai = { apiKey: "sk-operator" };
  const model = "anthropic/claude-sonnet-5-5";
  assert.equal(await idOf({ ...everyAccount, openai, model }), model);
  assert.equal(await idOf({ openai, model: "openai/gpt-4.1" }), "openai/gpt-4.1");
  assert.equal(await idOf({ openai, model: "ft:gpt-4o/mine" }), "openai/ft:gpt-4o/mine");
  assert.equal(
    await idOf({ ...everyAccount, openai: { ...openai, baseUrl: operator.url }, model }),
    `openai-compatible/${model}`,
  );
  assert.match(await refusal({}, { model }), /needs an API key.*ask the operator to set ANTHROPIC_API_KEY/);
});

test("a provider other than the default one is asked for a model of its own", async () => {
  const { resolver } = setUp({ ...everyAccount, openai: { apiKey: "k" }, model: "gpt-4.1" });
  assert.equal((await resolver.resolve({ provider: "openai" })).id, "openai/gpt-4.1");
  for (const provider of ["anthropic", "google", "ollama"] as const) {
    const { id } = await resolver.resolve({ provider });
    assert.equal(id, `${provider}/${findChatProvider(provider)?.models[0]}`);
  }
});

test("each account's key goes to its vendor, and existing credentials are read by their own names", async () => {
  const { ask, vendorCalls } = setUp({ ...everyAccount, openai: { apiKey: "sk-operator" } });
  const cases = [
    ["openai", "Bearer sk-operator", "of OpenAI", "Bearer sk-existing-key"],
    ["anthropic", "sk-ant-operator", "of Anthropic", "sk-ant-existing-key"],
    ["google", "AIza-operator", "of Google", "AIza-existing-key"],
  ] as const;
  for (const [provider, key, credential, existingKey] of cases) {
    await assert.rejects(ask({ provider }));
    await assert.rejects(ask({ provider, credential }));
    assert.deepEqual(
      vendorCalls.splice(0).map((call) => call.key),
      [key, existingKey],
    );
  }
  await assert.rejects(ask({ provider: "ollama" }));
  assert.deepEqual(vendorCalls, [{ url: "http://gpu.local:11434/api/chat", key: null }]);
});

test("no operator's key goes to an address that a flow names, and no credential to another vendor", async () => {
  const defaults = { ...everyAccount, openai: { apiKey: "sk-operator" } };
  for (const provider of ["openai", "anthropic", "google"]) {
    const message = await refusal({ provider, baseUrl: other.url }, defaults);
    assert.match(message, /a custom base URL requires its own credential/);
  }
  assert.match(await refusal({ provider: "anthropic", credential: "of OpenAI" }, defaults), /has no apiKey/);
  assert.match(await refusal({ provider: "openai", credential: "of Google" }, defaults), /has no apiKey/);
  const { ask, vendorCalls } = setUp(defaults);
  await assert.rejects(ask({ provider: "ollama", baseUrl: "http://elsewhere.example" }));
  assert.deepEqual(vendorCalls, [{ url: "http://elsewhere.example/api/chat", key: null }]);
});

test("models are kept: one for the same key and address, another for another key", async () => {
  const { resolver } = setUp({ openai: { apiKey: "sk-operator" } });
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
    process.stdout.write(JSON.stringify(urls.filter((url) => url.includes("@ai-sdk") || url.includes("rehearsal-model") || url.includes("chat-completions"))));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code]);
  assert.deepEqual(JSON.parse(stdout), []);
});
