import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  createScriptedEmbeddingServer,
  createScriptedOpenAiServer,
  type ScriptedEmbeddingOptions,
  type ScriptStep,
} from "@weft/providers/testing";
import type { DocumentStore, PredictionResult, UpsertResult, VectorQueryResult } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { sendForm } from "../../../server/src/testing/send-form.ts";
import { stopAfter } from "../../../server/src/testing/stop-after.ts";
import { agentWith, flowOf, openTestPlatform } from "../../../server/src/testing/test-platform.ts";
import { createScriptedQdrant } from "../../../vector-stores/src/qdrant/testing/scripted-qdrant.ts";

type Test = Parameters<typeof openTestPlatform>[0];
type Platform = Awaited<ReturnType<typeof openTestPlatform>>;

const refunds = "Refunds take five days.";
const shipping = "Parcels leave on Mondays.";
const text = (content: string, more: object = {}) => ({
  loader: { name: "plainText", config: { text: content } },
  ...more,
});

async function storeOn(platform: Platform, settings: object = {}) {
  const created = { name: "Handbook", ...settings };
  const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", created);
  const upsert = (body: object) => platform.json<UpsertResult>("POST", `/document-store/upsert/${id}`, body);
  const ask = (body: object) =>
    platform.send("POST", "/document-store/vectorstore/query", { storeId: id, query: "x", topK: 10, ...body });
  const found = async (body: object = {}) => {
    const { docs } = (await (await ask(body)).json()) as VectorQueryResult;
    return docs.map(({ pageContent }) => pageContent).sort();
  };
  const store = () => platform.json<DocumentStore>("GET", `/document-store/store/${id}`);
  const removeLoader = (docId: string) => platform.send("DELETE", `/document-store/loader/${id}/${docId}`);
  return { id, upsert, ask, found, store, removeLoader };
}

async function open(t: Test, databases: TestDatabases) {
  const platform = await openTestPlatform(t, databases);
  return { platform, ...(await storeOn(platform)) };
}

/** With a vector database of its own, and an embedding model whose vectors have as many numbers as it is told. */
async function openOutside(t: Test, databases: TestDatabases, { chat }: { chat?: { url: string } } = {}) {
  const onEnd = stopAfter(t);
  const script: ScriptedEmbeddingOptions["script"] = [];
  const model = await createScriptedEmbeddingServer({ script });
  onEnd(() => model.close());
  const vectors = await createScriptedQdrant();
  onEnd(() => vectors.close());
  const hosts = [vectors.url, ...(chat ? [chat.url] : [])].map((url) => new URL(url).host);
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url, EGRESS_ALLOW: hosts.join(",") };
  const platform = await openTestPlatform(t, databases, env);
  const embeddingConfig = JSON.stringify({ name: "openai", config: { model: "scripted" } });
  const vectorStoreConfig = JSON.stringify({ name: "qdrant", config: { url: vectors.url } });
  /** From now on its vectors have three numbers. */
  const shorten = () => {
    const data = [{ object: "embedding", index: 0, embedding: [0.6, 0.8, 0] }];
    const step = {
      text: JSON.stringify({ object: "list", data, model: "scripted", usage: { prompt_tokens: 1, total_tokens: 1 } }),
    };
    for (let index = model.requests.length; index < 100; index += 1) (script as ScriptStep[])[index] = step;
  };
  return { platform, shorten, ...(await storeOn(platform, { embeddingConfig, vectorStoreConfig })) };
}

