import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tool } from "@weft/engine/ports/tool";
import type { JsonObject } from "@weft/schema";
import { stringify } from "yaml";
import { sendJson, startBench } from "../testing/bench.ts";

test("files come as text, data URI or link; relative servers count from the link", async (t) => {
  const text = stringify({ openapi: "3.0.0", servers: [{ url: "../v2" }], paths: { "/x": { get: {} } } });
  const bench = await startBench(t, ({ url }, response) => {
    if (url === "/docs/api.yaml") response.end(text);
    else sendJson(response, url === "/v2/x" ? 200 : 404, {});
  });
  const server = bench.base;
  const base64 = Buffer.from(text).toString("base64");
  for (const openApiFile of [
    text,
    `data:application/x-yaml;base64,${base64},filename:a.yaml`,
    `data:application/x-yaml;base64,${base64}`,
    `data:text/yaml,${encodeURIComponent(text)}`,
  ]) {
    assert.equal((await bench.build("openapi-toolkit", { openApiFile, server })).length, 1);
  }
  const [tool] = await bench.build("openapi-toolkit", { openApiLink: `${bench.base}/docs/api.yaml` });
  assert.equal((await tool?.call({}, bench.context()))?.content, "{}");
  await assert.rejects(bench.build("openapi-toolkit", { openApiFile: text }), /\.\.\/v2, which is not an absolute/);
  await assert.rejects(bench.build("openapi-toolkit", { openApiLink: `${bench.base}/none` }), /returned 404/);
});

test("what cannot be read is tool-invalid with a sentence", async (t) => {
  const bench = await startBench(t);
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghij"
    .split("")
    .map((name, index) => `${name}: &${name} [${`*${"abcdefghij"[index]},`.repeat(9)}]`)
    .join("\n")}`;
  const paths = { "/x": { get: { parameters: [{ $ref: "other.yaml#/P" }] } } };
  const cases: [string, RegExp][] = [
    ["", /no OpenAPI file/],
    ["swagger: '2.0'\npaths: {}", /Swagger 2\.0\. Convert it/],
    ["openapi: 3.2.0\npaths: {}", /OpenAPI 3\.2\.0\. Versions 3\.0 and 3\.1/],
    ["paths: {}", /does not say its version/],
    ["openapi: 3.0.0", /no operation/],
    ["just text", /does not hold/],
    ["a: [", /neither valid YAML nor JSON/],
    [bomb, /alias/],
    ["openapi: 3.0.0\nx: &x [*x]\npaths: {}", /neither valid|circular/],
    ["[".repeat(100_000), /neither valid YAML nor JSON/],
    [`openapi: 3.0.0\nx: "${"y".repeat(5 * 1024 * 1024)}"`, /larger than 5 MiB/],
    [JSON.stringify({ openapi: "3.0.0", servers: [{ url: bench.base }], paths }), /other\.yaml#\/P/],
    [JSON.stringify({ openapi: "3.0.0", paths: { "/x": { get: {} } } }), /does not define a server/],
    ["FILE-STORAGE::a.yaml", /another platform/],
    ["data:text/yaml", /without data/],
  ];
  for (const [openApiFile, message] of cases) {
    await assert.rejects(bench.build("openapi-toolkit", { openApiFile }), { code: "tool-invalid", message });
  }
});

test("a huge or deeply shared description stays small for the model and is parsed once", async (t) => {
  const bench = await startBench(t);
  const schemas: JsonObject = {};
  for (let level = 0; level < 40; level += 1) {
    const next = { $ref: `#/components/schemas/S${level + 1}` };
    schemas[`S${level}`] = { type: "object", properties: { a: next, b: next, c: next } };
  }
  schemas.S40 = { type: "string" };
  const requestBody = {
    required: true,
    content: { "application/json": { schema: { $ref: "#/components/schemas/S0" } } },
  };
  const document = {
    openapi: "3.1.0",
    servers: [{ url: bench.base }],
    paths: { "/x": { post: { operationId: "big", requestBody } } },
    components: { schemas },
  };
  const config = { openApiFile: stringify(document) };
  const [first] = await bench.build("openapi-toolkit", config);
  assert.ok(JSON.stringify(first?.parameters).length < 60_000);
  const [second] = await bench.build("openapi-toolkit", config);
  const propertyOf = (tool: Tool | undefined) => (tool?.parameters.properties as JsonObject | undefined)?.a;
  assert.equal(propertyOf(first), propertyOf(second), "the compiled schema is shared");
});

test("a long YAML text is read aside, its mistakes too", async (t) => {
  const bench = await startBench(t);
  const long = `# ${"x".repeat(100_000)}\nopenapi: 3.0.0\nservers: [{ url: "${bench.base}" }]\npaths: { /x: { get: {} } }\n`;
  const [first, second] = await Promise.all([
    bench.build("openapi-toolkit", { openApiFile: long }),
    bench.build("openapi-toolkit", { openApiFile: long }),
  ]);
  assert.deepEqual([first[0]?.name, second[0]?.name], ["get_x", "get_x"]);
  await assert.rejects(bench.build("openapi-toolkit", { openApiFile: `${long}\na: [` }), /neither valid YAML nor JSON/);
});

test("more operations than models take are refused with advice", async (t) => {
  const bench = await startBench(t);
  const paths = Object.fromEntries(Array.from({ length: 129 }, (_none, index) => [`/p${index}`, { get: {} }]));
  const openApiFile = JSON.stringify({ openapi: "3.0.0", servers: [{ url: bench.base }], paths });
  await assert.rejects(bench.build("openapi-toolkit", { openApiFile }), /129 operations.*at most 128/);
});
