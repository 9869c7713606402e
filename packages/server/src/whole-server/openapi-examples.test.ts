import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Validator } from "@cfworker/json-schema";
import { createOpenApiDocument } from "@weft/http";
import type { Json, JsonObject } from "@weft/schema";
import { toExample } from "../../../http/src/openapi/openapi-schemas.ts";
import { describeRoutes } from "../describe-routes.ts";

type Media = { schema: JsonObject; example?: Json };
type Answer = { $ref?: string; content?: Record<string, Media> };
type Operation = { requestBody?: { content: Record<string, Media> }; responses: Record<string, Answer> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: JsonObject; responses: Record<string, Answer> };
};

const routes = await describeRoutes();
const document = createOpenApiDocument(routes, { version: "1" }) as unknown as Document;

/** Names the place of an example that does not fit. */
function assertFits(content: Record<string, Media>, place: string): void {
  for (const [type, { schema, example }] of Object.entries(content)) {
    if (type === "multipart/form-data" || schema.format === "binary") continue;
    assert.notEqual(example, undefined, `${place} has no example as ${type}`);
    const root = { ...schema, components: document.components } as ConstructorParameters<typeof Validator>[0];
    const { valid, errors } = new Validator(root, "2020-12", false).validate(example);
    assert.ok(valid, `${place}: ${JSON.stringify(example)} ${errors.map(({ error }) => error).join(" ")}`);
  }
}

describe("examples", () => {
  for (const route of routes.filter(({ isPage }) => isPage !== true)) {
    const method = route.method === "ANY" ? "post" : route.method.toLowerCase();
    const operation = document.paths[route.path]?.[method] as Operation;
    test(`${route.operationId} has examples of what is sent and answered, and they fit`, () => {
      for (const [status, answer] of Object.entries(operation.responses)) {
        const name = answer.$ref?.split("/").at(-1);
        assertFits((name ? document.components.responses[name] : answer)?.content ?? {}, `answer ${status}`);
      }
      const content = operation.requestBody?.content ?? {};
      assertFits(content, "body");
      const sent = content["application/json"]?.example;
      if (sent === undefined) return;
      const parsed = route.body?.safeParse(sent);
      assert.ok(parsed?.success, `the operation itself refuses its example: ${parsed?.error?.message}`);
    });
  }
});

test("what a schema says itself comes first, then its parts", () => {
  const components = { Name: { type: "string", examples: ["Ada", "Grace"] }, Loop: { $ref: "#/x/Tree" } };
  const example = (schema: JsonObject) => toExample(schema, components);
  assert.equal(example({ $ref: "#/components/schemas/Name" }), "Ada");
  assert.equal(example({ type: "string", default: "" }), "");
  assert.equal(example({ enum: ["b", "a"] }), "b");
  assert.equal(example({ anyOf: [{ type: "null" }, { type: "string" }] }), null);
  assert.equal(example({ type: "integer", minimum: 5 }), 5);
  const fields = { name: { $ref: "#/Name" }, note: { type: ["string", "null"] }, size: { type: ["number", "null"] } };
  assert.deepEqual(example({ type: "object", properties: fields, required: ["size"] }), { name: "Ada", size: 1 });
  assert.deepEqual(example({ type: "array", items: { type: "boolean" } }), [true]);
});

test("a schema that contains itself has an end", () => {
  const tree = { type: "object", properties: { children: { type: "array", items: { $ref: "#/Tree" } } } };
  const text = JSON.stringify(toExample({ $ref: "#/Tree" }, { Tree: tree }));
  assert.match(text, /^(\{"children":\[)+/);
  assert.ok(text.length < 500);
});
