import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { DocumentComponent, DocumentStore, UpsertResult, VectorQueryResult } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { hasRuntime } from "../../../providers/src/embedded/runtime.ts";
import {
  createModelFolder,
  otherGraphs,
  rerankerGraph,
} from "../../../providers/src/model-folder/testing/model-files.ts";
import { startPlatformProcess } from "../../../server/src/testing/platform-process.ts";
import { openRestartable, openTestPlatform, type TestPlatform } from "../../../server/src/testing/test-platform.ts";

const isRequired = process.env.EMBEDDER_REQUIRED === "1";
const skip = hasRuntime() || isRequired ? false : "the native runtime is not installed: scripts/embedder/install.mjs";
const text = (content: string) => ({ loader: { name: "plainText", config: { text: content } } });

function listModels(platform: TestPlatform): Promise<DocumentComponent[]> {
  return platform.json("GET", "/document-store/components/embeddings");
}

/** Rerankers that forms do not offer here: those of stores, and those of retriever steps. */
async function unavailableRerankers(platform: TestPlatform): Promise<string[][]> {
  const [retrieval] = await platform.json<DocumentComponent[]>("GET", "/document-store/components/retrieval");
  const nodes = await platform.json<{ type: string; config: object }[]>("GET", "/nodes");
  const retriever = nodes.find(({ type }) => type === "retriever");
  return [retrieval?.schema, retriever?.config].map((schema) => {
    const text = JSON.stringify(schema);
    assert.match(text, /"needs":{"model-folder":"RERANKER_MODEL_DIR"}/);
    return JSON.parse(/"unavailable":(\[[^\]]*\])/.exec(text)?.[1] ?? "[]") as string[];
  });
}

await onTestDatabase((databases) => {
  describe("the operator's own embedding model", { skip }, () => {
    test("is offered, embeds a store, and makes it stale when the folder holds another model", async (t) => {
      const folder = createModelFolder(t);
      const restartable = await openRestartable(t, databases, { EMBEDDING_MODEL_DIR: folder });
      let platform = await restartable.open();
      const listed = await listModels(platform);
      const own = listed.find(({ name }) => name === "model-folder");
      assert.match(String(own?.title), /^Model folder elements@[0-9a-f]{16}$/);
      const embeddingConfig = JSON.stringify({ name: "model-folder" });
      const settings = { name: "Elements", embeddingConfig };
      const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", settings);
      for (const one of ["The flame.", "The sea."])
        await platform.json<UpsertResult>("POST", `/document-store/upsert/${id}`, text(one));
      const query = { storeId: id, query: "water", mode: "vector", topK: 1 };
      const ask = () => platform.send("POST", "/document-store/vectorstore/query", query);
      const found = async () => ((await (await ask()).json()) as VectorQueryResult).docs.map((doc) => doc.pageContent);
      assert.deepEqual(await found(), ["The sea."]);

      await restartable.close();
      writeFileSync(join(folder, "model.onnx"), otherGraphs.scaled());
      platform = await restartable.open();
      const response = await ask();
      assert.equal(response.status, 400);
      assert.match(((await response.json()) as { message: string }).message, /[Uu]psert it again/);
      const { status } = await platform.json<DocumentStore>("GET", `/document-store/store/${id}`);
      assert.equal(status, "STALE");
      await platform.json("POST", `/document-store/refresh/${id}`);
      assert.deepEqual(await found(), ["The sea."]);
    });

    test("stands beside a reranker of the operator, which searches use", async (t) => {
      const manifest = { name: "judge", maxTokens: 16 };
      const env = { RERANKER_MODEL_DIR: createModelFolder(t, { graph: rerankerGraph(), manifest }) };
      const platform = await openTestPlatform(t, databases, env);
      const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "Elements" });
      for (const one of ["the fire flame", "the fire", "the water"])
        await platform.json<UpsertResult>("POST", `/document-store/upsert/${id}`, text(one));
      const query = {
        storeId: id,
        query: "fire water",
        mode: "keyword",
        settings: { rerank: { provider: "model-folder" } },
      };
      const { docs, warnings } = await platform.json<VectorQueryResult>(
        "POST",
        "/document-store/vectorstore/query",
        query,
      );
      assert.deepEqual(await unavailableRerankers(platform), [[], []]);
      // The graph is for water and against fire.
      assert.deepEqual(warnings, []);
      assert.deepEqual(
        docs.map(({ pageContent }) => pageContent),
        ["the water", "the fire", "the fire flame"],
      );
    });

    test("keeps a server from starting that cannot use it", async (t) => {
      const folder = createModelFolder(t);
      rmSync(join(folder, "tokenizer.json"));
      const env = { EMBEDDING_MODEL_DIR: folder };
      const error = { name: "ModelFolderError", message: /has no tokenizer.json/ };
      await assert.rejects(openTestPlatform(t, databases, env), error);
      await assert.rejects(openTestPlatform(t, databases, { RERANKER_MODEL_DIR: folder }), error);
    });
  });

  test("the model folder is not offered where there is none, and a store that names it says what to do", async (t) => {
    const platform = await openTestPlatform(t, databases);
    assert.ok(!(await listModels(platform)).some(({ name }) => name === "model-folder"));
    const settings = { name: "Elements", embeddingConfig: JSON.stringify({ name: "model-folder" }) };
    const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", settings);
    const response = await platform.send("POST", `/document-store/upsert/${id}`, text("The sea."));
    assert.match(await response.text(), /Ask the operator to set EMBEDDING_MODEL_DIR/);
    assert.deepEqual(await unavailableRerankers(platform), [["model-folder"], ["model-folder"]]);
  });
});

test("a start that fails for the model folder is one sentence for the operator", { skip }, async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), "weft-no-model-"));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const started = startPlatformProcess({ dataDir, env: { EMBEDDING_MODEL_DIR: "/nowhere" } });
  await assert.rejects(started, {
    message:
      /^The server does not answer. It wrote:\nEMBEDDING_MODEL_DIR names a folder that cannot be read: \/nowhere\.\n$/,
  });
});
