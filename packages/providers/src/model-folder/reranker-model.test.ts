import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { hasRuntime } from "../embedded/runtime.ts";
import { createRerankResolver } from "../rerankers/rerank-resolver.ts";
import { openFolderReranker } from "./folder-models.ts";
import { ModelFolderError } from "./read-model-folder.ts";
import { createModelFolder, embeddingGraph, rerankerGraph } from "./testing/model-files.ts";

const isRequired = process.env.EMBEDDER_REQUIRED === "1";
const skip = hasRuntime() || isRequired ? false : "the native runtime is not installed: scripts/embedder/install.mjs";
const signal = new AbortController().signal;

const manifest = { name: "judge", maxTokens: 16 };
const sigmoid = (logit: number) => +(1 / (1 + Math.exp(-logit))).toFixed(4);

async function open(t: TestContext, own: object = {}, graph = rerankerGraph()) {
  const model = await openFolderReranker(createModelFolder(t, { graph, manifest: { ...manifest, ...own } }));
  t.after(() => model.close?.());
  const score = async (query: string, passages: readonly string[]) => {
    const { scores } = await model.rerank({ query, passages, signal });
    return scores.map((one) => +one.toFixed(4));
  };
  return { model, score };
}

describe("a reranker in a folder", { skip }, () => {
  test("scores each passage from 0 to 1, in the order of the passages", async (t) => {
    const { model, score } = await open(t);
    assert.match(model.id, /^folder:judge@[0-9a-f]{16}$/);
    const passages = ["fire", "the the the water sea", "", "the", `${"the ".repeat(100)}water`];
    const expected = [sigmoid(-4), sigmoid(8), 0.5, 0.5, 0.5];
    assert.deepEqual(await score("fire fire", passages), expected);
    const many = Array.from({ length: 50 }, (_, index) => (index % 3 === 0 ? "water" : "the ".repeat(index % 9)));
    const found = await score("the", many);
    assert.deepEqual(
      found,
      many.map((passage) => (passage === "water" ? sigmoid(4) : 0.5)),
    );
    assert.deepEqual(await score("the", []), []);
  });

  test("follows its manifest: one text in place of a pair, and probabilities", async (t) => {
    // In one text every token is of the first type, which the graph does not count.
    const { score } = await open(t, { pair: "query: {query} the {passage}" });
    assert.deepEqual(await score("{passage}", ["water $1 {query}"]), [0.5]);
    const { score: plain } = await open(t, { score: "probability" });
    assert.deepEqual(await plain("the", ["the", "water", "fire"]), [0, 1, 0]);
  });

  const wrong: [what: string, own: object, graph: Uint8Array, reason: RegExp][] = [
    ["two scores a passage", {}, rerankerGraph(2), /gives 1 × 2 numbers where one score a passage/],
    ["vectors", {}, embeddingGraph(), /gives 1 × 5 × 3 numbers where one score/],
    ["a pair without a place for the passage", { pair: "{query}" }, rerankerGraph(), /at "pair": must hold/],
    ["the manifest of an embedding model", { dimension: 3 }, rerankerGraph(), /manifest.json is wrong.*dimension/],
  ];
  for (const [what, own, graph, reason] of wrong)
    test(`is refused with ${what}`, async (t) => {
      const refusal = await open(t, own, graph).catch((cause: unknown) => cause);
      assert.ok(refusal instanceof ModelFolderError, String(refusal));
      assert.match(refusal.message, reason);
      assert.match(refusal.message, /^RERANKER_MODEL_DIR: .*\.$/);
    });

  test("answers an abort at once; what it could not do is a failure of the model", async (t) => {
    const { model } = await open(t);
    const controller = new AbortController();
    const cancelled = model.rerank({ query: "a", passages: ["water"], signal: controller.signal });
    controller.abort(new Error("cancelled"));
    await assert.rejects(cancelled, /cancelled/);
    await model.close?.();
    const error = { code: "model-unavailable", retryable: true, message: /^The reranker on this server failed/ };
    await assert.rejects(model.rerank({ query: "a", passages: ["water"], signal }), error);
  });

  test("can be chosen by its name once the operator names the folder", async (t) => {
    const create = (reranker: string) => {
      const resolver = createRerankResolver({
        defaults: { folders: { embedding: "", reranker } },
        http: { fetch: globalThis.fetch },
        readCredential: async () => undefined,
        chatModels: { resolve: () => assert.fail("no chat model judges") },
      });
      t.after(resolver.close);
      return resolver;
    };
    const resolver = create(createModelFolder(t, { graph: rerankerGraph(), manifest }));
    await resolver.start();
    const model = await resolver.resolve({ provider: "model-folder" }, {});
    const { scores } = await model.rerank({ query: "the", passages: ["fire", "water"], signal });
    assert.ok((scores[0] ?? 1) < (scores[1] ?? 0));
    const none = create("");
    await none.start();
    const error = { code: "model-not-configured", message: /Ask the operator to set RERANKER_MODEL_DIR/ };
    await assert.rejects(none.resolve({ provider: "model-folder" }, {}), error);
    await assert.rejects(create("/nowhere").start(), { name: "ModelFolderError" });
  });
});
