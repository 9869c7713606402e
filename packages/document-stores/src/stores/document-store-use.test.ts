import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Script } from "@weft/providers/testing";
import type {
  ChatMessage,
  DocumentStore,
  PredictionResult,
  UpsertHistoryRecord,
  UpsertResult,
  VectorQueryResult,
} from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform } from "../../../server/src/testing/scripted-model.ts";
import { sendForm } from "../../../server/src/testing/send-form.ts";
import { agentWith, flowOf, type openTestPlatform } from "../../../server/src/testing/test-platform.ts";

type Test = Parameters<typeof openTestPlatform>[0];

const refunds = "Refunds take five days.";
const shipping = "Parcels leave on Mondays.";

/** Calls its first tool once, then answers. */
const searching: Script = ({ messages, tools }) => {
  if (messages.some(({ role }) => role === "tool")) return { text: "Five days." };
  return {
    toolCalls: [{ name: tools?.[0]?.function.name ?? "none", arguments: JSON.stringify({ query: "refunds" }) }],
  };
};

async function open(t: Test, databases: TestDatabases) {
  const platform = await openScriptedPlatform(t, databases, searching);
  const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "Handbook" });
  const upsert = (text: string) =>
    platform.json<UpsertResult>("POST", `/document-store/upsert/${id}`, {
      loader: { name: "plainText", config: { text } },
      metadata: { source: "handbook" },
    });
  return { platform, model: platform.model, id, upsert };
}

