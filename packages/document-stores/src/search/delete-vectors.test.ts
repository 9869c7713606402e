import assert from "node:assert/strict";
import { test } from "node:test";
import { createScriptedEmbeddingServer } from "@weft/providers/testing";
import type { DocumentStore, UpsertResult, VectorQueryResult } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { stopAfter } from "../../../server/src/testing/stop-after.ts";
import { openTestPlatform } from "../../../server/src/testing/test-platform.ts";
import { createScriptedQdrant } from "../../../vector-stores/src/qdrant/testing/scripted-qdrant.ts";
import { bookOf } from "../testing/open-book.ts";

await onTestDatabase((databases) => {
  test("vectors whose deletion was cut short are written anew by the same upsert", async (t) => {
    const onEnd = stopAfter(t);
    const model = await createScriptedEmbeddingServer();
    onEnd(() => model.close());
    const vectors = await createScriptedQdrant();
    onEnd(() => vectors.close());
    const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url, EGRESS_ALLOW: new URL(vectors.url).host };
    const platform = await openTestPlatform(t, databases, env);
    const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", {
      name: "Book",
      embeddingConfig: JSON.stringify({ name: "openai", config: { model: "scripted" } }),
      vectorStoreConfig: JSON.stringify({ name: "qdrant", config: { url: vectors.url } }),
    });
    let docId: string | undefined;
    const upsert = async () => {
      const result = await platform.json<UpsertResult>("POST", `/document-store/upsert/${id}`, { ...bookOf(3), docId });
      docId = result.docId;
      return [result.numAdded, result.numUpdated, result.numSkipped];
    };
    const found = async () => {
      const body = { storeId: id, query: "passage" };
      return (await platform.json<VectorQueryResult>("POST", "/document-store/vectorstore/query", body)).docs.length;
    };
    assert.deepEqual([await upsert(), await upsert(), await found()], [[3, 0, 0], [0, 0, 3], 3]);

    vectors.answerWith({ status: 500, body: '{"status":{"error":"out of disk"}}' });
    assert.equal((await platform.send("DELETE", `/document-store/vectorstore/${id}`)).status, 500);
    vectors.answerWith(undefined);
    assert.deepEqual([await upsert(), await found()], [[0, 3, 0], 3]);

    await platform.json("DELETE", `/document-store/vectorstore/${id}`);
    assert.deepEqual([await found(), await upsert(), await found()], [0, [3, 0, 0], 3]);
  });
});
