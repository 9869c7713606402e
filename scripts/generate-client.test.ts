import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { toClientText } from "./client/client-text.ts";
import { toType } from "./client/to-type.ts";

const root = new URL("..", import.meta.url);

test("the committed client is the one that the committed openapi.json makes", async () => {
  const document = JSON.parse(await readFile(new URL("openapi.json", root), "utf8"));
  const committed = await readFile(new URL("packages/client/src/api.gen.ts", root), "utf8");
  assert.equal(committed, toClientText(document), "The API changed: run `npm run -s client` and commit api.gen.ts.");
});

test("schemas become types", () => {
  const text = { type: "string" };
  assert.equal(toType({}), "unknown");
  assert.equal(toType({ $ref: "#/components/schemas/Some.Thing" }), "SomeThing");
  assert.equal(toType({ enum: ["a", 1] }), '"a" | 1');
  assert.equal(toType({ const: false }), "false");
  assert.equal(toType({ type: ["integer", "null"] }), "number | null");
  assert.equal(toType({ anyOf: [text, { type: "string", format: "uuid" }] }), "string");
  assert.equal(toType({ type: "array", items: { anyOf: [text, { type: "null" }] } }), "(string | null)[]");
  assert.equal(toType({ type: "array", items: { enum: ["a|b"] } }), '"a|b"[]');
  assert.equal(toType({ type: "string", format: "binary" }), "Blob");
  assert.equal(toType({ type: "object" }), "{ [key: string]: unknown }");
  assert.equal(toType({ allOf: [{ $ref: "#/a" }, { anyOf: [text, { type: "null" }] }] }), "a & (string | null)");
  const fields = { a: text, "b-c": { type: "number", description: "ends */ here" } };
  const type = toType({ type: "object", properties: fields, required: ["a"] });
  assert.equal(type, '{\na: string;\n/** ends *\u200b/ here */\n"b-c"?: number;\n}');
  assert.throws(() => toType({ type: "stranger" }), /stranger/);
});

test("an operation becomes a function: pages, forms, headers and what no browser can send", () => {
  const answer = (schema: object, type = "application/json") => ({ "200": { content: { [type]: { schema } } } });
  const text = { type: "string" };
  const page = { type: "object", properties: { data: { type: "array", items: text } }, required: ["data"] };
  const parameter = (name: string, place: string, more = {}) => ({ name, in: place, schema: text, ...more });
  const made = toClientText({
    components: { schemas: {} },
    paths: {
      "/things": {
        get: {
          operationId: "listThings",
          summary: "List things",
          parameters: [parameter("page", "query"), parameter("limit", "query"), parameter("kind", "query")],
          requestBody: { content: { "application/json": { schema: text } } },
          responses: answer({ anyOf: [{ type: "array", items: text }, page] }),
        },
        post: {
          operationId: "createThing",
          summary: "Create a thing",
          description: "Once.",
          parameters: [parameter("Idempotency-Key", "header")],
          requestBody: {
            required: true,
            content: { "application/json": { schema: text }, "multipart/form-data": { schema: text } },
          },
          responses: {},
        },
      },
      "/things/{id}": {
        get: {
          operationId: "followThing",
          summary: "Follow a thing.",
          parameters: [parameter("id", "path", { required: true })],
          responses: answer(text, "text/event-stream"),
        },
      },
      "/files/{id}": {
        get: {
          operationId: "getFile",
          summary: "Read a file",
          parameters: [parameter("id", "path", { required: true })],
          responses: answer(text, "application/octet-stream"),
        },
      },
    },
  } as Parameters<typeof toClientText>[0]);
  const signatures = made.split("\n").filter((line) => /Promise/.test(line));
  assert.deepEqual(signatures, [
    "  createThing(body: string | FormData, options?: RequestOptions & { idempotencyKey?: string }): Promise<void>;",
    "  followThing(params: { id: string }, options?: RequestOptions): Promise<AsyncIterable<StreamFrame>>;",
    "  getFile(params: { id: string }, options?: RequestOptions): Promise<Blob>;",
    "  listThings(params?: { kind?: string }, options?: RequestOptions): Promise<string[]>;",
    "  listThings(params: { page: string; limit: string; kind?: string }, options?: RequestOptions): Promise<{",
  ]);
  assert.match(made, /\/\*\* Create a thing\. Once\. `POST \/things` \*\//);
  assert.match(made, /createThing: {.*"headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"none"}/);
});
