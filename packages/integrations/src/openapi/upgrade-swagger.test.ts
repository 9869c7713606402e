import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@weft/schema";
import { stringify } from "yaml";
import { processorMs } from "../../../schema/src/testing/processor-time.ts";
import { callTool, startBench, toolNamed } from "../testing/bench.ts";

const swagger = (rest: JsonObject): JsonObject => ({ swagger: "2.0", info: { title: "Pets", version: "1" }, ...rest });

const form = ["application/x-www-form-urlencoded"];

const pets = (host: string) =>
  swagger({
    host,
    basePath: "/v2",
    schemes: ["http"],
    consumes: ["application/json"],
    parameters: {
      Trace: { name: "X-Trace", in: "header", type: "string" },
      Kind: { name: "kind", in: "formData", type: "string", enum: ["a", "b"] },
      PetBody: { name: "pet", in: "body", required: true, schema: { $ref: "#/definitions/Pet" } },
    },
    definitions: {
      Pet: {
        type: "object",
        required: ["name"],
        properties: {
          id: { type: "integer", readOnly: true },
          name: { type: "string" },
          parent: { $ref: "#/definitions/Pet" },
        },
      },
    },
    paths: {
      "/pets/{id}": {
        parameters: [{ name: "id", in: "path", required: true, type: "integer" }, { $ref: "#/parameters/Trace" }],
        get: {
          operationId: "getPet",
          summary: "One pet",
          parameters: [
            { name: "fields", in: "query", type: "array", items: { type: "string" }, collectionFormat: "csv" },
            { name: "tags", in: "query", type: "array", items: { type: "string" }, collectionFormat: "multi" },
            { name: "names", in: "query", type: "array", items: { type: "string" }, collectionFormat: "pipes" },
            { name: "limit", in: "query", type: "integer", minimum: 1, default: 5, description: "How many" },
          ],
          responses: { 200: { description: "A pet", schema: { $ref: "#/definitions/Pet" } } },
        },
      },
      "/pets": {
        post: { operationId: "addPet", parameters: [{ $ref: "#/parameters/PetBody" }], responses: {} },
        put: {
          operationId: "putPet",
          parameters: [{ name: "pet", in: "body", required: true, schema: { $ref: "#/definitions/Pet" } }],
          responses: {},
        },
      },
      "/notes": {
        put: { operationId: "note", consumes: form, parameters: [{ $ref: "#/parameters/Kind" }], responses: {} },
        parameters: [{ name: "text", in: "formData", type: "string", required: true }],
      },
      "/login": {
        post: {
          operationId: "login",
          consumes: form,
          parameters: [
            { name: "user", in: "formData", type: "string", required: true },
            { name: "keep", in: "formData", type: "boolean" },
          ],
          responses: {},
        },
      },
    },
  });

test("a Swagger 2.0 description becomes the same tools and requests as OpenAPI 3", async (t) => {
  const bench = await startBench(t);
  const { host } = new URL(bench.base);
  const tools = await bench.build("openapi-toolkit", { openApiFile: stringify(pets(host)) });
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["getPet", "addPet", "putPet", "note", "login"],
  );
  const get = toolNamed(tools, "getPet");
  assert.partialDeepStrictEqual(get.parameters, {
    required: ["id"],
    properties: {
      id: { type: "integer" },
      tags: { type: "array", items: { type: "string" } },
      limit: { type: "integer", minimum: 1, default: 5, description: "How many" },
    },
  });
  await callTool(
    get,
    { id: 7, fields: ["a", "b"], tags: ["x", "y"], names: ["n", "m"], "X-Trace": "t" },
    bench.context(),
  );
  for (const name of ["addPet", "putPet"]) {
    const write = toolNamed(tools, name);
    assert.partialDeepStrictEqual(write.parameters, { required: ["name"] });
    assert.deepEqual(Object.keys(write.parameters.properties as JsonObject), ["name", "parent"]);
    await callTool(write, { name: "Rex", parent: { name: "Max" } }, bench.context());
  }
  await callTool(toolNamed(tools, "note"), { text: "Hi", kind: "b" }, bench.context());
  await callTool(toolNamed(tools, "login"), { user: "a b", keep: true }, bench.context());
  assert.deepEqual(
    bench.received.map(({ method, url, body }) => [method, url, body]),
    [
      ["GET", "/v2/pets/7?fields=a%2Cb&tags=x&tags=y&names=n%7Cm", ""],
      ["POST", "/v2/pets", '{"name":"Rex","parent":{"name":"Max"}}'],
      ["PUT", "/v2/pets", '{"name":"Rex","parent":{"name":"Max"}}'],
      ["PUT", "/v2/notes", "text=Hi&kind=b"],
      ["POST", "/v2/login", "user=a+b&keep=true"],
    ],
  );
  assert.equal(bench.received[0]?.headers["x-trace"], "t");
  assert.match(bench.received[4]?.headers["content-type"] ?? "", /^application\/x-www-form-urlencoded/);
});

