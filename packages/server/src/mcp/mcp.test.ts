import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { startServed } from "../served-agents/testing/start-served.ts";
import { flowOf, llmFlow } from "../testing/test-platform.ts";

const formFlow = JSON.stringify({
  weft: 1,
  nodes: [
    {
      id: "start_0",
      type: "start",
      label: "Start",
      config: {
        input: "form",
        form: {
          title: "A trip.",
          fields: [
            { name: "city", label: "Where to", required: true },
            { name: "days", type: "number", default: 3 },
            { name: "class", type: "options", options: ["first", "second"] },
          ],
        },
      },
    },
    { id: "reply_0", type: "direct-reply", label: "Reply", config: { message: "{{ $form.city }}: {{ $form.days }}" } },
  ],
  edges: [{ id: "e", source: "start_0", target: "reply_0" }],
});

type Connection = { url: string; token: string; mode?: "auto" | "legacy" };

async function connect(t: TestContext, { url, token, mode = "auto" }: Connection): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  t.after(() => client.close());
  return client;
}

const textOf = ({ content }: Awaited<ReturnType<Client["callTool"]>>) =>
  content.map((block) => (block.type === "text" ? block.text : block.type)).join();

/** A message as a client of the current revision sends it. */
function post(url: string, token: string, message: object, headers: Record<string, string> = {}) {
  return fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  });
}

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const currentHeaders = (method: string) => ({ "mcp-protocol-version": "2026-07-28", "mcp-method": method });

