import assert from "node:assert/strict";
import { test } from "node:test";
import type { DocumentStore, UpsertResult, VectorQueryResult } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../../../server/src/testing/test-platform.ts";

const refunds = "Refunds take five days.";
const shipping = "Parcels leave on Mondays.";
const text = (content: string, more: object = {}) => ({
  loader: { name: "plainText", config: { text: content } },
  ...more,
});

await onTestDatabase((databases) => {
  test("without a record manager nothing is skipped, cleaned up or deleted later; with one only what it added", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "Handbook" });
    const upsert = async (body: object) => {
      const result = await platform.json<UpsertResult>("POST", `/document-store/upsert/${id}`, body);
      return { docId: result.docId, counts: [result.numAdded, result.numDeleted, result.numSkipped] };
    };
    const found = async (more: object = {}) => {
      const body = { storeId: id, query: "x", topK: 10, ...more };
      const { docs } = await platform.json<VectorQueryResult>("POST", "/document-store/vectorstore/query", body);
      return docs.map(({ pageContent }) => pageContent).sort();
    };
    const status = async () => (await platform.json<DocumentStore>("GET", `/document-store/store/${id}`)).status;
    const deleteVectors = () => platform.json("DELETE", `/document-store/vectorstore/${id}`);

    const { docId, counts } = await upsert(text(refunds, { recordManager: { name: "none" } }));
    assert.deepEqual(counts, [1, 0, 0]);
    const store = await platform.json<DocumentStore>("GET", `/document-store/store/${id}`);
    assert.equal(JSON.parse(store.recordManagerConfig).name, "none");
    assert.deepEqual((await upsert(text(refunds))).counts, [1, 0, 0], "nothing is known to be there already");
    assert.deepEqual(await found(), [refunds], "and there is one copy all the same");

    await upsert(text(shipping, { recordManager: { name: "built-in" } }));
    await deleteVectors();
    assert.deepEqual(await found(), [refunds], "only what was added through the record manager is deleted");
    assert.equal(await status(), "SYNC");

    const off = { recordManager: '{"name":"none"}' };
    await upsert(text(shipping, { docId, replaceExisting: true, deleteEmbeddings: true, ...off }));
    assert.deepEqual(await found({ includeOrphans: true }), [shipping], "the request may delete what it replaces");
    await platform.json("POST", `/document-store/upsert/${id}`, { ...text(refunds), recordManager: {} });
    await deleteVectors();
    assert.deepEqual(await found(), [refunds, shipping].sort(), "{} leaves it off");
    assert.equal((await platform.send("DELETE", `/document-store/store/${id}`)).status, 200);
  });

  test("the settings of a store may turn it off, and name no other one", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const recordManagerConfig = '{"name":"none"}';
    const made = await platform.json<DocumentStore>("POST", "/document-store/store", {
      name: "A",
      recordManagerConfig,
    });
    assert.equal(made.recordManagerConfig, recordManagerConfig);
    const settings = { storeId: made.id, recordManagerName: "none" };
    const saved = await platform.json<DocumentStore>("POST", "/document-store/vectorstore/save", settings);
    assert.deepEqual(JSON.parse(saved.recordManagerConfig), { name: "none", config: {} });
    const response = await platform.send("PUT", `/document-store/store/${made.id}`, {
      recordManagerConfig: '{"name":"redis"}',
    });
    assert.equal(response.status, 400);
    assert.match(((await response.json()) as { message: string }).message, /"none" to have none/);
  });
});
