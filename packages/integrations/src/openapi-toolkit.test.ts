import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createEgressClient } from "@weft/egress";
import { createEventApi, eventApiDocument } from "@weft/event-api";
import type { JsonObject } from "@weft/schema";
import { stringify } from "yaml";
import { callTool, sendJson, startBench, type TestBench, toolNamed } from "./testing/bench.ts";

const petDocument = {
  openapi: "3.0.3",
  info: { title: "Pets", version: "1" },
  paths: {
    "/pets/{id}": {
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "integer", format: "int64" } },
        { $ref: "#/components/parameters/Trace" },
        { name: "session", in: "cookie", schema: { type: "string" } },
      ],
      get: {
        summary: "One pet",
        parameters: [
          { name: "fields", in: "query", explode: false, schema: { type: "array", items: { type: "string" } } },
          { name: "tags[]", in: "query", schema: { type: "array", items: { type: "string" } } },
          { name: "filter", in: "query", style: "deepObject", schema: { type: "object" } },
          { name: "limit", in: "query", schema: { type: "integer", minimum: 0, exclusiveMinimum: true } },
          { name: "where", in: "query", content: { "application/json": { schema: { type: "object" } } } },
          { name: "Authorization", in: "header", schema: { type: "string" } },
        ],
      },
      put: {
        operationId: "replace pet!",
        description: "Replaces",
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
        },
      },
    },
    "/login": {
      post: {
        operationId: "login",
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: {
                type: "object",
                required: ["user"],
                properties: { user: { type: "string" }, scopes: { type: "array" } },
              },
            },
          },
        },
      },
    },
    "/upload": {
      post: {
        operationId: "upload",
        requestBody: {
          required: true,
          content: { "multipart/form-data": { schema: { type: "object", properties: { note: { type: "string" } } } } },
        },
      },
    },
    "/echo": {
      post: { operationId: "echo", requestBody: { required: true, content: { "text/plain": {} } } },
      patch: {
        operationId: "list",
        requestBody: {
          required: true,
          content: { "application/json": { schema: { type: "array", items: { type: "integer" } } } },
        },
      },
    },
  },
  components: {
    parameters: { Trace: { name: "X-Trace", in: "header", description: "Trace id", schema: { type: "string" } } },
    schemas: {
      Named: { type: "object", required: ["name"], properties: { name: { type: "string", pattern: "^\\-?a" } } },
      Pet: {
        allOf: [
          { $ref: "#/components/schemas/Named" },
          {
            type: "object",
            required: ["id"],
            properties: {
              id: { type: "integer", readOnly: true },
              born: { type: "string", format: "date-time", nullable: true, example: "2020-01-01T00:00:00Z" },
              parent: { $ref: "#/components/schemas/Pet" },
            },
          },
        ],
      },
    },
  },
};

async function startPets(t: TestContext): Promise<{ bench: TestBench; config: JsonObject }> {
  const bench = await startBench(t, (request, response) =>
    sendJson(response, 200, { url: request.url, body: request.body }),
  );
  return { bench, config: { openApiFile: stringify(petDocument), server: `${bench.base}/v1/` } };
}

test("the event API's own description makes its five operations work", async (t) => {
  const api = createEventApi();
  await new Promise<void>((resolve) => api.server.listen(0, "127.0.0.1", resolve));
  const port = (api.server.address() as AddressInfo).port;
  const http = createEgressClient({ allow: [`127.0.0.1:${port}`] });
  t.after(async () => {
    await http.close();
    api.server.close();
  });
  const bench = await startBench(t);
  const config = { yamlFile: await eventApiDocument(), server: `http://127.0.0.1:${port}` };
  const tools = await bench.build("openapi-toolkit", config, { http });
  assert.deepEqual(
    tools.map(({ name, kind }) => [name, kind]),
    [
      ["listEvents", "read"],
      ["createEvent", "write"],
      ["getEventById", "read"],
      ["updateEventDetails", "write"],
      ["deleteEvent", "write"],
    ],
  );
  const call = (name: string, args: JsonObject) => callTool(toolNamed(tools, name), args, bench.context({ http }));
  assert.equal(JSON.parse((await call("listEvents", {})).content).length, 5);
  const event = { name: "Meetup", date: "2026-05-01T18:00:00", location: "Oslo" };
  const created = JSON.parse((await call("createEvent", event)).content);
  assert.equal((await call("getEventById", {})).isError, true);
  const changed = await call("updateEventDetails", { ...event, id: created.id, name: "Party" });
  assert.equal(JSON.parse(changed.content).name, "Party");
  assert.match((await call("updateEventDetails", { id: created.id })).content, /name/);
  assert.match((await call("deleteEvent", { id: created.id })).content, /^204 No Content: done/);
  const gone = await call("getEventById", { id: created.id });
  assert.equal(gone.content, 'The API answered 404 Not Found: {"error":"Event not found"}');
});