test("a version without quotes, and a server relative to the link, are read", async (t) => {
  const paths = { "/x": { get: { operationId: "x", responses: {} } } };
  const text = stringify(swagger({ basePath: "/v3", paths })).replace('"2.0"', "2.0");
  assert.match(text, /swagger: 2\.0/);
  const bench = await startBench(t, ({ url }, response) => response.end(url === "/api.yaml" ? text : "{}"));
  const [tool] = await bench.build("openapi-toolkit", { openApiLink: `${bench.base}/api.yaml` });
  assert.ok(tool);
  await callTool(tool, {}, bench.context());
  assert.equal(bench.received.at(-1)?.url, "/v3/x");
});

test("what cannot be converted is refused with advice, and nothing outside of the file is read", async (t) => {
  const bench = await startBench(t);
  const get = { operationId: "x", responses: {} };
  const deep: JsonObject = {};
  for (let at = deep, level = 0; level < 300; level += 1) at = at.a = {};
  const { host } = new URL(bench.base);
  const cases: [JsonObject, RegExp][] = [
    [swagger({ paths: { "/x": { get: null } } }), /Swagger 2\.0\. Convert it/],
    [swagger({ paths: { "/x": { get } }, definitions: { deep } }), /Swagger 2\.0\. Convert it/],
    [{ swagger: "1.2", paths: { "/x": { get } } }, /Swagger 1\.2\. Convert it/],
    [
      swagger({ host, paths: { "/x": { get: { ...get, parameters: [{ $ref: `${bench.base}/p.json#/P` }] } } } }),
      /refers to http.*which is not in the file/,
    ],
  ];
  for (const [document, message] of cases) {
    const openApiFile = JSON.stringify(document);
    await assert.rejects(bench.build("openapi-toolkit", { openApiFile }), { code: "tool-invalid", message });
  }
  assert.deepEqual(bench.received, []);
});

test("names that are special in JavaScript change no other object", async (t) => {
  const bench = await startBench(t);
  const { host } = new URL(bench.base);
  const response = '{"description":"","examples":{"__proto__":"polluted","named":"polluted"}}';
  const get = `{"operationId":"x","produces":["__proto__"],"responses":{"200":${response}}}`;
  const openApiFile = `{"swagger":"2.0","host":"${host}","paths":{"/x":{"get":${get}}},"definitions":{"__proto__":{}}}`;
  assert.equal((await bench.build("openapi-toolkit", { openApiFile })).length, 1);
  assert.deepEqual([Reflect.get({}, "example"), Reflect.get({}, "examples")], [undefined, undefined]);
});

test("a description of several megabytes is converted aside", async (t) => {
  const bench = await startBench(t);
  const property = { type: "string", description: "x".repeat(100) };
  const definitions = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, index) => [
      `D${index}`,
      {
        type: "object",
        properties: Object.fromEntries(Array.from({ length: 12 }, (_none, at) => [`p${at}`, property])),
      },
    ]),
  );
  const { host } = new URL(bench.base);
  const paths = { "/x": { get: { operationId: "x", responses: {} } } };
  const openApiFile = JSON.stringify(swagger({ host, paths, definitions }));
  assert.ok(openApiFile.length > 3_000_000);
  const begun = processorMs();
  assert.equal((await bench.build("openapi-toolkit", { openApiFile })).length, 1);
  const tookMs = processorMs() - begun;
  assert.ok(tookMs < 500, `${tookMs} ms of the thread that serves`);
});
