import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { effectOf } from "@weft/engine/agent";
import type { JsonObject } from "@weft/schema";
import { callTool, sendJson, startBench, type TestBench, toolNamed } from "./testing/bench.ts";
import { type McpScript, said } from "./testing/scripted-mcp.ts";
import { createScriptedMcpServer, type HttpMcpScript } from "./testing/scripted-mcp-server.ts";

const weather = {
  name: "weather.get",
  description: "The weather of a city.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  annotations: { readOnlyHint: true },
};
const tools: McpScript["tools"] = [weather, { name: "book", title: "Books a table" }];
const calls: Required<McpScript>["calls"] = {
  "weather.get": ({ city }) => said(`Sunny in ${city}`),
  book: () => said("Booked"),
};

async function open(t: TestContext, script: Partial<HttpMcpScript> = {}) {
  const server = createScriptedMcpServer({ era: "modern", tools, calls, ...script });
  const bench = await startBench(t, server);
  return { server, bench, url: `${bench.base}/mcp` };
}

const methodsOf = (bench: TestBench) =>
  bench.received.map(({ method, body }) => (method === "POST" ? (JSON.parse(body) as JsonObject).method : method));

async function callFirst(bench: TestBench, config: JsonObject, args: JsonObject = {}) {
  const [tool] = await bench.build("mcp-server", config);
  assert.ok(tool);
  return callTool(tool, args, bench.context());
}