test("reads path-level and referenced parameters of every style, and skips cookies", async (t) => {
  const { bench, config } = await startPets(t);
  const tool = toolNamed(await bench.build("openapi-toolkit", config), "get_pets_id");
  assert.equal(tool.description, "One pet");
  assert.deepEqual(Object.keys(tool.parameters.properties as object), [
    "id",
    "X-Trace",
    "fields",
    "tags_",
    "filter",
    "limit",
    "where",
  ]);
  assert.deepEqual((tool.parameters.properties as JsonObject).limit, {
    type: "integer",
    minimum: 0,
    exclusiveMinimum: 0,
  });
  const args = {
    id: 7,
    "X-Trace": "t1",
    fields: ["a", "b"],
    tags_: ["x", "y"],
    filter: { colour: "red", size: null },
    limit: 3,
    where: { a: [1] },
  };
  const result = await callTool(tool, args, bench.context());
  const url = new URL(JSON.parse(result.content).url, bench.base);
  assert.equal(url.pathname, "/v1/pets/7");
  assert.deepEqual(
    [...url.searchParams],
    [
      ["fields", "a,b"],
      ["tags[]", "x"],
      ["tags[]", "y"],
      ["filter[colour]", "red"],
      ["limit", "3"],
      ["where", '{"a":[1]}'],
    ],
  );
  assert.equal(bench.received[0]?.headers["x-trace"], "t1");
  const evil = await callTool(tool, { id: 7, "X-Trace": "a\r\nEvil: 1" }, bench.context());
  assert.match(evil.content, /line break/);
  assert.equal(bench.received.length, 1);
});

test("bodies: merged allOf, recursive, read-only and nullable properties", async (t) => {
  const { bench, config } = await startPets(t);
  const tool = toolNamed(await bench.build("openapi-toolkit", config), "replace_pet");
  const { properties, required } = tool.parameters as { properties: JsonObject; required: string[] };
  assert.deepEqual(required, ["id", "name"]);
  assert.deepEqual(properties.name, { type: "string" });
  assert.deepEqual(properties.born, {
    type: ["string", "null"],
    description: 'Format: date-time. Example: "2020-01-01T00:00:00Z".',
  });
  assert.ok(JSON.stringify(tool.parameters).length < 5_000);
  assert.doesNotMatch(JSON.stringify(tool.parameters), /\$ref/);
  await callTool(tool, { id: 1, name: "Rex", born: null, parent: { name: "Max" } }, bench.context());
  assert.equal(bench.received[0]?.body, '{"name":"Rex","born":null,"parent":{"name":"Max"}}');
  assert.equal(bench.received[0]?.url, "/v1/pets/1");
});

test("bodies: form, multipart, text and plain lists", async (t) => {
  const { bench, config } = await startPets(t);
  const tools = await bench.build("openapi-toolkit", config);
  const call = (name: string, args: JsonObject) => callTool(toolNamed(tools, name), args, bench.context());
  await call("login", { user: "a&b", scopes: ["x", "y"] });
  await call("login", {});
  await call("upload", { note: "hällo" });
  await call("echo", { body: "as it is\n" });
  await call("list", { body: [1, 2] });
  const [form, none, multipart, text, list] = bench.received;
  assert.equal(form?.body, "user=a%26b&scopes=x&scopes=y");
  assert.equal(form?.headers["content-type"], "application/x-www-form-urlencoded");
  assert.equal(none?.body, "");
  assert.match(multipart?.headers["content-type"] ?? "", /^multipart\/form-data; boundary=/);
  assert.match(multipart?.body ?? "", /name="note"\r\n\r\nhällo\r\n/);
  assert.deepEqual([text?.body, text?.headers["content-type"]], ["as it is\n", "text/plain"]);
  assert.equal(list?.body, "[1,2]");
  const incomplete = await call("login", { scopes: ["x"] });
  assert.match(incomplete.content, /also requires: user/);
});

