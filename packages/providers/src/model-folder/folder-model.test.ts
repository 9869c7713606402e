import assert from "node:assert/strict";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import type { EmbeddingModel } from "@weft/engine/ports/embedding-model";
import { hasRuntime } from "../embedded/runtime.ts";
import { createEmbeddingResolver } from "../embeddings/embedding-resolver.ts";
import { openFolderEmbeddings } from "./folder-models.ts";
import { ModelFolderError } from "./read-model-folder.ts";
import { createModelFolder, embeddingManifest, otherGraphs } from "./testing/model-files.ts";
import { wordPiece } from "./testing/tokenizer-files.ts";

const isRequired = process.env.EMBEDDER_REQUIRED === "1";
const skip = hasRuntime() || isRequired ? false : "the native runtime is not installed: scripts/embedder/install.mjs";
const signal = new AbortController().signal;

const rounded = (vectors: readonly Float32Array[]) =>
  vectors.map((vector) => Array.from(vector, (one) => +one.toFixed(4)));

async function open(t: TestContext, folder: string): Promise<EmbeddingModel> {
  const model = await openFolderEmbeddings(folder);
  t.after(() => model.close?.());
  return model;
}

describe("an embedding model in a folder", { skip }, () => {
  test("gives the mean of each text's tokens at length 1, in any batch", async (t) => {
    const model = await open(t, createModelFolder(t));
    const texts = [
      "water",
      "fire",
      "Water FIRE sea",
      "the sea",
      `${"water ".repeat(13)}fire fire`,
      "",
      "日本語 \ud800",
    ];
    const vectors = rounded(await model.embed({ texts, purpose: "document", signal }));
    // Of the fifth text 14 tokens are seen: 13 times water and once fire.
    const [water, fire] = [13, 1].map((count) => +(count / Math.hypot(13, 1)).toFixed(4));
    assert.deepEqual(vectors, [
      [1, 0, 0],
      [0, 1, 0],
      [0.8944, 0.4472, 0],
      [1, 0, 0],
      [water, fire, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]);
    for (const [index, text] of texts.entries())
      assert.deepEqual(rounded(await model.embed({ texts: [text], purpose: "document", signal })), [vectors[index]]);
    const many = Array.from({ length: 70 }, (_, index) => `${"water ".repeat(index % 7)}fire`);
    const found = rounded(await model.embed({ texts: many, purpose: "document", signal }));
    for (const [index, vector] of found.entries()) assert.deepEqual(vector, found[index % 7]);
    assert.deepEqual(await model.embed({ texts: [], purpose: "query", signal }), []);
  });

  test("has an id that changes with the model, its tokenizer and its manifest", async (t) => {
    const folder = createModelFolder(t);
    const { id } = await open(t, folder);
    assert.match(id, /^folder:elements@[0-9a-f]{16}$/);
    assert.equal((await open(t, folder)).id, id);
    const others = [
      { graph: otherGraphs.scaled() },
      { tokenizer: wordPiece(["water", "sea", "fire", "flame", "the", "query", "-"]) },
      { manifest: { ...embeddingManifest, queryPrefix: "query: " } },
    ];
    for (const other of others) assert.notEqual((await open(t, createModelFolder(t, other))).id, id);
  });

  test("follows its manifest: pooling, length, prefixes, tokens and output", async (t) => {
    const embed = async (manifest: object, text: string, graph?: Uint8Array) => {
      const files = { manifest: { ...embeddingManifest, ...manifest }, ...(graph && { graph }) };
      const model = await open(t, createModelFolder(t, files));
      const [query] = rounded(await model.embed({ texts: [text], purpose: "query", signal }));
      const [passage] = rounded(await model.embed({ texts: [text], purpose: "document", signal }));
      return { query, passage };
    };
    const plain = await embed({ normalise: false }, "water fire");
    assert.deepEqual(plain.query, [0.25, 0.25, 0]);
    const prefixed = await embed({ queryPrefix: "fire fire ", passagePrefix: "water " }, "water");
    assert.deepEqual(prefixed, { query: [0.4472, 0.8944, 0], passage: [1, 0, 0] });
    const first = await embed({ pooling: "cls", normalise: false }, "water", otherGraphs.cumulative());
    assert.deepEqual(first.query, [1, 0, 0]);
    const pooled = await embed({ pooling: "none", normalise: false }, "water", otherGraphs.pooled());
    assert.deepEqual(pooled.query, [1, 0, 0]);
    assert.deepEqual((await embed({ output: "vectors" }, "sea")).query, [1, 0, 0]);
    assert.deepEqual((await embed({ maxTokens: 8 }, `${"water ".repeat(6)}fire`)).query, [1, 0, 0]);
  });

  const wrong: [what: string, files: Parameters<typeof createModelFolder>[1], reason: RegExp][] = [
    [
      "another dimension",
      { manifest: { ...embeddingManifest, dimension: 4 } },
      /gives 1 × 3 × 3 numbers .*dimension 4/,
    ],
    ["another shape", { manifest: { ...embeddingManifest, pooling: "none" } }, /pooling "none".*\(texts × dimension\)/],
    ["an unknown input", { graph: otherGraphs.ofPictures() }, /takes an input "pixel_values", .*"input_ids"/],
    ["an input of another type", { graph: otherGraphs.ofFloats() }, /input "input_ids" is float32/],
    [
      "an unknown output",
      { manifest: { ...embeddingManifest, output: "logits" } },
      /no output "logits"; it has "vectors"/,
    ],
    ["an output of integers", { graph: otherGraphs.integers() }, /output "vectors" is int64; export .* float32/],
    ["no graph", { graph: Buffer.from("no graph") }, /cannot be used: .*[Pp]rotobuf/],
    [
      "a tokenizer that is not supported",
      { tokenizer: { model: { type: "WordLevel" } } },
      /tokenizer.json is not supported/,
    ],
    ["a graph without numbers", { graph: otherGraphs.infinite() }, /numbers that are not finite/],
    [
      "a word in the manifest that means nothing",
      { manifest: { ...embeddingManifest, poolin: 1 } },
      /manifest.json is wrong.*poolin/,
    ],
    [
      "no dimension",
      { manifest: { name: "a", maxTokens: 8, pooling: "cls" } },
      /manifest.json is wrong at "dimension"/,
    ],
    ["a name with spaces", { manifest: { ...embeddingManifest, name: "a b" } }, /at "name": must be 1 to 80 letters/],
    ["no object in its manifest", { manifest: [] }, /manifest.json is wrong/],
  ];
  for (const [what, files, reason] of wrong)
    test(`is refused with ${what}`, async (t) => {
      const refusal = await open(t, createModelFolder(t, files)).catch((cause: unknown) => cause);
      assert.ok(refusal instanceof ModelFolderError, String(refusal));
      assert.match(refusal.message, reason);
      assert.match(refusal.message, /^EMBEDDING_MODEL_DIR: .*\.$/);
    });

  test("is refused without one of its files, and where there is no folder", async (t) => {
    for (const name of ["model.onnx", "tokenizer.json", "manifest.json"]) {
      const folder = createModelFolder(t);
      rmSync(join(folder, name));
      await assert.rejects(open(t, folder), { message: new RegExp(`has no ${name}. docs/model-folders.md`) });
    }
    const folder = createModelFolder(t);
    writeFileSync(join(folder, "manifest.json"), "{");
    await assert.rejects(open(t, folder), { message: /manifest.json is not JSON/ });
    rmSync(folder, { recursive: true });
    await assert.rejects(open(t, folder), { message: /names a folder that cannot be read/ });
  });

  test("whose files change while the server runs is not mixed with what it was", async (t) => {
    const folder = createModelFolder(t);
    const model = await openFolderEmbeddings(folder, { idleMs: 1 });
    t.after(() => model.close?.());
    await new Promise((resolve) => setTimeout(resolve, 100));
    appendFileSync(join(folder, "tokenizer.json"), " ");
    const embedded = model.embed({ texts: ["water"], purpose: "query", signal });
    await assert.rejects(embedded, { code: "embedding-failed", message: /changed since the server started/ });
  });

  test("answers an abort at once, and goes on", async (t) => {
    const model = await open(t, createModelFolder(t));
    const controller = new AbortController();
    const cancelled = model.embed({ texts: ["water"], purpose: "query", signal: controller.signal });
    controller.abort(new Error("cancelled"));
    await assert.rejects(cancelled, /cancelled/);
    assert.equal((await model.embed({ texts: ["water"], purpose: "query", signal })).length, 1);
    await model.close?.();
    await assert.rejects(model.embed({ texts: ["water"], purpose: "query", signal }), { code: "embedding-failed" });
  });

  test("can be chosen by its name once the operator names the folder", async (t) => {
    const create = (embedding: string) => {
      const defaults = { folders: { embedding, reranker: "" } };
      const http = { fetch: globalThis.fetch, reveal: (text: string) => text };
      return createEmbeddingResolver({ defaults, http, readCredential: async () => undefined });
    };
    const resolver = create(createModelFolder(t));
    t.after(resolver.close);
    const titles = () => resolver.providers().map(({ title }) => title);
    await resolver.start();
    const model = await resolver.resolve({ provider: "model-folder" });
    assert.ok(titles().includes(model.id.replace("folder:", "Model folder ")));
    const none = create("");
    await none.start();
    assert.ok(!none.providers().some(({ name }) => name === "model-folder"));
    const error = { code: "embedding-not-configured", message: /Ask the operator to set EMBEDDING_MODEL_DIR/ };
    await assert.rejects(none.resolve({ provider: "model-folder" }), error);
    await assert.rejects(create("/nowhere").start(), { name: "ModelFolderError" });
  });
});
