import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createOpenApiDocument, defineRoute, type Route } from "@weft/http";
import { z } from "zod";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform } from "../testing/test-platform.ts";

const run = promisify(execFile);
const source = fileURLToPath(new URL("../", import.meta.url));
const committed = new URL("../../../../openapi.json", import.meta.url);

const hint = "The API changed: run `npm run -s openapi` and commit openapi.json.";

const route = {
  method: "GET",
  summary: "Summary",
  tag: "Things",
  permission: "agents:read",
  errors: [400, 404],
} as const;

await onTestDatabase((databases) => {
  if (databases.name !== "sqlite") return;
  test("the committed document is the served one", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const served = await platform.fetch(new Request("http://platform/openapi.json"));
    assert.equal(served.status, 200);
    assert.deepEqual(await served.json(), JSON.parse(await readFile(committed, "utf8")), hint);
  });
});

test("every reference of the committed document leads somewhere", async () => {
  const text = await readFile(committed, "utf8");
  const document = JSON.parse(text) as unknown;
  const targets = new Set([...text.matchAll(/"\$ref": "#\/([^"]+)"/g)].map(([, target = ""]) => target));
  assert.ok(targets.size > 10);
  for (const target of targets) {
    const found = target.split("/").reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
    assert.equal(typeof found, "object", target);
  }
});

test("the command prints the committed document, without a server", async () => {
  const { stdout } = await run(process.execPath, [`${source}cli/main.ts`, "openapi"], {
    maxBuffer: 64 * 1_024 * 1_024,
  });
  assert.ok(stdout === (await readFile(committed, "utf8")), hint);
});

test("the order of routes makes no difference", () => {
  const routes: Route[] = ["b", "a", "c"].map((name) =>
    defineRoute({ ...route, path: `/${name}`, operationId: name, returns: null, handle: () => undefined }),
  );
  const text = JSON.stringify(createOpenApiDocument(routes, { version: "1" }));
  assert.equal(JSON.stringify(createOpenApiDocument(routes.toReversed(), { version: "1" })), text);
});

test("schemas with an id are shared, parameters and policies are described", () => {
  const thing = z.object({ id: z.string(), note: z.string().default("") }).meta({ id: "Thing" });
  const document = createOpenApiDocument(
    [
      defineRoute({
        ...route,
        path: "/things/{id}",
        operationId: "getThing",
        params: z.object({ id: z.string().meta({ format: "uuid" }) }),
        query: z.object({ size: z.coerce.number().int().optional(), tag: z.string() }),
        returns: { schema: z.array(thing) },
        handle: () => [],
      }),
      defineRoute({
        ...route,
        method: "POST",
        path: "/things",
        operationId: "createThing",
        permission: "open",
        body: z.object({ things: z.array(z.string()) }),
        bodyErrorStatus: 422,
        returns: null,
        errors: [],
        handle: () => undefined,
      }),
    ],
    { version: "1" },
  );
  // biome-ignore lint/suspicious/noExplicitAny: a document without a type
  const { paths, components } = document as any;
  const get = paths["/things/{id}"].get;
  assert.deepEqual(get.responses["200"].content["application/json"].schema, {
    type: "array",
    items: { $ref: "#/components/schemas/Thing" },
  });
  assert.deepEqual(components.schemas.Thing.required, ["id", "note"]);
  assert.deepEqual(
    get.parameters.map((parameter: { name: string; in: string; required?: boolean }) => [
      parameter.name,
      parameter.in,
      parameter.required,
    ]),
    [
      ["id", "path", true],
      ["size", "query", undefined],
      ["tag", "query", true],
    ],
  );
  assert.deepEqual(Object.keys(get.responses), ["200", "400", "401", "403", "404", "500"]);
  assert.equal(get["x-permission"], "agents:read");
  const post = paths["/things"].post;
  assert.deepEqual(post.security, []);
  assert.equal(post.requestBody.required, true);
  assert.deepEqual(Object.keys(post.responses), ["200", "400", "413", "415", "422", "500"]);
  assert.ok(components.responses.Error422.content["application/problem+json"]);
});

test("one name for two schemas is refused", () => {
  const define = (operationId: string, schema: z.ZodType) =>
    defineRoute({ ...route, path: `/${operationId}`, operationId, returns: { schema }, handle: () => ({}) });
  const routes = [
    define("a", z.object({ a: z.string() }).meta({ id: "Same" })),
    define("b", z.object({ b: z.string() }).meta({ id: "Same" })),
  ];
  assert.throws(() => createOpenApiDocument(routes, { version: "1" }), /Same/);
});
