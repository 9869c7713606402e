import assert from "node:assert/strict";
import { test } from "node:test";
import { sendJson, startBench } from "./testing/bench.ts";

const text = { type: "string", required: true };
const bodySchema = {
  name: { ...text, description: "Name of the event" },
  date: { ...text, description: "Date of the event" },
  location: { ...text, description: "Location of the event" },
};
const event = { name: "Meetup", date: "2026-05-01T18:00:00Z", location: "Oslo" };

test("POST sends the generated body as JSON", async (t) => {
  const bench = await startBench(t, ({ body }, response) => sendJson(response, 201, JSON.parse(body)));
  const config = { url: `${bench.base}/events`, name: "create_event", bodySchema };
  const [tool] = await bench.build("request-post", config);
  assert.equal(tool?.kind, "write");
  assert.deepEqual(tool?.parameters.required, ["name", "date", "location"]);
  const result = await bench.call("request-post", config, event);
  assert.deepEqual(JSON.parse(result.content), event);
  assert.equal(bench.received[0]?.headers["content-type"], "application/json");
  assert.equal(bench.received[0]?.headers["idempotency-key"], undefined);
});

test("the fixed body overrides what the model generated, key by key, and is not asked of the model", async (t) => {
  const bench = await startBench(t);
  const config = { url: `${bench.base}/e`, body: '{"location":"Bergen","source":"weft"}', bodySchema };
  const [tool] = await bench.build("request-post", config);
  assert.deepEqual(tool?.parameters.required, ["name", "date"]);
  await bench.call("request-post", config, { ...event, source: "model" });
  assert.deepEqual(JSON.parse(bench.received[0]?.body ?? ""), { ...event, location: "Bergen", source: "weft" });
});

test("without a body schema the arguments are the body, the fixed body on top", async (t) => {
  const bench = await startBench(t);
  const args = JSON.parse('{"a":{"b":[1]},"c":"model","__proto__":{"x":1}}');
  await bench.call("request-post", { url: `${bench.base}/e`, body: { c: "fixed" } }, args);
  assert.equal(bench.received[0]?.body, '{"a":{"b":[1]},"c":"fixed","__proto__":{"x":1}}');
});

test("an empty body schema sends the fixed body, or none", async (t) => {
  const bench = await startBench(t);
  await bench.call("request-post", { url: `${bench.base}/e`, bodySchema: {}, body: { go: true } }, {});
  await bench.call("request-post", { url: `${bench.base}/e`, bodySchema: {} }, {});
  assert.deepEqual(
    bench.received.map(({ body }) => body),
    ['{"go":true}', ""],
  );
});

test("typed body values are kept", async (t) => {
  const bench = await startBench(t);
  const schema = {
    count: { type: "integer" },
    price: { type: "number" },
    open: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    place: { type: "object" },
    mood: { type: "string", enum: ["good", "bad"] },
  };
  const args = { count: 2, price: 1.5, open: false, tags: ["x"], place: { city: "Oslo" }, mood: "good" };
  const config = { url: `${bench.base}/e`, bodySchema: schema };
  await bench.call("request-post", config, args);
  assert.deepEqual(JSON.parse(bench.received[0]?.body ?? ""), args);
  assert.equal((await bench.call("request-post", config, { mood: "odd" })).isError, true);
});

test("PUT and PATCH address one item through the schema", async (t) => {
  const bench = await startBench(t);
  const schema = { id: { type: "string", in: "path" }, notify: { type: "boolean", in: "query" }, ...bodySchema };
  for (const method of ["PUT", "PATCH"]) {
    const config = { url: `${bench.base}/events/{id}`, method, bodySchema: schema };
    await bench.call("request-put", config, { id: "1", notify: true, ...event });
    const refused = await bench.call("request-put", config, event);
    assert.equal(refused.isError, true, "a path value of a write is required unless the schema says otherwise");
  }
  assert.deepEqual(
    bench.received.map(({ method, url, body }) => [method, url, JSON.parse(body)]),
    [
      ["PUT", "/events/1?notify=true", event],
      ["PATCH", "/events/1?notify=true", event],
    ],
  );
});

test("an entry without in whose place is in the URL goes there", async (t) => {
  const bench = await startBench(t);
  const config = { url: `${bench.base}/events/:id`, bodySchema: { id: {}, name: {} } };
  await bench.call("request-put", config, { id: "1", name: "x" });
  assert.deepEqual([bench.received[0]?.url, bench.received[0]?.body], ["/events/1", '{"name":"x"}']);
});

