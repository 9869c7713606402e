import assert from "node:assert/strict";
import { test } from "node:test";
import { createScriptedModel } from "@weft/engine/testing";
import { answerWithScores, type RerankFormat } from "../testing/rerank-format.ts";
import { createScriptedServer } from "../testing/scripted-server.ts";
import { wires } from "../testing/wires.ts";
import { createRerankResolver } from "./rerank-resolver.ts";

function createResolver(secrets: Record<string, Record<string, string>> = {}, apiKey?: string) {
  return createRerankResolver({
    defaults: { accounts: { cohere: { apiKey } } },
    readCredential: async (id) => secrets[id],
    http: { fetch: globalThis.fetch },
    chatModels: { resolve: async () => createScriptedModel([{ text: '{"scores":[{"number":1,"score":5}]}' }]) },
  });
}

test("a credential of existing clients is read, and one model serves equal settings", async (t) => {
  const format = wires.jina?.rerank as RerankFormat;
  const server = await createScriptedServer(format.wire, { script: (request) => answerWithScores(format, request) });
  t.after(server.close);
  const resolver = createResolver({ own: { jinaAIAPIKey: "own-key" } });
  const reference = { provider: "jina", credential: "own", baseUrl: server.url } as const;
  const model = await resolver.resolve(reference, {});
  await model.rerank({ query: "q", passages: ["good"], signal: new AbortController().signal });
  assert.equal(server.requests[0]?.headers.authorization, "Bearer own-key");
  assert.equal(model.id, "jina/jina-reranker-v2-base-multilingual");
  assert.equal(await resolver.resolve(reference, {}), model);
  assert.notEqual(await resolver.resolve({ ...reference, model: "jina-colbert-v2" }, {}), model);
  await resolver.close();
});

test("a chat model judges where the settings say so", async () => {
  const model = await createResolver().resolve({ provider: "chat-model" }, {});
  const answer = await model.rerank({ query: "q", passages: ["a"], signal: new AbortController().signal });
  assert.deepEqual(answer.scores, [0.5]);
});

test("what cannot work is refused with what to do", async () => {
  const resolver = createResolver({ empty: { other: "x" } }, "operator-key");
  await resolver.resolve({ provider: "cohere" }, {});
  const refused = [
    [{ provider: "voyage" }, /VOYAGE_API_KEY/],
    [{ provider: "cohere", credential: "gone" }, /no longer exists/],
    [{ provider: "jina", credential: "empty" }, /has no apiKey/],
    [{ provider: "cohere", baseUrl: "https://elsewhere.example" }, /its own credential/],
    [{ provider: "cohere", baseUrl: "ftp://x" }, /must be an http\(s\) address/],
    [{ provider: "none" }, /no reranker named none/],
  ] as const;
  for (const [reference, message] of refused) {
    await assert.rejects(resolver.resolve(reference, {}), { code: "model-not-configured", message });
  }
});