await onTestDatabase((databases) => {
  describe("a document store", () => {
    test("is searched by an agent, whose answer and message carry the sources", async (t) => {
      const { platform, id, upsert } = await open(t, databases);
      await upsert(refunds);
      const knowledge = [{ storeId: id, name: "handbook", description: "What people ask" }];
      const agentId = await agentWith(platform, flowOf("agent", "Agent", { knowledge }));
      const answer = await platform.json<PredictionResult>("POST", `/prediction/${agentId}`, { question: "Refunds?" });
      assert.equal(answer.text, "Five days.");
      assert.equal(answer.sourceDocuments?.[0]?.pageContent, refunds);
      const messages = await platform.json<ChatMessage[]>("GET", `/chatmessage/${agentId}?order=DESC`);
      assert.match(JSON.stringify(messages[0]?.sourceDocuments), /five days/);
      const store = await platform.json<DocumentStore>("GET", `/document-store/store/${id}`);
      assert.deepEqual(JSON.parse(store.whereUsed), [agentId]);
      await platform.json("DELETE", `/chatflows/${agentId}`);
      const after = await platform.json<DocumentStore>("GET", `/document-store/store/${id}`);
      assert.deepEqual(JSON.parse(after.whereUsed), []);
    });

    test("is searched by a retriever node and by an assistant's file_search", async (t) => {
      const { platform, id, upsert } = await open(t, databases);
      await upsert(refunds);
      await upsert(shipping);
      const stores = [{ storeId: id, topK: 1 }];
      const agentId = await agentWith(platform, flowOf("retriever", "Search", { stores }));
      const found = await platform.json<PredictionResult>("POST", `/prediction/${agentId}`, {
        question: "When do parcels leave?",
      });
      assert.deepEqual([found.text, found.sourceDocuments?.length], [shipping, 1]);
      const resources = { file_search: { vector_store_ids: [id] } };
      const { id: assistantId } = await platform.json<{ id: string }>("POST", "/assistants", {
        details: { name: "Helper", tools: ["file_search"], tool_resources: resources },
      });
      const answer = await platform.json<PredictionResult>("POST", `/prediction/${assistantId}`, {
        question: "Refunds?",
      });
      assert.equal(answer.text, "Five days.");
      assert.ok((answer.sourceDocuments?.length ?? 0) > 0);
      const store = await platform.json<DocumentStore>("GET", `/document-store/store/${id}`);
      assert.deepEqual(JSON.parse(store.whereUsed).sort(), [agentId, assistantId].sort());
    });

    test("that does not exist fails the step with a sentence", async (t) => {
      const { platform } = await open(t, databases);
      const agentId = await agentWith(platform, flowOf("retriever", "Search", { stores: [{ storeId: "none" }] }));
      const response = await platform.send("POST", `/prediction/${agentId}`, { question: "Hi" });
      const body = (await response.json()) as { message: string };
      assert.equal(response.status, 500);
      assert.match(body.message, /no store of this id exists/);
    });
  });

  describe("a file of a passage", () => {
    test("is downloaded by the loader and the name that the passage has, and never shown as a page", async (t) => {
      const { platform, id } = await open(t, databases);
      const html = "<title>Shipping</title><p>Parcels leave on Mondays.</p><script>alert(1)</script>";
      const path = `/document-store/upsert/${id}`;
      await sendForm(platform, path, [["files", { name: 'o"ff.html', type: "text/html", bytes: html }]]);
      await sendForm(platform, path, [["files", { name: "refunds.md", type: "text/markdown", bytes: refunds }]]);
      const query = { storeId: id, query: "When do parcels leave?", topK: 1 };
      const { docs } = await platform.json<VectorQueryResult>("POST", "/document-store/vectorstore/query", query);
      const { docId, source } = docs[0]?.metadata ?? {};
      const fileOf = (loaderId: unknown, name: unknown, headers?: Record<string, string>) =>
        platform.send(
          "GET",
          `/document-store/file/${loaderId}?fileName=${encodeURIComponent(String(name))}`,
          undefined,
          headers,
        );
      const response = await fileOf(docId, source);
      assert.equal(await response.text(), html);
      assert.match(response.headers.get("content-disposition") ?? "", /^attachment; filename="o_22ff.html"/);
      assert.equal(response.headers.get("content-security-policy"), "default-src 'none'; sandbox");
      for (const [loaderId, name] of [
        [docId, "refunds.md"],
        [id, source],
      ]) {
        const missing = await fileOf(loaderId, name);
        assert.equal(missing.status, 404);
        assert.match(((await missing.json()) as { message: string }).message, /No file with the id/);
      }
      assert.equal((await fileOf(docId, source, { authorization: "" })).status, 401);
    });

    test("is downloaded when its name has percent signs, which are decoded once", async (t) => {
      const { platform, id } = await open(t, databases);
      for (const name of ["%2e.md", "%2E%2e", "..%2frefunds.md", "a%5Cb.md"]) {
        const bytes = `${name}: ${refunds}`;
        await sendForm(platform, `/document-store/upsert/${id}`, [["files", { name, type: "text/markdown", bytes }]]);
        const { loaders } = await platform.json<{ loaders: string }>("GET", `/document-store/store/${id}`);
        const loader = (JSON.parse(loaders) as { id: string; source: string }[]).find(({ source }) => source === name);
        const path = `/document-store/file/${loader?.id}?fileName=${encodeURIComponent(name)}`;
        const answer = await platform.send("GET", path);
        assert.deepEqual([answer.status, await answer.text()], [200, bytes], name);
      }
    });

    test("is downloaded by a name without the folders that a client gave", async (t) => {
      const { platform, id } = await open(t, databases);
      const file = ["docs/2026/a.md", "src\\a.md"].map(
        (name) => `data:text/markdown;base64,${btoa(name)},filename:${name}`,
      );
      const loader = { name: "fileLoader", config: { file: JSON.stringify(file) } };
      const { docId } = await platform.json<UpsertResult>("POST", `/document-store/upsert/${id}`, { loader });
      for (const [name, bytes] of [
        ["docs – 2026 – a.md", "docs/2026/a.md"],
        ["src – a.md", "src\\a.md"],
      ] as const) {
        const answer = await platform.send("GET", `/document-store/file/${docId}?fileName=${encodeURIComponent(name)}`);
        assert.deepEqual([answer.status, await answer.text()], [200, bytes]);
      }
    });
  });

  describe("POST /vector/upsert", () => {
    test("writes into the store of the agent's vector store node: a text, files, or all loaders again", async (t) => {
      const { platform, id } = await open(t, databases);
      const agentId = await agentWith(platform, flowOf("vector-store", "Store", { storeId: id }));
      const path = `/vector/upsert/${agentId}`;
      const first = await platform.json<UpsertResult>("POST", path, { overrideConfig: { text: refunds } });
      assert.deepEqual([first.numAdded, first.storeId], [1, id]);
      const form = await sendForm(platform, path, [
        ["files", { name: "shipping.md", bytes: shipping }],
        ["stopNodeId", "node_0"],
      ]);
      assert.equal(((await form.json()) as UpsertResult).numAdded, 1);
      const again = await platform.json<UpsertResult>("POST", path, {});
      assert.deepEqual([again.numAdded, again.numSkipped], [0, 2]);
      const history = await platform.json<UpsertHistoryRecord[]>("GET", `/upsert-history/${agentId}?order=DESC`);
      assert.deepEqual(
        history.map(({ result }) => JSON.parse(result).numSkipped),
        [2, 0, 0],
      );
    });

    test("refuses overrides that would change nothing, or the store itself", async (t) => {
      const { platform, id } = await open(t, databases);
      const agentId = await agentWith(platform, flowOf("vector-store", "Store", { storeId: id }));
      for (const [over, expected] of [
        [{ chunkSize: 100 }, /overrideConfig\.chunkSize cannot be overridden by an upsert.*splitter/],
        [{ embedding: { name: "openai" } }, /overrideConfig\.embedding belongs to the document store/],
      ] as const) {
        const overrideConfig = { text: refunds, chatId: "c", ...over };
        const response = await platform.send("POST", `/vector/upsert/${agentId}`, { overrideConfig });
        assert.equal(response.status, 422);
        assert.match(((await response.json()) as { message: string }).message, expected);
      }
    });

    test("refuses an agent without such a node, and asks which is meant where there are several", async (t) => {
      const { platform, id } = await open(t, databases);
      const flow = JSON.parse(flowOf("vector-store", "Store", { storeId: id }));
      flow.nodes.push({ ...flow.nodes[1], id: "node_1" });
      const several = await agentWith(platform, JSON.stringify(flow));
      const none = await agentWith(platform, flowOf("direct-reply", "Reply", { message: "Hi" }));
      for (const [agentId, body, message] of [
        [none, {}, /no vector store node/],
        [several, {}, /stopNodeId to one of them: node_0, node_1/],
        [several, { stopNodeId: "node_9" }, /is not a vector store node/],
      ] as const) {
        const response = await platform.send("POST", `/vector/upsert/${agentId}`, body);
        assert.equal(response.status, 400);
        assert.match(((await response.json()) as { message: string }).message, message);
      }
    });

    test("a run of the flow writes its text, once", async (t) => {
      const { platform, id } = await open(t, databases);
      const config = { storeId: id, text: "{{ question }}", source: "chat" };
      const agentId = await agentWith(platform, flowOf("vector-store", "Store", config));
      for (const added of [1, 0]) {
        const answer = await platform.json<PredictionResult>("POST", `/prediction/${agentId}`, { question: refunds });
        assert.equal(answer.text, refunds);
        const [last] = await platform.json<UpsertHistoryRecord[]>("GET", `/upsert-history/${id}?order=DESC`);
        assert.equal(JSON.parse(last?.result ?? "{}").numAdded, added);
      }
    });
  });
});