test("DELETE never reaches the collection because an id is missing", async (t) => {
  const bench = await startBench(t, (_request, response) => response.writeHead(204).end());
  for (const parameters of [{ id: { in: "path", required: true } }, { id: { in: "path" } }]) {
    const config = { url: `${bench.base}/events`, name: "delete_event", parameters };
    const [tool] = await bench.build("request-delete", config);
    assert.equal(tool?.kind, "write");
    for (const args of [{}, { id: null }, { id: "" }]) {
      assert.equal((await tool?.call(args, bench.context()))?.isError, true);
    }
    assert.equal(bench.received.length, 0);
  }
  const parameters = { id: { in: "path" }, reason: { in: "body" } };
  const done = await bench.call(
    "request-delete",
    { url: `${bench.base}/events`, parameters },
    { id: "7", reason: "x" },
  );
  assert.equal(done.content, "204 No Content: done, the answer has no body.");
  assert.deepEqual([bench.received[0]?.url, bench.received[0]?.body], ["/events/7", '{"reason":"x"}']);
});

test("a write is never repeated; an idempotent one is, with the same key", async (t) => {
  const bench = await startBench(t, (_request, response) => response.writeHead(503).end());
  const config = { url: `${bench.base}/e` };
  await bench.call("request-post", config, {});
  assert.equal(bench.received.length, 1);
  const [tool] = await bench.build("request-post", { ...config, idempotent: true, retries: 1 });
  assert.equal(tool?.kind, "idempotent");
  const result = await tool?.call({}, bench.context());
  assert.equal(result?.isError, true);
  assert.deepEqual(
    bench.received.slice(1).map(({ headers }) => headers["idempotency-key"]),
    ["key-1", "key-1"],
  );
});

test("after a broken write the model is told that it may have taken effect", async (t) => {
  const bench = await startBench(t, (_request, response) => response.socket?.destroy());
  const result = await bench.call("request-post", { url: `${bench.base}/e` }, {});
  assert.equal(result.isError, true);
  assert.match(result.content, /unknown whether the call took effect/);
});

test("templates in a fixed body cannot add keys", async (t) => {
  const bench = await startBench(t);
  const config = { url: `${bench.base}/e`, body: '{"q":"{{ question }}","n":[{"x":"{{ question }}"}]}' };
  const said = '","admin":true,"x":"\n';
  const render = (template: string) => template.replace("{{ question }}", () => said);
  const [tool] = await bench.build("request-post", config, { render });
  await tool?.call({}, bench.context());
  assert.deepEqual(JSON.parse(bench.received[0]?.body ?? ""), { q: said, n: [{ x: said }] });
});

test("a request does what its method says", async (t) => {
  const bench = await startBench(t);
  const effects = [];
  for (const type of ["request-get", "request-post", "request-put", "request-delete"]) {
    const [tool] = await bench.build(type, { url: `${bench.base}/e` });
    effects.push(tool?.effect);
  }
  assert.deepEqual(effects, ["read", "write", "write", "destructive"]);
});

test("a POST that only reads is repeated and needs no approval, at one address alone", async (t) => {
  const bench = await startBench(t, (_, response) => sendJson(response, bench.received.length < 2 ? 503 : 200, []));
  const config = { url: `${bench.base}/search`, readOnly: true, bodySchema: { vector: { type: "string" } } };
  const [tool] = await bench.build("request-post", config);
  assert.deepEqual([tool?.kind, tool?.effect], ["read", "read"]);
  assert.equal((await bench.call("request-post", config, { vector: "1" })).content, "[]");
  assert.equal(bench.received.length, 2);
  const chosen = { type: "string", in: "path" };
  for (const wrong of [
    { url: "{{ $vars.base }}/search" },
    { url: `${bench.base}/{{ question }}` },
    { url: `${bench.base}/:action`, bodySchema: { action: { type: "string" } } },
    { url: `${bench.base}/items`, bodySchema: { action: chosen } },
  ]) {
    const render = (text: string) => text.replaceAll(/{{.*?}}/g, bench.base);
    await assert.rejects(bench.build("request-post", { ...config, ...wrong }, { render }), /"Only reads" is on/);
  }
  const [plain] = await bench.build("request-post", { url: `${bench.base}/search` });
  assert.deepEqual([plain?.kind, plain?.effect], ["write", "write"]);
});

test("a PUT that an API does not know gets a hint at PATCH, and nothing else does", async (t) => {
  let status = 404;
  const bench = await startBench(t, (_request, response) => sendJson(response, status, { error: "no" }));
  const hintOf = async (type: string, method?: string) => {
    const config = { url: `${bench.base}/events/7`, ...(method !== undefined && { method }) };
    const { content, isError } = await bench.call(type, config, { name: "X" });
    assert.equal(isError, status >= 400 ? true : undefined);
    return /Hint: APIs that update with PATCH .* set the method of this tool to PATCH\.$/.test(content);
  };
  for (status of [404, 405]) {
    assert.deepEqual([await hintOf("request-put"), await hintOf("request-put", "PUT")], [true, true], String(status));
    assert.deepEqual([await hintOf("request-put", "PATCH"), await hintOf("request-post")], [false, false]);
    assert.equal(await hintOf("request-delete"), false);
  }
  for (status of [200, 400, 401, 409, 500]) assert.equal(await hintOf("request-put"), false, String(status));
});
