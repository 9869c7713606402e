import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@weft/schema";
import type { ModelDefaults } from "../model-resolver.ts";
import { createScriptedEmbeddingServer } from "../testing/scripted-embedding-server.ts";
import { createEmbeddingResolver, type EmbeddingReference, parseEmbeddingReference } from "./embedding-resolver.ts";

function createResolver(defaults: ModelDefaults = {}, secrets: Record<string, Record<string, string>> = {}) {
  const http = { fetch: globalThis.fetch, reveal: (key: string) => key };
  return createEmbeddingResolver({ defaults, readCredential: async (id) => secrets[id], http });
}

test("settings of existing stores mean our providers, and what they do not know is left out", () => {
  const cases: [string | undefined, JsonObject, EmbeddingReference][] = [
    [undefined, {}, {}],
    ["", {}, {}],
    ["embedded", { stripNewLines: true }, { provider: "embedded" }],
    [
      "openAIEmbeddings",
      { modelName: "text-embedding-3-large", credential: "c", dimensions: "256", batchSize: "", timeout: 1 },
      { provider: "openai", model: "text-embedding-3-large", credential: "c", dimensions: 256 },
    ],
    ["openAIEmbeddingsCustom", { basepath: "https://x/v1" }, { provider: "openai", baseUrl: "https://x/v1" }],
    [
      "localAIEmbeddings",
      { basePath: "http://x/v1", modelName: "m" },
      { provider: "openai-compatible", baseUrl: "http://x/v1", model: "m" },
    ],
    ["googleGenerativeAiEmbeddings", { modelName: "g", tasktype: "X" }, { provider: "google", model: "g" }],
    [
      "ollamaEmbedding",
      { modelName: "o", baseUrl: "http://h:1" },
      { provider: "ollama", model: "o", baseUrl: "http://h:1" },
    ],
    ["cohereEmbeddings", { modelName: "embed-v4.0" }, { provider: "cohere", model: "embed-v4.0" }],
  ];
  for (const [name, config, expected] of cases) assert.deepEqual(parseEmbeddingReference(name, config), expected);
  const refused: [string, JsonObject, RegExp][] = [
    [
      "voyageAIEmbeddings",
      {},
      /there is no provider named voyageAIEmbeddings. Known providers: embedded, model-folder, openai/,
    ],
    ["openai", { dimensions: "many" }, /its field dimensions is invalid/],
    ["openai", { model: 7 }, /its field model is invalid/],
    ["constructor", {}, /no provider/],
  ];
  for (const [name, config, message] of refused) {
    assert.throws(() => parseEmbeddingReference(name, config), { code: "embedding-not-configured", message });
  }
});

test("keys and addresses come from the credential or the operator, and the operator's key goes nowhere else", async (t) => {
  const server = await createScriptedEmbeddingServer();
  const other = await createScriptedEmbeddingServer();
  t.after(server.close);
  t.after(other.close);
  const defaults = { accounts: { openai: { apiKey: "operator-key", baseUrl: server.url } } };
  const resolver = createResolver(defaults, {
    own: { openAIApiKey: "own-key" },
    moved: { apiKey: "k", baseUrl: other.url },
  });
  const embed = async (reference: EmbeddingReference) => {
    const model = await resolver.resolve(reference);
    await model.embed({ texts: ["a"], purpose: "document", signal: new AbortController().signal });
    return model;
  };
  const model = await embed({ provider: "openai" });
  assert.equal(model.id, "openai:text-embedding-3-small");
  assert.equal(await embed({ provider: "openai" }), model);
  await embed({ provider: "openai", credential: "own" });
  await embed({ provider: "openai-compatible", model: "m", baseUrl: other.url });
  await embed({ provider: "openai", credential: "moved" });
  const keys = (of: typeof server) => of.requests.map(({ headers }) => headers.authorization);
  assert.deepEqual(keys(server), ["Bearer operator-key", "Bearer operator-key", "Bearer own-key"]);
  assert.deepEqual(keys(other), [undefined, "Bearer k"]);
});

test("what cannot work is refused with what to do", async () => {
  const resolver = createResolver({}, { empty: { other: "x" } });
  const cases: [EmbeddingReference, RegExp][] = [
    [{ provider: "openai" }, /OPENAI_API_KEY/],
    [{ provider: "openai", credential: "gone" }, /no longer exists/],
    [{ provider: "openai", credential: "empty" }, /has no apiKey/],
    [{ provider: "openai-compatible", model: "m" }, /needs a base URL/],
    [{ provider: "openai-compatible", baseUrl: "http://x" }, /needs a model name/],
    [{ provider: "ollama", baseUrl: "ftp://x" }, /must be an http\(s\) address/],
  ];
  for (const [reference, message] of cases) {
    await assert.rejects(resolver.resolve(reference), { code: "embedding-not-configured", message });
  }
});