describe("mcp-server", () => {
  for (const era of ["modern", "legacy"] as const) {
    for (const answers of ["json", "sse"] as const) {
      it(`lists and calls tools of a ${era} server that answers ${answers}`, async (t) => {
        const { bench, url } = await open(t, { era, answers, sessions: true });
        const built = await bench.build("mcp-server", { url });
        assert.deepEqual(
          built.map(({ name, description, kind, parameters }) => ({ name, description, kind, parameters })),
          [
            { name: "weather_get", description: weather.description, kind: "read", parameters: weather.inputSchema },
            { name: "book", description: "Books a table", kind: "write", parameters: { type: "object" } },
          ],
        );
        const result = await callTool(toolNamed(built, "weather_get"), { city: "Oslo" }, bench.context());
        assert.equal(result.content, "Sunny in Oslo");
        assert.equal(result.isError, undefined);
        assert.equal(result.details?.tool, "weather.get");
      });
    }
  }

  it("asks a server of the current revision for nothing but what it needs", async (t) => {
    const { bench, url } = await open(t);
    await callFirst(bench, { url }, { city: "Oslo" });
    await callFirst(bench, { url }, { city: "Rome" });
    assert.deepEqual(methodsOf(bench), ["server/discover", "tools/list", "tools/call", "tools/call"]);
  });

  it("leaves no session open, and opens no stream that nobody reads", async (t) => {
    const { bench, server, url } = await open(t, { era: "legacy", sessions: true });
    await callFirst(bench, { url }, { city: "Oslo" });
    assert.equal(server.open.size, 0);
    assert.deepEqual(methodsOf(bench), [
      "server/discover",
      ...["initialize", "notifications/initialized", "tools/list", "DELETE"],
      ...["initialize", "notifications/initialized", "tools/call", "DELETE"],
    ]);
  });

  it("reads a list again after a minute, page by page", async (t) => {
    const { bench, url } = await open(t, { pageSize: 1 });
    const lists = () => methodsOf(bench).filter((method) => method === "tools/list").length;
    assert.equal((await bench.build("mcp-server", { url })).length, 2);
    await bench.build("mcp-server", { url });
    assert.equal(lists(), 2);
    bench.passTime(60_000);
    await bench.build("mcp-server", { url });
    assert.equal(lists(), 4);
  });

  it("shares no list between credentials", async (t) => {
    const { bench, url } = await open(t, { token: "s3cret" });
    assert.equal((await bench.build("mcp-server", { url, credential: "c1" })).length, 2);
    await assert.rejects(bench.build("mcp-server", { url, headers: { authorization: "Bearer wrong" } }), {
      code: "tool-invalid",
      message: /rejected the credential \(status 401\)/,
    });
  });

  it("renders address and headers", async (t) => {
    const { bench } = await open(t);
    const render = (text: string) => text.replace("{{ place }}", "mcp");
    const headers = { "x-place": "{{ place }}" };
    await bench.build("mcp-server", { url: `${bench.base}/{{ place }}`, headers }, { render });
    assert.equal(bench.received[0]?.url, "/mcp");
    assert.equal(bench.received[0]?.headers["x-place"], "mcp");
  });

  it("offers chosen tools only, and says which there are when one is missing", async (t) => {
    const { bench, url } = await open(t);
    const chosen = await bench.build("mcp-server", { url, tools: ["book"] });
    assert.deepEqual(
      chosen.map(({ name }) => name),
      ["book"],
    );
    const left = await bench.build("mcp-server", { url, tools: ["book", "gone"] });
    assert.deepEqual(
      left.map(({ name }) => name),
      ["book"],
    );
    await assert.rejects(bench.build("mcp-server", { url, tools: ["nothing"] }), {
      code: "tool-invalid",
      message: /has no tool nothing\. It has: weather\.get, book\./,
    });
  });

  it("makes names that models take, each once, and sends the server's own", async (t) => {
    const long = "x".repeat(100);
    const names = ["a b", "a.b", "a_b", long, "übung"];
    const asked: string[] = [];
    const { bench, url } = await open(t, {
      tools: names.map((name) => ({ name })),
      calls: Object.fromEntries(names.map((name) => [name, () => said(`It is ${asked.push(name)}`)])),
    });
    const built = await bench.build("mcp-server", { url });
    assert.deepEqual(
      built.map(({ name }) => name),
      ["a_b", "a_b_2", "a_b_3", "x".repeat(64), "bung"],
    );
    for (const tool of built.slice(0, 4)) await callTool(tool, {}, bench.context());
    assert.deepEqual(asked, names.slice(0, 4));
  });

  it("refuses more tools than models take, and schemas that are too large", async (t) => {
    const many = Array.from({ length: 101 }, (_, index) => ({ name: `tool_${index}` }));
    const { bench, url } = await open(t, { tools: many });
    await assert.rejects(bench.build("mcp-server", { url }), { message: /101 tools, and models take at most 100/ });
    const large = { name: "large", inputSchema: { type: "object", description: "x".repeat(100_000) } };
    const other = await open(t, { tools: [large, { name: "wordy", description: "x".repeat(9_000) }] });
    await assert.rejects(other.bench.build("mcp-server", { url: other.url }), { message: /schema .* is too large/ });
    const [wordy] = await other.bench.build("mcp-server", { url: other.url, tools: ["wordy"] });
    assert.equal(wordy?.description.length, 4_000);
  });

  it("describes what is no text, and adds structured content that no text repeats", async (t) => {
    const content = [
      { type: "text", text: "Two files." },
      { type: "image", data: Buffer.from("picture").toString("base64"), mimeType: "image/png" },
      { type: "resource_link", uri: "file:///a.md", name: "a.md", description: "Notes" },
      { type: "resource", resource: { uri: "file:///b.md", text: "The text of b." } },
      { type: "resource", resource: { uri: "file:///c", blob: "AAAA", mimeType: "application/zip" } },
    ];
    const { bench, url } = await open(t, {
      tools: [
        { name: "files", outputSchema: { type: "object", required: ["never"] } },
        { name: "same" },
        { name: "none" },
      ],
      calls: {
        files: () => ({ content, structuredContent: { count: 2 } }),
        same: () => ({ content: [{ type: "text", text: '{ "count": 2 }' }], structuredContent: { count: 2 } }),
        none: () => ({ content: [] }),
      },
    });
    const built = await bench.build("mcp-server", { url });
    const contents = await Promise.all(built.map(async (tool) => (await tool.call({}, bench.context())).content));
    assert.deepEqual(contents, [
      [
        "Two files.",
        "[image: image/png, 7 bytes, which is not shown]",
        "[resource: file:///a.md (a.md: Notes)]",
        "[resource: file:///b.md]",
        "The text of b.",
        "[resource: file:///c, application/zip, 3 bytes, which is not shown]",
        '{"count":2}',
      ].join("\n"),
      '{ "count": 2 }',
      "Done. The tool answered nothing.",
    ]);
  });

  it("gives errors of tools and of the protocol to the model", async (t) => {
    const { bench, url } = await open(t, {
      tools: [{ name: "fails" }, { name: "unknown" }],
      calls: { fails: () => ({ ...said("No such table."), isError: true }) },
    });
    const [fails, unknown] = await bench.build("mcp-server", { url });
    const failed = await fails?.call({}, bench.context());
    assert.deepEqual([failed?.content, failed?.isError], ["No such table.", true]);
    const refused = await unknown?.call({}, bench.context());
    assert.match(refused?.content ?? "", /refused the call: .*Unknown tool: unknown$/);
    assert.equal(refused?.isError, true);
  });

  it("cuts long results", async (t) => {
    const { bench, url } = await open(t, { tools: [{ name: "long" }], calls: { long: () => said("x".repeat(5_000)) } });
    const { content } = await callFirst(bench, { url, maxCharacters: 100 });
    assert.match(content, /^x{100}\n\[Cut here: the first 100 characters of 5000\./);
  });

  it("says that a write may have taken effect when its answer is lost, and of a read nothing of that kind", async (t) => {
    const { bench, url } = await open(t, {
      calls: { book: () => new Promise(() => {}), "weather.get": () => new Promise(() => {}) },
    });
    const built = await bench.build("mcp-server", { url, timeoutMs: 1_000 });
    const [booked, read] = await Promise.all([
      toolNamed(built, "book").call({}, bench.context()),
      toolNamed(built, "weather_get").call({ city: "Oslo" }, bench.context()),
    ]);
    assert.match(booked.content, /did not answer within 1000 ms\. It is unknown whether the call took effect/);
    assert.match(read.content, /did not answer within 1000 ms\.$/);
  });

  for (const era of ["modern", "legacy"] as const) {
    it(`stops at once when the run is cancelled, with a ${era} server`, async (t) => {
      const began = Promise.withResolvers<void>();
      const { bench, server, url } = await open(t, {
        era,
        sessions: true,
        calls: {
          book() {
            began.resolve();
            return new Promise(() => {});
          },
        },
      });
      const built = await bench.build("mcp-server", { url, tools: ["book"] });
      const cancel = new AbortController();
      const call = built[0]?.call({}, bench.context({ signal: cancel.signal }));
      await began.promise;
      const reason = new Error("cancelled");
      cancel.abort(reason);
      await assert.rejects(async () => call, reason);
      assert.equal(server.open.size, 0);
    });
  }

  it("says so when a server never answers, or talks without end and says nothing", async (t) => {
    const bench = await startBench(t, ({ url }, response) => {
      if (url !== "/talks") return;
      response.writeHead(200, { "content-type": "text/event-stream" });
      const talk = setInterval(() => response.write(": still here\n\n"), 50);
      response.on("close", () => clearInterval(talk));
    });
    for (const path of ["silent", "talks"]) {
      const built = bench.build("mcp-server", { url: `${bench.base}/${path}`, timeoutMs: 1_000 });
      await assert.rejects(built, /tools cannot be listed.*did not answer within 1000 ms/);
    }
  });

  it("resumes a stream that breaks no sooner than after a second and no later than after 30, whatever the server asks for", async (t) => {
    const scripted = createScriptedMcpServer({ era: "legacy", tools });
    const asked = ["0", "99999999999"];
    const results: JsonObject[] = [];
    const resumedAt: unknown[] = [];
    const bench = await startBench(t, (request, response) => {
      const isResumed = request.method === "GET";
      const { id, method } = isResumed ? {} : (JSON.parse(request.body) as JsonObject);
      if (!isResumed && method !== "tools/call") return scripted(request, response);
      if (isResumed) resumedAt.push(request.headers["last-event-id"]);
      else results.push({ jsonrpc: "2.0", id: id ?? null, result: said("Booked") });
      const retry = asked.shift();
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (retry === undefined) response.end(`data: ${JSON.stringify(results[0])}\n\n`);
      else response.end(`id: ${retry}\nretry: ${retry}\ndata: \n\n`);
    });
    const built = await bench.build("mcp-server", { url: bench.base, tools: ["book"] });
    const { content } = await toolNamed(built, "book").call({}, bench.context());
    assert.equal(content, "Booked");
    assert.deepEqual(resumedAt, ["0", "99999999999"]);
    assert.deepEqual(bench.pauses, [1_000, 30_000]);
  });

  it("takes what a tool declares destructive for that, and nothing else", async (t) => {
    const annotated = (name: string, annotations?: JsonObject) => ({ name, ...(annotations && { annotations }) });
    const { bench, url } = await open(t, {
      tools: [
        annotated("drop", { destructiveHint: true }),
        annotated("save", { destructiveHint: false }),
        annotated("look", { readOnlyHint: true }),
        annotated("both", { readOnlyHint: true, destructiveHint: true }),
        annotated("silent"),
        annotated("purgeOrders"),
      ],
    });
    const built = await bench.build("mcp-server", { url });
    assert.deepEqual(
      built.map((tool) => `${tool.name} ${effectOf(tool.effect, {}, {})}`),
      ["drop destructive", "save write", "look read", "both destructive", "silent write", "purgeOrders destructive"],
    );
  });

  it("is cancelled while it lists", async (t) => {
    const began = Promise.withResolvers<void>();
    const bench = await startBench(t, () => began.resolve());
    const cancel = new AbortController();
    const built = bench.build("mcp-server", { url: bench.base }, { signal: cancel.signal });
    await began.promise;
    cancel.abort(new Error("cancelled"));
    await assert.rejects(built, /cancelled/);
  });

  it("says what is wrong with a server that cannot be used", async (t) => {
    const bench = await startBench(t, ({ url }, response) => {
      if (url === "/html") response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>");
      else if (url === "/broken") response.writeHead(500).end();
      else if (url === "/odd") sendJson(response, 200, { hello: "world" });
      else if (url === "/large") response.writeHead(200, { "content-type": "application/json" }).end("x".repeat(11e6));
      else response.writeHead(404).end();
    });
    const messageOf = (config: JsonObject) =>
      bench.build("mcp-server", config).then(
        () => "built",
        (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
      );
    assert.match(await messageOf({ url: `${bench.base}/none` }), /^tool-invalid.*status 404\. Check the address/);
    assert.match(await messageOf({ url: `${bench.base}/broken` }), /^tool-invalid.*status 500\.$/);
    assert.match(await messageOf({ url: `${bench.base}/html` }), /^tool-invalid.*did not respond like an MCP server/);
    assert.match(await messageOf({ url: `${bench.base}/odd` }), /^tool-invalid.*did not respond like an MCP server/);
    assert.match(await messageOf({ url: `${bench.base}/large` }), /^tool-invalid.*is larger than/);
    assert.match(await messageOf({ url: "http://127.0.0.1:1/mcp" }), /^tool-invalid.*is not allowed/);
    assert.match(await messageOf({ url: "file:///etc/passwd" }), /^tool-invalid.*not an absolute http/);
    assert.match(await messageOf({}), /^tool-invalid.*needs either an address or the name of a local server/);
    assert.match(await messageOf({ url: bench.base, server: "files" }), /^tool-invalid.*one of them/);
    assert.match(
      await messageOf({ server: "files" }),
      /^tool-invalid.*there is no local server named files\..*: none\./,
    );
    assert.match(
      await messageOf({ server: "/bin/sh", command: "rm", args: ["-rf"] }),
      /^tool-invalid.*there is no local server named \/bin\/sh/,
    );
  });

  it("follows redirects within a server, and none to another", async (t) => {
    const other = await open(t);
    const scripted = createScriptedMcpServer({ era: "modern", tools });
    const bench = await startBench(t, (request, response) => {
      if (request.url === "/mcp") scripted(request, response);
      else response.writeHead(307, { location: request.url === "/moved" ? "/mcp" : other.url }).end();
    });
    assert.equal((await bench.build("mcp-server", { url: `${bench.base}/moved` })).length, 2);
    await assert.rejects(bench.build("mcp-server", { url: `${bench.base}/away` }), { message: /status 307/ });
    assert.equal(other.bench.received.length, 0);
  });
});
