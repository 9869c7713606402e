import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, type TestContext, test } from "node:test";
import type { Credential, DocumentStore, Finding } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

const secret = "tk-bound-to-its-hosts-4711";

/** A real server that remembers what came, and repeats it in its answer. */
async function startServer(t: TestContext) {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const seen = JSON.stringify({
      url: request.url,
      headers: request.rawHeaders,
      body: Buffer.concat(chunks).toString(),
    });
    received.push(seen);
    response.writeHead(200, { "content-type": "application/json", "x-echo": request.headers.authorization ?? "" });
    response.end(seen);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  // What is called without TLS is allowed so.
  return {
    host,
    entry: `http://${host}`,
    url: `http://${host}`,
    received,
    sawSecret: () => received.some((seen) => seen.includes(secret)),
  };
}

async function open(
  t: TestContext,
  databases: TestDatabases,
  env: (bound: string, other: string) => object = () => ({}),
) {
  const bound = await startServer(t);
  const other = await startServer(t);
  const allowed = { EGRESS_ALLOW: `${bound.host},${other.host}`, ...env(bound.url, other.url) };
  const platform = await openTestPlatform(t, databases, allowed);
  const create = { name: "Orders", credentialName: "httpBearerToken", plainDataObj: { token: secret, apiKey: secret } };
  const { id: credential } = await platform.json<Credential>("POST", "/credentials", create);
  const hosts = async () => (await platform.json<Credential>("GET", `/credentials/${credential}`)).hosts;
  return { platform, bound, other, credential, hosts };
}

const ask = async (platform: TestPlatform, id: string, body: object = {}) =>
  (await platform.send("POST", `/prediction/${id}`, { question: "Hi", ...body })).text();

const openApiText = (server: string) =>
  JSON.stringify({
    openapi: "3.0.0",
    info: { title: "Orders", version: "1" },
    servers: [{ url: server }],
    paths: { "/orders": { get: { operationId: "list_orders", responses: {} } } },
  });

type Sender = { name: string; flow(base: string, credential: string): string; isTemplated: boolean };

const toolFlow = (type: string, config: object, toolName?: string) =>
  flowOf("tool", "Tool", { tool: { type, config }, ...(toolName && { toolName }) });
const named = { name: "call_orders", description: "Calls the orders" };

const senders: Sender[] = [
  {
    name: "the HTTP node",
    flow: (base, credential) => flowOf("http", "HTTP", { url: `${base}/orders`, credential }),
    isTemplated: true,
  },
  ...["get", "post", "put", "delete"].map((method) => ({
    name: `the ${method.toUpperCase()} tool`,
    flow: (base: string, credential: string) =>
      toolFlow(`request-${method}`, { ...named, url: `${base}/orders`, credential }),
    isTemplated: true,
  })),
  {
    name: "an MCP server",
    flow: (base, credential) => toolFlow("mcp-server", { url: `${base}/mcp`, credential }),
    isTemplated: true,
  },
  {
    name: "the OpenAPI toolkit",
    flow: (base, credential) =>
      toolFlow("openapi-toolkit", { openApiFile: openApiText(base), credential }, "list_orders"),
    isTemplated: false,
  },
  {
    name: "custom code of the OpenAPI toolkit",
    flow: (base, credential) => {
      const customCode = "return (await fetch($url, $options)).text();";
      return toolFlow("openapi-toolkit", { openApiFile: openApiText(base), customCode, credential }, "list_orders");
    },
    isTemplated: false,
  },
  {
    name: "a web search",
    flow: (base, credential) =>
      flowOf("tool", "Search", {
        tool: { type: "web-search", config: { provider: "searxng", baseUrl: base, credential } },
        arguments: [{ name: "query", value: "orders" }],
      }),
    isTemplated: false,
  },
  ...["openai-compatible", "openai", "anthropic", "google", "ollama"].map((provider) => ({
    name: `a model of ${provider}`,
    flow: (base: string, credential: string) =>
      flowOf("llm", "LLM", { model: { provider, model: "m", baseUrl: base, credential } }),
    isTemplated: false,
  })),
];