await onTestDatabase((databases) => {
  describe("a search finds what the store holds", () => {
    test("nothing of a deleted loader, although its vectors stay", async (t) => {
      for (const { upsert, found, removeLoader } of [await open(t, databases), await openOutside(t, databases)]) {
        const { docId } = await upsert(text(refunds));
        await upsert(text(shipping));
        await removeLoader(docId);
        assert.deepEqual(await found(), [shipping]);
        assert.deepEqual(await found({ topK: 1, query: refunds }), [shipping], "it looks on behind the deleted one");
        assert.deepEqual(await found({ includeOrphans: true }), [shipping, refunds]);
        assert.deepEqual(await found({ includeOrphans: "TRUE" }), [shipping, refunds]);
      }
    });

    test("neither do the retrievers of flows", async (t) => {
      const { platform, id, upsert, removeLoader } = await open(t, databases);
      const { docId } = await upsert(text(refunds));
      await upsert(text(shipping));
      await removeLoader(docId);
      const agentId = await agentWith(platform, flowOf("retriever", "Search", { stores: [{ storeId: id, topK: 1 }] }));
      const answer = await platform.json<PredictionResult>("POST", `/prediction/${agentId}`, { question: refunds });
      assert.equal(answer.text, shipping);
    });

    test("nothing of a deleted chunk, and of what replaceExisting replaced", async (t) => {
      const { platform, id, upsert, found } = await open(t, databases);
      const { docId } = await upsert(text(refunds));
      await upsert(text(shipping, { docId, replaceExisting: true }));
      assert.deepEqual(await found(), [shipping]);
      assert.deepEqual(await found({ includeOrphans: true }), [shipping, refunds]);
      type Page = { chunks: { id: string }[] };
      const { chunks } = await platform.json<Page>("GET", `/document-store/chunks/${id}/${docId}/1`);
      await platform.send("DELETE", `/document-store/chunks/${id}/${docId}/${chunks[0]?.id}`);
      assert.deepEqual(await found(), []);
    });

    test("replaceExisting leaves the vectors whatever the record manager cleans up, unless deleteEmbeddings", async (t) => {
      const { upsert, found } = await open(t, databases);
      const recordManager = { name: "built-in", config: { cleanup: "incremental" } };
      const { docId } = await upsert(text(refunds, { recordManager }));
      await upsert(text(shipping, { docId, replaceExisting: true }));
      assert.deepEqual(await found({ includeOrphans: true }), [shipping, refunds]);
      await upsert(text(shipping, { docId, replaceExisting: true, deleteEmbeddings: true }));
      assert.deepEqual(await found({ includeOrphans: true }), [shipping]);
    });

    test("nothing after DELETE /vectorstore, which takes what deleted loaders left, too", async (t) => {
      const { platform, id, upsert, found, removeLoader } = await open(t, databases);
      const { docId } = await upsert(text(refunds));
      await removeLoader(docId);
      await platform.json("DELETE", `/document-store/vectorstore/${id}`);
      assert.deepEqual(await found({ includeOrphans: true }), []);
    });
  });

  describe("an upsert cleans up within its loader", () => {
    test("the chunks and vectors of a file that the loader no longer has go", async (t) => {
      const { platform, id, upsert, found, store } = await open(t, databases);
      await upsert(text("Of another loader."));
      const parts = [
        ["files", { name: "a.md", bytes: refunds }],
        ["files", { name: "b.md", bytes: shipping }],
      ] as const;
      const { docId } = (await (
        await sendForm(platform, `/document-store/upsert/${id}`, parts)
      ).json()) as UpsertResult;
      type Loader = { id: string; loaderConfig: { files: string[] } };
      const loaders = JSON.parse((await store()).loaders) as Loader[];
      const [first] = loaders.find((loader) => loader.id === docId)?.loaderConfig.files ?? [];
      const again = await upsert({ docId, loader: { name: "file", config: { files: [first] } } });
      assert.deepEqual([again.numAdded, again.numSkipped, again.numDeleted], [0, 1, 1]);
      assert.deepEqual(await found({ includeOrphans: true }), ["Of another loader.", refunds]);
    });

    test("a file that cannot be read keeps what was there of it", async (t) => {
      const { platform, id, upsert, found } = await open(t, databases);
      const send = async (...parts: [string, string | { name: string; bytes: string }][]) =>
        (await (await sendForm(platform, `/document-store/upsert/${id}`, parts)).json()) as UpsertResult;
      const { docId } = await send(
        ["files", { name: "a.json", bytes: '["one"]' }],
        ["files", { name: "b.md", bytes: shipping }],
      );
      const before = await found();
      const again = await send(["files", { name: "a.json", bytes: "{" }], ["docId", docId]);
      assert.deepEqual([again.failed.map(({ source }) => source), again.numDeleted], [["a.json"], 0]);
      assert.deepEqual(await found(), before);
      assert.equal((await upsert({ docId })).numDeleted, 0);
    });

    test("another text for a loader is added to it, and stays until it is replaced", async (t) => {
      const { upsert, found, store } = await open(t, databases);
      const { docId } = await upsert(text(refunds));
      for (const added of [1, 0]) assert.equal((await upsert(text(shipping, { docId }))).numAdded, added);
      assert.deepEqual([await found(), (await store()).totalChunks], [[shipping, refunds], 2]);
      await upsert({ docId });
      assert.deepEqual(await found(), [shipping, refunds]);
      await upsert(text(shipping, { docId, replaceExisting: true, deleteEmbeddings: true }));
      assert.deepEqual(await found({ includeOrphans: true }), [shipping]);
    });
  });

  describe("a query that cannot mean what it says fails with a sentence", () => {
    const refusal = async (response: Response) => {
      const { message, code } = (await response.json()) as { message: string; code: string };
      return { status: response.status, message, code };
    };

    test("after the embedding model was changed: 400, upsert again; the store is stale", async (t) => {
      const { platform, id, upsert, ask, found, store } = await openOutside(t, databases);
      await upsert(text(refunds));
      const other = JSON.stringify({ name: "openai", config: { model: "other" } });
      await platform.json("PUT", `/document-store/store/${id}`, { embeddingConfig: other });
      const { status, code, message } = await refusal(await ask({}));
      assert.deepEqual([status, code], [400, "embedding-mismatch"]);
      assert.match(message, /[Uu]psert it again/);
      assert.equal((await store()).status, "STALE");
      const agentId = await agentWith(platform, flowOf("retriever", "Search", { stores: [{ storeId: id }] }));
      const answer = await refusal(await platform.send("POST", `/prediction/${agentId}`, { question: "x" }));
      assert.equal(answer.status, 500);
      assert.match(answer.message, /upsert it again/i);
      await platform.json("POST", `/document-store/refresh/${id}`);
      assert.deepEqual(await found(), [refunds]);
    });

    test("while one loader has vectors of the new model, and another only those of the earlier one", async (t) => {
      const { platform, id, upsert, ask, found } = await openOutside(t, databases);
      const { docId } = await upsert(text(refunds));
      await upsert(text(shipping));
      const other = JSON.stringify({ name: "openai", config: { model: "other" } });
      await platform.json("PUT", `/document-store/store/${id}`, { embeddingConfig: other });
      await upsert({ docId });
      const { status, code, message } = await refusal(await ask({}));
      assert.deepEqual([status, code], [400, "embedding-mismatch"]);
      assert.match(message, /[Uu]psert it again/);
      await platform.json("POST", `/document-store/refresh/${id}`);
      assert.deepEqual((await found()).toSorted(), [refunds, shipping].toSorted());
    });

    test("when the vectors have another length than those that were written; all of them deleted, they are written again", async (t) => {
      const { platform, id, shorten, upsert, ask, found, store } = await openOutside(t, databases);
      await upsert(text(refunds));
      shorten();
      assert.match((await refusal(await ask({}))).message, /upsert it again/i);
      assert.equal((await store()).status, "STALE");
      await platform.json("DELETE", `/document-store/vectorstore/${id}`);
      await upsert(text(refunds));
      assert.deepEqual(await found(), [refunds]);
    });

    test("agents' knowledge, retrievers and inserts say so, too, when the model or its dimension changed", async (t) => {
      const onEnd = stopAfter(t);
      const search = { toolCalls: [{ name: "docs", arguments: { query: "refunds" } }] };
      const chat = await createScriptedOpenAiServer({
        script: ({ messages }) =>
          messages.at(-1)?.role === "tool" ? { text: String(messages.at(-1)?.content) } : search,
      });
      onEnd(() => chat.close());
      const { platform, id, shorten, upsert } = await openOutside(t, databases, { chat });
      const { docId } = await upsert(text(refunds));
      await upsert(text(shipping));
      const model = { provider: "openai-compatible", model: "m", baseUrl: chat.url };
      const knowledge = [{ storeId: id, name: "docs" }];
      const agentId = await agentWith(platform, flowOf("agent", "Agent", { model, knowledge }));
      const retrieverId = await agentWith(platform, flowOf("retriever", "Search", { stores: [{ storeId: id }] }));
      const send = (agent: string) => platform.send("POST", `/prediction/${agent}`, { question: refunds });
      const insert = () => platform.send("POST", "/document-store/vectorstore/insert", { storeId: id });
      assert.match(((await (await send(agentId)).json()) as PredictionResult).text, /Refunds take five days/);

      shorten();
      // A chunk that has to be embedded again.
      type Page = { chunks: { id: string }[] };
      const { chunks } = await platform.json<Page>("GET", `/document-store/chunks/${id}/${docId}/1`);
      const changed = { pageContent: "Refunds take three days." };
      await platform.json("PUT", `/document-store/chunks/${id}/${docId}/${chunks[0]?.id}`, changed);
      const { status, code, message } = await refusal(await insert());
      assert.deepEqual([status, code], [400, "embedding-mismatch"]);
      assert.match(message, /3 dimensions/);
      assert.match(((await (await send(agentId)).json()) as PredictionResult).text, /have 384 dimensions.*returns 3/);
      assert.match((await refusal(await send(retrieverId))).message, /have 384 dimensions.*returns 3/);

      const other = JSON.stringify({ name: "openai", config: { model: "other" } });
      await platform.json("PUT", `/document-store/store/${id}`, { embeddingConfig: other });
      const told = ((await (await send(agentId)).json()) as PredictionResult).text;
      assert.match(told, /come from openai:scripted, but its settings specify openai:other/);
      assert.match((await refusal(await send(retrieverId))).message, /openai:scripted.*openai:other/);
    });

    test("a filter by what no passage says, or with an unknown operator; an override of what is not known", async (t) => {
      const { upsert, ask, found } = await open(t, databases);
      await upsert(text(refunds, { metadata: { topic: "money" } }));
      assert.deepEqual(await found({ filter: { topic: "money" } }), [refunds]);
      assert.deepEqual(await found({ filter: { topic: "other" } }), []);
      assert.deepEqual(await found({ inputs: { filter: { topic: "other" } } }), []);
      assert.deepEqual(await found({ filter: { topic: { $in: ["money", "other"] } } }), [refunds]);
      assert.deepEqual(await found({ filter: { topic: { $ne: "money" } } }), []);
      assert.deepEqual(await found({ filter: { year: { $exists: false } } }), [refunds]);
      const refused: [object, RegExp][] = [
        [{ filter: { tpoic: "money" } }, /tpoic.*topic/s],
        [{ filter: { $or: [{ tpoic: "money" }, { topic: "other" }] } }, /tpoic.*topic/s],
        [{ filter: { topic: ["money"] } }, /filter\.topic.*text, a number or true or false/s],
        [{ filter: { topic: { $near: "money" } } }, /filter\.topic\.\$near.*\$eq, \$ne, \$in/s],
        [{ filter: { $or: ["money"] } }, /filter\.\$or\.0/],
        [{ inputs: { filter: { $nor: [] } } }, /\$nor.*\$and, \$or/s],
        [{ inputs: { topk: 3 } }, /inputs\.topk.*topK/s],
        [{ topK: null, inputs: { topK: "many" } }, /topK/],
      ];
      for (const [body, expected] of refused) {
        const { status, message } = await refusal(await ask(body));
        assert.equal(status, 400, `${JSON.stringify(body)}: ${message}`);
        assert.match(message, expected);
      }
    });
  });
});
