import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { Script } from "@weft/providers/testing";
import type { DocumentStore, PredictionResult, UpsertResult } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform } from "../../scripted-model.ts";
import { agentWith, flowOf, type openTestPlatform, type TestPlatform } from "../../test-platform.ts";

type Test = Parameters<typeof openTestPlatform>[0];
type Form = { properties: Record<string, { title?: string }>; required?: string[] };

async function open(t: Test, databases: TestDatabases, script: Script = () => ({ text: "Done." })) {
  const api = createServer((request, response) => response.end(`${request.method} ${request.url} ${seen(request)}`));
  t.after(() => api.close());
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(api.address() as AddressInfo).port}`;
  const platform = await openScriptedPlatform(t, databases, script, { env: { EGRESS_ALLOW: host } });
  return { model: platform.model, url: `http://${host}`, platform };
}

const seen = ({ headers }: { headers: Record<string, unknown> }) => String(headers["x-team"] ?? "");

async function formsOf(platform: TestPlatform): Promise<Map<string, Form>> {
  const integrations = await platform.client.listIntegrations();
  return new Map(integrations.map(({ type, config }) => [type, config as Form]));
}

await onTestDatabase((databases) => {
  test("four request integrations and the OpenAPI toolkit are in the catalogue", async (t) => {
    const { platform } = await open(t, databases);
    const integrations = await platform.client.listIntegrations();
    const requests = integrations.filter(({ group }) => group === "request").map(({ title }) => title);
    assert.deepEqual(requests.toSorted(), ["DELETE request", "GET request", "POST request", "PUT request"]);
    assert.ok(integrations.some(({ type }) => type === "openapi-toolkit"));
  });

  test("the request integrations have the settings of the reference", async (t) => {
    const forms = await formsOf((await open(t, databases)).platform);
    const settings: Record<string, string[]> = {
      "request-get": ["url", "name", "description", "headers", "parameters"],
      "request-post": ["url", "name", "description", "headers", "body", "bodySchema"],
      "request-put": ["url", "name", "description", "headers", "body", "bodySchema"],
      "request-delete": ["url", "name", "description", "headers", "parameters"],
    };
    for (const [type, fields] of Object.entries(settings)) {
      for (const field of fields) assert.ok(forms.get(type)?.properties[field], `${type}.${field}`);
      assert.ok(!forms.get(type)?.required?.includes("headers"), `${type}: headers are optional`);
    }
  });

  test("the OpenAPI toolkit has the settings of the reference, and sends its headers", async (t) => {
    const script: Script = ({ messages }) =>
      messages.some(({ role }) => role === "tool")
        ? { text: "Done." }
        : { toolCalls: [{ name: "listThings", arguments: {} }] };
    const { platform, url } = await open(t, databases, script);
    const form = (await formsOf(platform)).get("openapi-toolkit");
    for (const field of ["yamlFile", "returnDirect", "headers", "removeNulls", "customCode"]) {
      assert.ok(form?.properties[field], field);
    }
    const yamlFile = `openapi: 3.0.0
info: { title: Things, version: "1" }
servers: [{ url: "${url}" }]
paths: { /things: { get: { operationId: listThings, responses: { "200": { description: ok } } } } }`;
    const config = { yamlFile, headers: { "X-Team": "blue" } };
    const agent = await agentWith(platform, flowOf("agent", "Agent", { tools: [{ type: "openapi-toolkit", config }] }));
    const { usedTools } = await platform.json<PredictionResult>("POST", `/prediction/${agent}`, { question: "List" });
    assert.match(String(usedTools?.[0]?.toolOutput), /GET \/things blue/);
  });

  test("an HTTP node calls an API before and after an agent", async (t) => {
    const { platform, url, model } = await open(t, databases);
    const nodes = [
      { id: "start", type: "start" },
      { id: "before", type: "http", config: { url: `${url}/before`, responseType: "text" } },
      { id: "agent", type: "agent", config: { prompt: "Known: {{ before }}" } },
      { id: "after", type: "http", config: { url: `${url}/after?said={{ agent }}`, responseType: "text" } },
    ];
    const edges = nodes.slice(1).map(({ id }, index) => ({ id: `e${index}`, source: nodes[index]?.id, target: id }));
    const agent = await agentWith(platform, JSON.stringify({ weft: 1, nodes, edges }));
    const { text } = await platform.json<PredictionResult>("POST", `/prediction/${agent}`, { question: "Go" });
    assert.match(JSON.stringify(model.requests[0]?.body), /Known: GET \/before/);
    assert.match(text, /GET \/after\?said=Done\./);
  });

  test("{{ current_date_time }} in a system prompt is the time of the question", async (t) => {
    const { platform, model } = await open(t, databases);
    const messages = [{ role: "system", content: "Now: {{ current_date_time }}" }];
    const agent = await agentWith(platform, flowOf("agent", "Agent", { messages }));
    const before = Date.now();
    await platform.json("POST", `/prediction/${agent}`, { question: "What time is it?" });
    const text = JSON.stringify(model.requests[0]?.body.messages);
    const [, moment = ""] = /Now: ([^"\\]+)/.exec(text) ?? [];
    const at = Date.parse(moment.trim());
    assert.ok(at >= before - 1_000 && at <= Date.now() + 1_000, text);
  });

  test("categories, types and colours are kept as they were sent", async (t) => {
    const { platform } = await open(t, databases);
    const agent = { name: "A", flowData: "{}", category: "support;sales", type: "CHATFLOW" };
    const kept = await platform.json<typeof agent>("POST", "/chatflows", agent);
    assert.deepEqual([kept.category, kept.type], [agent.category, agent.type]);
    for (const [type, value] of [
      ["string", "Ulm"],
      ["number", "7"],
    ]) {
      const variable = await platform.json<{ type: string }>("POST", "/variables", { name: `v_${type}`, type, value });
      assert.equal(variable.type, type);
    }
    const tool = await platform.json<{ color: string }>("POST", "/tools", {
      name: "t",
      description: "d",
      color: "#0a0B0c",
    });
    assert.equal(tool.color.toLowerCase(), "#0a0b0c");
  });

  test("every delete of the reference answers 200 without a body", async (t) => {
    const { platform } = await open(t, databases);
    const make = async (path: string, body: object) => (await platform.json<{ id: string }>("POST", path, body)).id;
    const agent = await agentWith(platform, flowOf("llm", "LLM"));
    await platform.json("POST", `/prediction/${agent}`, { question: "Hi" });
    const store = await make("/document-store/store", { name: "S" });
    const upsert = { loader: { name: "plainText", config: { text: "Refunds take five days." } } };
    const { docId } = await platform.json<UpsertResult>("POST", `/document-store/upsert/${store}`, upsert);
    const page = await platform.json<{ chunks: { id: string }[] }>("GET", `/document-store/chunks/${store}/${docId}/1`);
    const paths = [
      `/document-store/chunks/${store}/${docId}/${page.chunks[0]?.id}`,
      `/document-store/vectorstore/${store}`,
      `/document-store/loader/${store}/${docId}`,
      `/document-store/store/${store}`,
      `/chatmessage/${agent}`,
      `/chatflows/${agent}`,
      `/variables/${await make("/variables", { name: "v", value: "1" })}`,
      `/tools/${await make("/tools", { name: "t", description: "d" })}`,
      `/assistants/${await make("/assistants", { details: { name: "A" } })}`,
    ];
    for (const path of paths) {
      const response = await platform.send("DELETE", path);
      assert.deepEqual([response.status, await response.text()], [200, ""], path);
    }
  });

  test("hardDelete is accepted, and says what it could not delete elsewhere", async (t) => {
    const { platform } = await open(t, databases);
    const agent = await agentWith(platform, flowOf("llm", "LLM"));
    await platform.json("POST", `/prediction/${agent}`, { question: "Hi" });
    const response = await platform.send("DELETE", `/chatmessage/${agent}?hardDelete=true`);
    assert.deepEqual([response.status, response.headers.get("x-hard-delete")], [200, "unsupported"]);
  });

  test("an upsert with docId reuses the document's configuration", async (t) => {
    const { platform } = await open(t, databases);
    const store = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "S" });
    const path = `/document-store/upsert/${store.id}`;
    const loader = { name: "plainText", config: { text: "One sentence. Another sentence." } };
    const splitter = { name: "characterTextSplitter", config: { separator: ". ", chunkSize: 15, chunkOverlap: 0 } };
    const first = await platform.json<UpsertResult>("POST", path, { loader, splitter });
    assert.ok(first.numAdded > 1);
    const again = await platform.json<UpsertResult>("POST", path, { docId: first.docId });
    assert.deepEqual([again.numAdded, again.numSkipped, again.docId], [0, first.numAdded, first.docId]);
  });

  test("settings of loader and splitter without a name are laid over the document's", async (t) => {
    const { platform } = await open(t, databases);
    const store = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "S" });
    const path = `/document-store/upsert/${store.id}`;
    const loader = { name: "plainText", config: { text: "One sentence. Another sentence." } };
    const splitter = { name: "characterTextSplitter", config: { separator: ". ", chunkSize: 15, chunkOverlap: 0 } };
    const { docId } = await platform.json<UpsertResult>("POST", path, { loader, splitter });
    const chunks = async () =>
      (
        await platform.json<{ chunks: { pageContent: string }[] }>(
          "GET",
          `/document-store/chunks/${store.id}/${docId}/1`,
        )
      ).chunks;
    const whole = { docId, replaceExisting: true, splitter: { config: { chunkSize: 100 } } };
    await platform.json("POST", path, whole);
    assert.deepEqual(
      (await chunks()).map(({ pageContent }) => pageContent),
      [loader.config.text],
    );
    const items = [{ docId, replaceExisting: true, loader: { config: { text: "Now this." } } }];
    await platform.json("POST", `/document-store/refresh/${store.id}`, { items });
    assert.deepEqual(
      (await chunks()).map(({ pageContent }) => pageContent),
      ["Now this."],
    );
    const { splitterConfig } = JSON.parse(
      (await platform.json<DocumentStore>("GET", `/document-store/store/${store.id}`)).loaders,
    )[0];
    assert.deepEqual(splitterConfig, { separator: ". ", chunkSize: 100, chunkOverlap: 0 });
    for (const nameless of [
      { loader: { config: { text: "x" } } },
      { loader, splitter: { config: { chunkSize: 9 } } },
    ]) {
      const response = await platform.send("POST", path, nameless);
      assert.equal(response.status, 400);
      assert.match(await response.text(), /must be an object with a name and a config/);
    }
  });

  test("an upsert takes metadata, loader, splitter, embedding, vectorStore and recordManager, or null for any of them", async (t) => {
    const { platform } = await open(t, databases);
    const store = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "S" });
    const path = `/document-store/upsert/${store.id}`;
    const loader = { name: "plainText", config: { text: "Refunds take five days." } };
    const nothing = { docId: null, metadata: null, replaceExisting: null, createNewDocStore: null, docStore: null };
    const parts = { splitter: null, embedding: null, vectorStore: null, recordManager: null };
    const first = await platform.json<UpsertResult>("POST", path, { ...nothing, ...parts, loader });
    assert.equal(first.numAdded, 1);
    const components = async (kind: string) =>
      (await platform.json<{ name: string }[]>("GET", `/document-store/components/${kind}`)).map(({ name }) => name);
    const named = {
      splitter: { name: "recursiveCharacterTextSplitter", config: {} },
      embedding: { name: (await components("embeddings"))[0], config: {} },
      vectorStore: { name: (await components("vectorstore"))[0], config: {} },
      recordManager: { name: (await components("recordmanager"))[0], config: {} },
    };
    const metadata = { topic: "money" };
    const second = await platform.json<UpsertResult>("POST", path, { loader, metadata, ...named });
    assert.ok(second.numAdded + second.numUpdated + second.numSkipped > 0);
    const query = { storeId: store.id, query: "refunds" };
    const { docs } = await platform.json<{ docs: { metadata: object }[] }>(
      "POST",
      "/document-store/vectorstore/query",
      query,
    );
    assert.match(JSON.stringify(docs[0]?.metadata), /money/);
  });

  test("DELETE /vectorstore removes what the record manager knows, and nothing else", async (t) => {
    const { platform } = await open(t, databases);
    const store = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "S" });
    const path = `/document-store/upsert/${store.id}`;
    const text = (content: string) => ({ loader: { name: "plainText", config: { text: content } } });
    await platform.json("POST", path, { ...text("Parcels leave on Mondays."), recordManager: { name: "none" } });
    await platform.json("POST", path, { ...text("Refunds take five days."), recordManager: { name: "built-in" } });
    await platform.json("DELETE", `/document-store/vectorstore/${store.id}`);
    const query = { storeId: store.id, query: "parcels and refunds", topK: 10 };
    const { docs } = await platform.json<{ docs: { pageContent: string }[] }>(
      "POST",
      "/document-store/vectorstore/query",
      query,
    );
    assert.deepEqual(
      docs.map(({ pageContent }) => pageContent),
      ["Parcels leave on Mondays."],
    );
  });
});