await onTestDatabase((databases) => {
  if (databases.name !== "sqlite") return;
  describe("a secret goes to its hosts and no others", () => {
    for (const { name, flow, isTemplated } of senders) {
      test(name, async (t) => {
        const { platform, bound, other, credential, hosts } = await open(t, databases);
        const saved = { name: "Agent", flowData: flow(bound.url, credential) };
        const { id } = await platform.json<{ id: string }>("POST", "/chatflows", saved);
        assert.deepEqual(await hosts(), [], "saving binds nothing");
        assert.deepEqual(await questionsOf(platform, id), [bound.entry]);
        assert.match(await ask(platform, id), /may be sent to no host yet\. If it is meant for http:/);
        assert.equal(bound.received.length, 0, "a question is no consent");
        await platform.json("PUT", `/chatflows/${id}?confirmDestinations=true`, saved);
        assert.deepEqual(await hosts(), [bound.entry], "confirming binds");
        const answer = await ask(platform, id);
        assert.ok(bound.sawSecret(), answer);
        assert.ok(!answer.includes(secret), "the answer repeats it");
        assert.deepEqual(await findingsOf(platform, id), []);

        await platform.json("PUT", `/credentials/${credential}`, { hosts: ["orders.example.com"] });
        bound.received.length = 0;
        const refused = await ask(platform, id);
        assert.equal(bound.received.length, 0, "nothing is sent");
        assert.ok(refused.includes(`Nothing was sent to ${bound.url}`), refused);
        assert.match(refused, /the credential Orders may be sent to only orders\.example\.com/);
        assert.deepEqual(await questionsOf(platform, id), [bound.entry]);
        if (!isTemplated) return;

        await platform.json("PUT", `/credentials/${credential}`, { hosts: [bound.host] });
        await platform.json("POST", "/variables", { name: "base", value: bound.url });
        for (const template of ["{{ question }}", "{{ $vars.base }}"]) {
          const apiConfig = JSON.stringify({
            overrideConfig: { status: true, nodes: {}, variables: [{ name: "base", enabled: true }] },
          });
          const chosen = await agentWith(platform, flow(template, credential), { apiConfig });
          const attack = { question: other.url, overrideConfig: { vars: { base: other.url } } };
          const said = await ask(platform, chosen, attack);
          assert.equal(other.received.length, 0, `${template}: ${said}`);
          assert.match((await findingsOf(platform, chosen)).map(({ code }) => code).join(), /credential-host-unknown/);
          assert.deepEqual(await hosts(), [bound.host]);
        }
      });
    }

    test("loaders, embeddings and vector stores of a document store", async (t) => {
      const { platform, bound, credential } = await open(t, databases);
      const text = { name: "plainText", config: { text: "Orders take five days." } };
      const bodies = {
        page: { loader: { name: "web-page", config: { url: `${bound.url}/page`, credential } } },
        api: { loader: { name: "http-api", config: { url: `${bound.url}/api`, credential } } },
        embedding: {
          loader: text,
          embedding: { name: "openai-compatible", config: { baseUrl: bound.url, model: "m", credential } },
        },
        qdrant: { loader: text, vectorStore: { name: "qdrant", config: { url: bound.url, credential } } },
      };
      for (const [name, body] of Object.entries(bodies)) {
        const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", { name });
        const upsert = async () => (await platform.send("POST", `/document-store/upsert/${id}`, body)).text();
        bound.received.length = 0;
        await platform.json("PUT", `/credentials/${credential}`, { hosts: [] });
        assert.match(await upsert(), /Nothing was sent to http/);
        assert.ok(!bound.sawSecret(), name);
        await platform.json("POST", `/credentials/${credential}/destinations`, { destination: bound.url });
        const answer = await upsert();
        assert.ok(bound.sawSecret(), `${name}: ${answer}`);
        assert.ok(!answer.includes(secret), name);
        const stored = await platform.json<DocumentStore>("GET", `/document-store/store/${id}`);
        await platform.json("PUT", `/credentials/${credential}`, { hosts: [] });
        bound.received.length = 0;
        const [loader] = JSON.parse(stored.loaders) as { id: string }[];
        const answered =
          name === "qdrant"
            ? await platform.send("POST", "/document-store/vectorstore/query", { storeId: id, query: "orders" })
            : await platform.send("POST", `/document-store/refresh/${id}`, { items: [{ docId: loader?.id }] });
        const said = await answered.text();
        assert.ok(!bound.sawSecret(), name);
        assert.match(said, /Nothing was sent to http/, name);
      }
    });
  });

  test("an upsert that is asked of an agent sends nothing to a host that nobody allowed", async (t) => {
    const { platform, bound, credential, hosts } = await open(t, databases);
    const { id: storeId } = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "Pages" });
    const agent = await agentWith(platform, flowOf("vector-store", "Store", { storeId }));
    const overrideConfig = { loader: { name: "web-page", config: { url: `${bound.url}/page`, credential } } };
    const upsert = async () => (await platform.send("POST", `/vector/upsert/${agent}`, { overrideConfig })).text();
    assert.match(await upsert(), /Nothing was sent to http/);
    assert.deepEqual([await hosts(), bound.received.length], [[], 0]);
    await platform.json("POST", `/credentials/${credential}/destinations`, { destination: bound.url });
    const answer = await upsert();
    assert.ok(bound.sawSecret(), answer);
  });

  test("a variable that nobody overrides names a host; one that callers may set does not", async (t) => {
    const { platform, bound, credential, hosts } = await open(t, databases);
    await platform.json("POST", "/variables", { name: "base", value: bound.url });
    const flowData = flowOf("http", "HTTP", { url: "{{ $vars.base }}/orders", credential });
    const apiConfig = JSON.stringify({
      overrideConfig: { status: true, variables: [{ name: "base", enabled: true }] },
    });
    await agentWith(platform, flowData, { apiConfig });
    assert.deepEqual(await hosts(), []);
    const id = await agentWith(platform, flowData);
    assert.deepEqual(await hosts(), [bound.entry]);
    assert.deepEqual(await findingsOf(platform, id), []);
  });

  test("the operator's key goes to the operator's address, and model servers serve models alone", async (t) => {
    const { platform, bound, other } = await open(t, databases, (own) => ({
      EGRESS_ALLOW: "",
      OPENAI_BASE_URL: own,
      OPENAI_API_KEY: secret,
    }));
    await ask(platform, await agentWith(platform, flowOf("llm", "LLM", {})));
    assert.ok(bound.sawSecret());
    bound.received.length = 0;
    const called = await ask(
      platform,
      await agentWith(platform, flowOf("http", "HTTP", { url: `${bound.url}/api/delete` })),
    );
    assert.match(called, /is not allowed/);
    const swallowing = { provider: "openai-compatible", model: "m", baseUrl: `${bound.url}/api/delete?x=` };
    await ask(platform, await agentWith(platform, flowOf("llm", "LLM", { model: swallowing })));
    await ask(platform, await agentWith(platform, flowOf("llm", "LLM", { model: { model: "m", baseUrl: other.url } })));
    assert.deepEqual([bound.received.length, other.received.length], [0, 0]);
  });
});

async function findingsOf(platform: TestPlatform, id: string): Promise<Finding[]> {
  const findings = await platform.json<Finding[]>("GET", `/chatflows/${id}/findings`);
  return findings.filter(({ code }) => code.startsWith("credential-"));
}

/** The destinations that wait for a yes. */
async function questionsOf(platform: TestPlatform, id: string): Promise<(string | undefined)[]> {
  const asked = await findingsOf(platform, id);
  return asked.filter(({ code }) => code === "credential-destination-unconfirmed").map(({ bind }) => bind?.host);
}