test("clashing names: the body goes under one argument, parameters are told apart", async (t) => {
  const bench = await startBench(t);
  const document = {
    openapi: "3.1.0",
    servers: [{ url: "{scheme}://127.0.0.1:{port}/api", variables: { scheme: { default: "http" }, port: {} } }],
    paths: {
      "/items/{id}": {
        post: {
          operationId: "save",
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string" } },
            { name: "id", in: "query", schema: { type: ["string", "null"] } },
          ],
          requestBody: {
            required: true,
            content: { "application/json": { schema: { type: "object", properties: { id: {}, n: {} } } } },
          },
        },
      },
    },
  };
  document.servers[0] = { ...document.servers[0], url: `{scheme}://${new URL(bench.base).host}/api` } as never;
  const [tool] = await bench.build("openapi-toolkit", { openApiFile: JSON.stringify(document) });
  assert.deepEqual(Object.keys(tool?.parameters.properties as object), ["id", "query_id", "body"]);
  await tool?.call({ id: "1/2", query_id: "q", body: { id: 5 } }, bench.context());
  assert.deepEqual([bench.received[0]?.url, bench.received[0]?.body], ["/api/items/1%2F2?id=q", '{"id":5}']);
  const climbing = await tool?.call({ id: "../../x", body: {} }, bench.context());
  assert.equal(climbing?.isError, true);
  assert.equal(bench.received.length, 1);
});

test("chooses operations by id or METHOD /path, and refuses unknown ones by name", async (t) => {
  const { bench, config } = await startPets(t);
  const tools = await bench.build("openapi-toolkit", { ...config, operations: ["login", "get /pets/{id}", ""] });
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["get_pets_id", "login"],
  );
  await assert.rejects(bench.build("openapi-toolkit", { ...config, operations: ["nope"] }), {
    code: "tool-invalid",
    message: /no operation nope\. It has: GET \/pets\/\{id\}, replace pet!/,
  });
});

test("return direct marks good answers only; nulls are removed on request", async (t) => {
  const bench = await startBench(t, ({ body }, response) => sendJson(response, body.includes("bad") ? 400 : 200, body));
  const schema = {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, note: { type: "string" }, deep: { type: "object" } },
  };
  const document = {
    openapi: "3.1.0",
    servers: [{ url: bench.base }],
    paths: { "/x": { post: { requestBody: { required: true, content: { "application/json": { schema } } } } } },
  };
  const config = { openApiFile: JSON.stringify(document), returnDirect: true, removeNulls: true };
  const args = { name: "x", note: null, deep: { a: null, b: { c: null } } };
  const good = await bench.call("openapi-toolkit", config, args);
  assert.equal(good.returnDirect, true);
  assert.equal(bench.received[0]?.body, '{"name":"x"}');
  const bad = await bench.call("openapi-toolkit", config, { name: "bad" });
  assert.equal(bad.returnDirect, undefined);
  assert.equal(bad.isError, true);
  const strict = await bench.call("openapi-toolkit", { ...config, removeNulls: false }, args);
  assert.equal(strict.isError, true);
});

test("custom code makes the call in the sandbox", async (t) => {
  const { bench, config } = await startPets(t);
  const customCode = `
    const response = await fetch($url, $options);
    const { url, body } = await response.json();
    return { url, body, method: $options.method, path: $PathParameters, sent: $RequestBody, vars: $vars, flow: $flow };`;
  const run = { ...config, customCode, operations: ["replace pet!"], headers: { "x-key": "k" } };
  const result = await bench.call("openapi-toolkit", run, { id: 3, name: "Rex" });
  assert.equal(result.isError, undefined, result.content);
  assert.deepEqual(JSON.parse(result.content), {
    url: "/v1/pets/3",
    body: '{"name":"Rex"}',
    method: "PUT",
    path: { id: 3 },
    sent: { name: "Rex" },
    vars: { team: "blue" },
    flow: { chatId: "chat-1" },
  });
  assert.equal(bench.received[0]?.headers["x-key"], "k");
  const failing = await bench.call(
    "openapi-toolkit",
    { ...run, customCode: "throw new TypeError('no luck')" },
    {
      id: 3,
      name: "Rex",
    },
  );
  assert.deepEqual([failing.isError, failing.content], [true, "The tool's custom code failed: TypeError: no luck"]);
});

test("Server takes templates; one that comes out empty does not fall back to the file's server", async (t) => {
  const { bench, config } = await startPets(t);
  const render = (text: string) => text.replace("{{ $vars.pets }}", `${bench.base}/v1`).replace("{{ $vars.none }}", "");
  const build = (server: string) => bench.build("openapi-toolkit", { ...config, server }, { render });
  const tool = toolNamed(await build("{{ $vars.pets }}"), "get_pets_id");
  assert.notEqual((await callTool(tool, { id: 3 }, bench.context())).isError, true);
  assert.match(bench.received[0]?.url ?? "", /^\/v1\/pets\/3/);
  await assert.rejects(build("{{ $vars.none }}"), { code: "tool-invalid", message: /setting Server is empty/ });
});