await onTestDatabase((databases) => {
  const start = (t: TestContext, ...rest: [Parameters<typeof startServed>[2], Record<string, string>?]) =>
    startServed(t, databases, ...rest);

  describe("an agent as an MCP server", () => {
    for (const mode of ["auto", "legacy"] as const) {
      it(`is a tool for the official client, which speaks ${mode === "auto" ? "2026-07-28" : "2025-11-25"}`, async (t) => {
        const { platform, url, deploy, key } = await start(t, () => ({ text: "It arrives on Monday." }));
        const id = await deploy("Übersee Versand", llmFlow(), {
          category: "orders;returns",
          chatbotConfig: JSON.stringify({ welcomeMessage: "I know all about your order." }),
        });
        const { apiKey } = await key();
        const client = await connect(t, { url: `${url}/api/v1/mcp/${id}`, token: apiKey, mode });
        assert.equal(client.getNegotiatedProtocolVersion(), mode === "auto" ? "2026-07-28" : "2025-11-25");
        const { tools } = await client.listTools();
        assert.deepEqual(
          tools.map(({ name, title, description }) => ({ name, title, description })),
          [
            {
              name: "ubersee-versand",
              title: "Übersee Versand",
              description: "Asks the agent Übersee Versand. I know all about your order. Topics: orders, returns.",
            },
          ],
        );
        const call = { name: "ubersee-versand", arguments: { question: "When?" } };
        assert.equal(textOf(await client.callTool(call)), "It arrives on Monday.");
        const messages = await platform.json<{ content: string }[]>("GET", `/chatmessage/${id}`);
        assert.deepEqual(
          messages.map(({ content }) => content),
          ["When?", "It arrives on Monday."],
        );
      });
    }

    it("takes the fields of a form, and says which are missing", async (t) => {
      const { platform, url, deploy } = await start(t, []);
      const id = await deploy("Trip", formFlow);
      const client = await connect(t, { url: `${url}/api/v1/mcp/${id}`, token: platform.token });
      const { tools } = await client.listTools();
      assert.equal(tools[0]?.description, "Asks the agent Trip. A trip.");
      assert.deepEqual(tools[0]?.inputSchema, {
        type: "object",
        properties: {
          city: { type: "string", description: "Where to" },
          days: { type: "number", default: 3 },
          class: { type: "string", enum: ["first", "second"] },
        },
        required: ["city"],
        additionalProperties: false,
      });
      assert.equal(textOf(await client.callTool({ name: "trip", arguments: { city: "Oslo" } })), "Oslo: 3");
      const incomplete = await client.callTool({ name: "trip", arguments: { days: 2 } });
      assert.equal(incomplete.isError, true);
      assert.match(textOf(incomplete), /form\.city: Required/);
    });

    it("tells of a failed run in the result, and of an unknown tool in an error", async (t) => {
      const { platform, url, deploy } = await start(t, () => ({ status: 401, body: {} }));
      const id = await deploy("Broken");
      const client = await connect(t, { url: `${url}/api/v1/mcp/${id}`, token: platform.token });
      const failed = await client.callTool({ name: "broken", arguments: { question: "Hi" } });
      assert.equal(failed.isError, true);
      assert.match(textOf(failed), /rejected the API key/);
      const unasked = await client.callTool({ name: "broken", arguments: {} });
      assert.match(textOf(unasked), /question/);
      await assert.rejects(client.callTool({ name: "other", arguments: {} }), { code: -32_602 });
    });

    it("cancels the run when a client of the current revision goes away", async (t) => {
      const asked = Promise.withResolvers<void>();
      const { platform, url, deploy, states } = await start(t, () => {
        asked.resolve();
        return { hang: true };
      });
      const id = await deploy("Slow");
      const client = await connect(t, { url: `${url}/api/v1/mcp/${id}`, token: platform.token });
      const cancel = new AbortController();
      const call = client.callTool({ name: "slow", arguments: { question: "Hi" } }, { signal: cancel.signal });
      await asked.promise;
      cancel.abort();
      await assert.rejects(call);
      await platform.until(async () => ((await states(id))[0] === "TERMINATED" ? true : undefined));
    });

    it("answers many at once, each its own question", async (t) => {
      const { platform, url, deploy } = await start(t, ({ messages }) => ({
        text: `You: ${messages.at(-1)?.content}`,
      }));
      const id = await deploy("Echo");
      const client = await connect(t, { url: `${url}/api/v1/mcp/${id}`, token: platform.token });
      const questions = Array.from({ length: 10 }, (_, index) => `q${index}`);
      const answers = await Promise.all(
        questions.map(async (question) => textOf(await client.callTool({ name: "echo", arguments: { question } }))),
      );
      assert.deepEqual(
        answers,
        questions.map((question) => `You: ${question}`),
      );
    });
  });

  describe("all agents as an MCP server", () => {
    it("has those that are deployed and that the key may use, each under a name of its own", async (t) => {
      const { platform, url, deploy, key } = await start(t, () => ({ text: "Yes." }));
      const own = await key();
      const other = await key();
      await deploy("Support");
      const second = await deploy("Support");
      await deploy("Draft", llmFlow(), { deployed: false });
      await deploy("Of another", llmFlow(), { apikeyid: other.id });
      await deploy("客服", flowOf("direct-reply", "Reply", { message: "好" }), { apikeyid: own.id });
      const client = await connect(t, { url: `${url}/api/v1/mcp`, token: own.apiKey });
      const names = (await client.listTools()).tools.map(({ name }) => name);
      assert.deepEqual(names, ["support", `support-${second.replaceAll("-", "").slice(-8)}`, "agent"]);
      assert.equal(textOf(await client.callTool({ name: "agent", arguments: { question: "?" } })), "好");
      assert.equal(textOf(await client.callTool({ name: names[1] ?? "", arguments: { question: "?" } })), "Yes.");
      assert.equal((await platform.json<unknown[]>("GET", `/chatmessage/${second}`)).length, 2);
      for (const name of ["of-another", "draft"]) {
        await assert.rejects(client.callTool({ name, arguments: { question: "?" } }), { code: -32_602 });
      }
    });
  });

  describe("the MCP endpoint", () => {
    it("wants a bearer with the permission, also for public agents, and the agent's own key", async (t) => {
      const { platform, url, deploy, key } = await start(t, () => ({ text: "Hi" }), { ALLOW_PUBLIC_FLOWS: "true" });
      const bound = await key();
      const id = await deploy("Bound", llmFlow(), { apikeyid: bound.id, isPublic: true });
      const list = { id: 1, method: "tools/list" };
      const statusOf = async (token: string, headers = {}) => {
        const response = await post(`${url}/api/v1/mcp/${id}`, token, list, headers);
        const { jsonrpc, error } = (await response.json()) as { jsonrpc: string; error?: { data: { code: string } } };
        assert.equal(jsonrpc, "2.0");
        return [response.status, error?.data.code];
      };
      assert.deepEqual(await statusOf("wrong"), [401, "unauthenticated"]);
      assert.deepEqual(await statusOf((await key(["agents:read"])).apiKey), [403, "forbidden"]);
      assert.deepEqual(await statusOf((await key()).apiKey), [401, "api-key-wrong"]);
      assert.deepEqual(await statusOf(platform.token, { "x-api-key": bound.apiKey }), [200, undefined]);
      assert.deepEqual(await statusOf(bound.apiKey), [200, undefined]);
      const anonymous = await fetch(`${url}/api/v1/mcp/${id}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", ...list }),
      });
      assert.equal(anonymous.status, 401);
      const unknown = await post(`${url}/api/v1/mcp/${crypto.randomUUID()}`, platform.token, list);
      assert.equal(unknown.status, 404);
    });

    it("refuses pages of origins that may not use the agent", async (t) => {
      const { platform, url, deploy } = await start(t, [], { CORS_ORIGINS: "https://console.example" });
      const allowed = JSON.stringify({ allowedOrigins: ["https://shop.example"] });
      const open = await deploy("Open");
      const restricted = await deploy("Shop", llmFlow(), { chatbotConfig: allowed });
      const statusOf = async (path: string, origin: string) =>
        (await post(`${url}/api/v1/mcp${path}`, platform.token, { id: 1, method: "ping" }, { origin })).status;
      assert.equal(await statusOf(`/${open}`, "https://evil.example"), 403);
      assert.equal(await statusOf("", "https://evil.example"), 403);
      assert.equal(await statusOf(`/${open}`, url), 403, "a page of a rebound name looks like one of the server");
      assert.equal(await statusOf(`/${open}`, "https://console.example"), 200);
      assert.equal(await statusOf("", "https://console.example"), 200);
      assert.equal(await statusOf(`/${restricted}`, "https://shop.example"), 200);
      assert.equal(await statusOf("", "https://shop.example"), 403);
    });

    it("counts calls, and nothing else, as predictions", async (t) => {
      const { platform, url, deploy } = await start(t, () => ({ text: "Hi" }));
      const rateLimit = { status: true, limitMax: 1, limitDuration: 60, limitMsg: "Slowly, please." };
      const id = await deploy("Limited", llmFlow(), { apiConfig: JSON.stringify({ rateLimit }) });
      const send = (path: string, method: string, params = {}) =>
        post(`${url}/api/v1/mcp${path}`, platform.token, { id: 1, method, params });
      const call = { name: "limited", arguments: { question: "Hi" } };
      for (let index = 0; index < 3; index += 1) assert.equal((await send(`/${id}`, "tools/list")).status, 200);
      assert.equal((await send(`/${id}`, "tools/call", call)).status, 200);
      const refused = await send("", "tools/call", call);
      assert.equal(refused.status, 429);
      assert.match(await refused.text(), /Slowly, please/);
    });

    it("speaks the earlier revisions that it is asked for, else the newest of them", async (t) => {
      const { platform, url } = await start(t, []);
      const versionFor = async (protocolVersion: string) => {
        const message = { id: "a", method: "initialize", params: { protocolVersion, capabilities: {} } };
        const answer = await (await post(`${url}/api/v1/mcp`, platform.token, message)).json();
        assert.equal((answer as { id: string }).id, "a");
        return (answer as { result: { protocolVersion: string } }).result.protocolVersion;
      };
      assert.equal(await versionFor("2025-06-18"), "2025-06-18");
      assert.equal(await versionFor("2025-11-25"), "2025-11-25");
      assert.equal(await versionFor("1999-01-01"), "2025-11-25");
      assert.equal(await versionFor("2026-07-28"), "2025-11-25");
      const initialized = await post(`${url}/api/v1/mcp`, platform.token, { method: "notifications/initialized" });
      assert.deepEqual([initialized.status, await initialized.text()], [202, ""]);
    });

    it("refuses messages of the current revision that contradict their headers", async (t) => {
      const { platform, url } = await start(t, []);
      const answerTo = async (message: object, headers: Record<string, string>) => {
        const response = await post(`${url}/api/v1/mcp`, platform.token, { id: 7, ...message }, headers);
        const { id, error } = (await response.json()) as { id: number; error?: { code: number; data?: object } };
        return { status: response.status, id, code: error?.code, data: error?.data };
      };
      const list = { method: "tools/list", params: { _meta: meta } };
      const ok = { status: 200, id: 7, code: undefined, data: undefined };
      const mismatch = { status: 400, id: 7, code: -32_020, data: undefined };
      assert.deepEqual(await answerTo(list, currentHeaders("tools/list")), ok);
      assert.deepEqual(await answerTo(list, currentHeaders("tools/call")), mismatch);
      assert.deepEqual(await answerTo(list, {}), mismatch);
      assert.deepEqual(await answerTo({ method: "tools/list" }, currentHeaders("tools/list")), mismatch);
      const call = { method: "tools/call", params: { name: "ä", arguments: {}, _meta: meta } };
      assert.deepEqual(await answerTo(call, { ...currentHeaders("tools/call"), "mcp-name": "b" }), mismatch);
      const encoded = `=?base64?${Buffer.from("ä").toString("base64")}?=`;
      const known = await answerTo(call, { ...currentHeaders("tools/call"), "mcp-name": encoded });
      assert.deepEqual([known.status, known.code], [200, -32_602]);
      const unknown = await answerTo(
        { method: "prompts/list", params: { _meta: meta } },
        currentHeaders("prompts/list"),
      );
      assert.deepEqual([unknown.status, unknown.code], [404, -32_601]);
      const { "io.modelcontextprotocol/clientCapabilities": _, ...bare } = meta;
      const lacking = await answerTo({ ...list, params: { _meta: bare } }, currentHeaders("tools/list"));
      assert.deepEqual([lacking.status, lacking.code], [400, -32_602]);
      const future = { ...meta, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
      const headers = { "mcp-protocol-version": "2099-01-01", "mcp-method": "tools/list" };
      const unsupported = await answerTo({ ...list, params: { _meta: future } }, headers);
      assert.deepEqual([unsupported.status, unsupported.code], [400, -32_022]);
      assert.deepEqual((unsupported.data as { supported: string[] }).supported.slice(0, 2), [
        "2026-07-28",
        "2025-11-25",
      ]);
      const odd = await answerTo({ method: "ping" }, { "mcp-protocol-version": "1999-01-01" });
      assert.deepEqual([odd.status, odd.code], [400, -32_022]);
    });

    it("answers what is no message in the words of the protocol, and 405 to GET and DELETE", async (t) => {
      const { platform, url } = await start(t, []);
      const send = async (body: string) => {
        const response = await fetch(`${url}/api/v1/mcp`, {
          method: "POST",
          headers: { authorization: `Bearer ${platform.token}`, "content-type": "application/json" },
          body,
        });
        const { jsonrpc, error } = (await response.json()) as { jsonrpc: string; error: { code: number } };
        return [response.status, jsonrpc, error.code];
      };
      assert.deepEqual(await send("{"), [400, "2.0", -32_700]);
      assert.deepEqual(await send("[]"), [400, "2.0", -32_600]);
      assert.deepEqual(await send('[{"jsonrpc":"2.0","id":1,"method":"ping"}]'), [400, "2.0", -32_600]);
      assert.deepEqual(await send('{"jsonrpc":"2.0","id":1,"result":{}}'), [400, "2.0", -32_600]);
      assert.deepEqual(await send(`"${"x".repeat(1_100_000)}"`), [413, "2.0", 413]);
      for (const method of ["GET", "DELETE"]) {
        const response = await fetch(`${url}/api/v1/mcp`, { method });
        assert.deepEqual([response.status, response.headers.get("allow")], [405, "POST"]);
      }
    });
  });
});
