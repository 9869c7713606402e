import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineRoute } from "../route/define-route.ts";
import { createTestApp, type TestBody } from "../testing/test-app.ts";

const common = { method: "POST", summary: "", tag: "Echo", permission: "agents:write" } as const;
const returns = { schema: z.unknown() };
const app = createTestApp([
  defineRoute({
    ...common,
    path: "/any",
    operationId: "any",
    body: z.unknown().refine((value) => value !== undefined),
    returns,
    errors: [400],
    handle: ({ body }) => body,
  }),
  defineRoute({
    ...common,
    path: "/strict",
    operationId: "strict",
    body: z.object({
      name: z.string(),
      size: z.union([z.object({ width: z.number() }), z.string()]).optional(),
      tags: z.array(z.string()).optional(),
    }),
    bodyErrorStatus: 422,
    returns,
    errors: [400, 422],
    handle: ({ body }) => body,
  }),
  defineRoute({
    ...common,
    path: "/optional",
    operationId: "optional",
    body: z.object({ name: z.string() }).optional(),
    bodyLimitBytes: 50,
    returns,
    errors: [400],
    handle: ({ body }) => body ?? "nothing",
  }),
]);

async function post(path: string, body?: TestBody, headers: Record<string, string> = {}) {
  const response = await app.send("POST", path, { ...(body !== undefined && { body }), headers });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what came over the wire, which has no type
  return { status: response.status, headers: response.headers, body: JSON.parse(text) as any };
}

const json = { "content-type": "application/json" };

test("JSON is taken under its own type, under types that end in +json and without a type", async () => {
  const types = [
    "application/json",
    "application/json; charset=utf-8",
    'Application/JSON;charset="UTF-8"',
    "application/ld+json",
  ];
  for (const type of types) {
    assert.deepEqual((await post("/any", '{"a":1}', { "content-type": type })).body, { a: 1 }, type);
  }
  assert.deepEqual((await post("/any", new TextEncoder().encode('{"a":1}'))).body, { a: 1 });
  assert.deepEqual((await post("/any", "\ufeff[1]", json)).body, [1]);
});

test("other types, character sets and encodings are 415", async () => {
  const types = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=latin1",
  ];
  for (const type of types) {
    const { status, body } = await post("/any", '{"a":1}', { "content-type": type });
    assert.deepEqual([status, body.code], [415, "media-type-unsupported"], type);
    assert.match(body.message, /application\/json/);
  }
  assert.equal((await post("/any", "{}", { ...json, "content-encoding": "gzip" })).status, 415);
});

test("what cannot be parsed is 400 and says why", async () => {
  const texts = ["{", "{'a':1}", "[1,]", "\u0000", "nul", '{"a":1}x', '"\\ud8"', "--x"];
  for (const text of texts) {
    const { status, body } = await post("/any", text, json);
    assert.deepEqual([status, body.code], [400, "body-unparsable"], text);
  }
  const { body } = await post("/any", new Uint8Array([0x22, 0xff, 0x22]), json);
  assert.match(body.message, /UTF-8/);
});

test("a missing body is 400, unless none is needed", async () => {
  assert.deepEqual(
    [(await post("/strict")).body.code, (await post("/strict", "", json)).status],
    ["body-missing", 400],
  );
  assert.equal((await post("/optional")).body, "nothing");
  assert.deepEqual((await post("/optional", '{"name":"a"}')).status, 415);
  assert.deepEqual((await post("/optional", '{"name":"a"}', json)).body, { name: "a" });
});

test("a body that breaks the schema says where, with the status of the operation", async () => {
  const { status, body } = await post("/strict", '{"name":7,"size":{"width":"x"},"tags":["a",2]}', json);
  assert.deepEqual([status, body.code], [422, "validation-failed"]);
  assert.deepEqual(
    body.errors.map((item: { path: string }) => item.path),
    ["name", "size.width", "tags.1"],
  );
  assert.deepEqual((await post("/strict", "{}", json)).body.errors, [{ path: "name", message: "is required" }]);
  for (const text of ["null", "[]", '"text"', "7"]) assert.equal((await post("/strict", text, json)).status, 422, text);
  assert.deepEqual([(await post("/optional", "{}", json)).body.code], ["body-invalid"]);
});

test("a body over the limit is 413, with and without a declared length, and for its own limit", async () => {
  const body = JSON.stringify("x".repeat(100_000));
  const length = { "content-length": String(body.length) };
  for (const headers of [json, { ...json, ...length }, { ...json, "content-length": "1" }]) {
    const answer = await post("/any", body, headers);
    assert.deepEqual([answer.status, answer.body.code], [413, "body-too-large"]);
    assert.match(answer.body.message, /100000/);
  }
  assert.equal((await post("/any", JSON.stringify("x".repeat(99_998)), json)).status, 200);
  assert.equal((await post("/optional", JSON.stringify({ name: "x".repeat(100) }), json)).status, 413);
});

test("no more is read of a stream than the limit", async () => {
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(10_000));
    },
  });
  assert.equal((await post("/any", endless, json)).status, 413);
  assert.ok(pulled < 15, `${pulled} pieces were read`);
});

test("a body that ends early is 400", async () => {
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array([0x7b]));
      controller.error(new Error("connection reset"));
    },
  });
  assert.deepEqual((await post("/any", broken, json)).body.code, "body-unparsable");
});

test("200 levels are taken, more are 400, however many", async () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  assert.equal((await post("/any", nested(200), json)).status, 200);
  for (const text of [nested(201), "[".repeat(90_000), '{"a":'.repeat(15_000)]) {
    assert.deepEqual((await post("/any", text, json)).body.code, "body-too-deep");
  }
  const inText = JSON.stringify({ quoted: `\\"${"[".repeat(300)}`, after: [[]] });
  assert.deepEqual((await post("/any", inText, json)).body, JSON.parse(inText));
});

test("no key reaches a prototype", async () => {
  const text = '{"name":"a","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
  assert.deepEqual((await post("/strict", text, json)).body, { name: "a" });
  assert.equal((await post("/any", text, json)).status, 200);
  assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});
