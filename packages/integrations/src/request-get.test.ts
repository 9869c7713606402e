import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { integrations } from "./registry.ts";
import { sendJson, startBench } from "./testing/bench.ts";

const eventParameters = {
  id: { type: "string", in: "path", description: "ID of the item to get. /:id" },
  limit: { type: "string", in: "query", description: "Limit the number of items to get. ?limit=10" },
};

test("shows the model flat arguments and calls the collection, one item, or with a limit", async (t) => {
  const bench = await startBench(t);
  const config = { url: `${bench.base}/events`, name: "get_events", description: "Gets", parameters: eventParameters };
  const [tool] = await bench.build("request-get", config);
  assert.equal(tool?.name, "get_events");
  assert.equal(tool?.kind, "read");
  assert.deepEqual(tool?.parameters, {
    type: "object",
    properties: {
      id: { type: "string", description: "ID of the item to get. /:id" },
      limit: { type: "string", description: "Limit the number of items to get. ?limit=10" },
    },
  });
  for (const args of [{}, { id: "7" }, { limit: "10" }, { id: "7", limit: "10" }]) {
    const result = await bench.call("request-get", config, args);
    assert.equal(result.content, '{"ok":true}');
  }
  assert.deepEqual(
    bench.received.map(({ url }) => url),
    ["/events", "/events/7", "/events?limit=10", "/events/7?limit=10"],
  );
});

test("replaces :name and {name}, and shortens the address when an optional last one is missing", async (t) => {
  const bench = await startBench(t);
  for (const place of [":id", "{id}"]) {
    const config = { url: `${bench.base}/events/${place}?x=1`, parameters: { id: { in: "path" } } };
    await bench.call("request-get", config, { id: "a b" });
    await bench.call("request-get", config, {});
  }
  assert.deepEqual(
    bench.received.map(({ url }) => url),
    ["/events/a%20b?x=1", "/events?x=1", "/events/a%20b?x=1", "/events?x=1"],
  );
});

test("a missing value in the middle of the address is asked for in words", async (t) => {
  const bench = await startBench(t);
  const config = { url: `${bench.base}/users/{id}/posts`, parameters: { id: { in: "path" } } };
  const result = await bench.call("request-get", config, {});
  assert.equal(result.isError, true);
  assert.match(result.content, /id is required/);
  assert.equal(bench.received.length, 0);
});

test("path values stay inside their segment", async (t) => {
  const bench = await startBench(t);
  const config = { url: `${bench.base}/events`, parameters: { id: { in: "path", required: true } } };
  for (const id of ["../../admin", "..", ".", "%2e%2e", "%252e%252e/x", "a\\..\\b", "x/%2E%2e%2fy", "", "  "]) {
    const result = await bench.call("request-get", config, { id });
    assert.equal(result.isError, true, id);
    assert.match(result.content, /Nothing was called/);
  }
  assert.equal(bench.received.length, 0);
  await bench.call("request-get", config, { id: "a/b?x=1#y" });
  await bench.call("request-get", config, { id: "$&-:id{id}" });
  assert.deepEqual(
    bench.received.map(({ url }) => url),
    ["/events/a%2Fb%3Fx%3D1%23y", "/events/%24%26-%3Aid%7Bid%7D"],
  );
});

test("query values cannot add or change parameters", async (t) => {
  const bench = await startBench(t);
  const config = { url: `${bench.base}/find?key=fixed`, parameters: { q: {}, key: {}, tags: { type: "array" } } };
  const result = await bench.call("request-get", config, { q: "a&key=evil#x", key: "evil", tags: ["a", "b"] });
  const query = new URL(bench.received[0]?.url ?? "", bench.base).searchParams;
  assert.deepEqual(
    [...query],
    [
      ["key", "fixed"],
      ["q", "a&key=evil#x"],
      ["tags", "a"],
      ["tags", "b"],
    ],
  );
  assert.match(String(result.details?.url), /\/find\?key=\*\*\*&q=a%26/);
});

test("without a schema every argument is a query parameter; an empty schema takes none", async (t) => {
  const bench = await startBench(t);
  await bench.call("request-get", { url: `${bench.base}/find?k=1` }, { q: "x", page: 2, k: "2" });
  assert.equal(bench.received[0]?.url, "/find?k=1&q=x&page=2");
  const refused = await bench.call("request-get", { url: `${bench.base}/find`, parameters: {} }, { q: "x" });
  assert.match(refused.content, /Unknown: q\. This tool takes no arguments/);
});

test("required and unknown arguments are refused in words before the call", async (t) => {
  const bench = await startBench(t);
  const config = { url: `${bench.base}/e`, parameters: { q: { required: true }, n: { type: "integer" } } };
  const [tool] = await bench.build("request-get", config);
  const missing = await tool?.call({ q: null }, bench.context());
  assert.match(missing?.content ?? "", /Required and missing: q/);
  const unknown = await tool?.call({ q: "x", colour: "red" }, bench.context());
  assert.match(unknown?.content ?? "", /Unknown: colour\. This tool takes: q, n/);
  const wrong = await bench.call("request-get", config, { q: "x", n: "many" });
  assert.equal(wrong.isError, true);
  assert.equal(bench.received.length, 0);
});

test("error statuses and their bodies go back to the model", async (t) => {
  const bench = await startBench(t, (_request, response) => sendJson(response, 404, { error: "Event not found" }));
  const result = await bench.call("request-get", { url: `${bench.base}/events/1` }, {});
  assert.equal(result.isError, true);
  assert.equal(result.content, 'The API answered 404 Not Found: {"error":"Event not found"}');
  assert.equal(result.details?.status, 404);
});

test("repeats a read after 503 and after a broken connection, and then gives up with the status", async (t) => {
  let calls = 0;
  const bench = await startBench(t, (_request, response) => {
    calls += 1;
    if (calls === 1) response.writeHead(503, { "retry-after": "0.01" }).end("busy");
    else if (calls === 2) response.socket?.destroy();
    else sendJson(response, calls === 3 ? 200 : 502, { calls });
  });
  const config = { url: `${bench.base}/x` };
  assert.equal((await bench.call("request-get", config, {})).content, '{"calls":3}');
  const failed = await bench.call("request-get", { ...config, retries: 0 }, {});
  assert.match(failed.content, /502 Bad Gateway/);
  assert.equal(calls, 4);
});

test("a server that does not answer in time is an error result; a cancel rejects", async (t) => {
  const bench = await startBench(t, () => undefined);
  const config = { url: `${bench.base}/slow?token=abc`, timeoutMs: 50 };
  const result = await bench.call("request-get", config, {});
  assert.equal(result.isError, true);
  assert.match(result.content, /did not answer within 50 ms/);
  assert.doesNotMatch(JSON.stringify(result), /abc/);
  const [tool] = await bench.build("request-get", { ...config, timeoutMs: 30_000 });
  const cancel = new AbortController();
  const call = tool?.call({}, bench.context({ signal: cancel.signal }));
  cancel.abort(new Error("cancelled by test"));
  await assert.rejects(async () => call, /cancelled by test/);
});

test("a cancel while waiting for the next attempt rejects with its reason", async (t) => {
  const cancel = new AbortController();
  const bench = await startBench(t, (_request, response) => {
    response.writeHead(503, { "retry-after": "2" }).end();
    setTimeout(() => cancel.abort(new Error("cancelled by test")), 20);
  });
  const [tool] = await bench.build("request-get", { url: bench.base });
  await assert.rejects(async () => tool?.call({}, bench.context({ signal: cancel.signal })), /cancelled by test/);
});

test("every integration's settings can be shown as a form", () => {
  for (const { type, config } of Object.values(integrations)) {
    const schema = z.toJSONSchema(config, { io: "input", unrepresentable: "throw" }) as { properties: object };
    for (const field of Object.values(schema.properties)) assert.ok("title" in field, `${type} has a nameless field`);
  }
});

test("an address that must not be called is an error result with the reason", async (t) => {
  const bench = await startBench(t);
  const result = await bench.call("request-get", { url: "http://169.254.169.254/latest" }, {});
  assert.equal(result.isError, true);
  assert.match(result.content, /is not allowed/);
});

test("long answers are cut with a note, in bytes and in characters", async (t) => {
  const bench = await startBench(t, (_request, response) => {
    response.setHeader("content-type", "text/plain; charset=utf-8");
    response.end("ä😀".repeat(200_000));
  });
  const cut = await bench.call("request-get", { url: `${bench.base}/big`, maxCharacters: 5 }, {});
  assert.match(cut.content, /^ä😀ä\n\[Cut here: the first 4 characters of a longer answer\./);
  const whole = await bench.call("request-get", { url: `${bench.base}/big`, maxBytes: 101 }, {});
  assert.match(whole.content, /Cut here/);
  assert.doesNotMatch(whole.content, /\ufffd/);
});

test("binary, empty, HTML and other charsets are told apart", async (t) => {
  const bench = await startBench(t, ({ url }, response) => {
    if (url === "/png") response.setHeader("content-type", "image/png").end(Buffer.from([137, 80, 78, 71, 0, 255]));
    else if (url === "/unknown") response.end(Buffer.from([0, 1, 2, 255]));
    else if (url === "/latin") {
      response.setHeader("content-type", "text/plain; charset=iso-8859-1").end(Buffer.from("ä", "latin1"));
    } else if (url === "/html") response.setHeader("content-type", "text/html").end("<p>x</p>");
    else response.writeHead(204).end();
  });
  const read = async (path: string) => (await bench.call("request-get", { url: bench.base + path }, {})).content;
  assert.equal(await read("/png"), "200 OK: a binary answer (image/png, 6 bytes), which is not shown.");
  assert.match(await read("/unknown"), /binary answer \(unknown type, 4 bytes\)/);
  assert.equal(await read("/latin"), "ä");
  assert.equal(await read("/html"), "<p>x</p>");
  assert.equal(await read("/none"), "204 No Content: done, the answer has no body.");
});

test("headers, as object or JSON text, and the credential are sent; line breaks are refused", async (t) => {
  const bench = await startBench(t);
  const url = `${bench.base}/h`;
  const headers = { "X-Team": "blue", "X-N": 4, Authorization: "Basic overridden" };
  await bench.call("request-get", { url, headers, credential: "c1" }, {});
  await bench.call("request-get", { url, headers: JSON.stringify(headers) }, {});
  const [first, second] = bench.received;
  assert.equal(first?.headers["x-team"], "blue");
  assert.equal(first?.headers["x-n"], "4");
  assert.equal(first?.headers.authorization, "Bearer s3cret");
  assert.equal(second?.headers.authorization, "Basic overridden");
  for (const bad of [{ x: "a\r\nEvil: 1" }, { "a b": "x" }, { Host: "evil" }, { x: "✓" }, "{nonsense", "[1]"]) {
    await assert.rejects(bench.build("request-get", { url, headers: bad }), { code: "tool-invalid" });
  }
});

test("follows redirects without taking the credential to another origin", async (t) => {
  const other = await startBench(t);
  const bench = await startBench(t, ({ url }, response) => {
    response.writeHead(302, { location: url === "/away" ? `${other.base}/x` : "/there" }).end();
  });
  const result = await bench.call("request-get", { url: `${bench.base}/away`, credential: "c" }, {});
  assert.equal(result.isError, true, "the other origin is not on the allow list");
  assert.equal(other.received.length, 0);
});

test("renders templates of URL and headers for their place", async (t) => {
  const bench = await startBench(t);
  const render = (text: string, place?: string) => text.replace("{{ $vars.x }}", place === "url" ? "a%2Fb" : "a/b");
  const config = { url: `${bench.base}/{{ $vars.x }}`, headers: { "x-v": "{{ $vars.x }}" } };
  const [tool] = await bench.build("request-get", config, { render });
  await tool?.call({}, bench.context());
  assert.equal(bench.received[0]?.url, "/a%2Fb");
  assert.equal(bench.received[0]?.headers["x-v"], "a/b");
});

test("settings that make no sense are tool-invalid with a sentence", async (t) => {
  const bench = await startBench(t);
  const url = `${bench.base}/x`;
  const cases: [string, Record<string, never> | object, RegExp][] = [
    ["request-get", {}, /url/],
    ["request-get", { url: "" }, /Enter a URL/],
    ["request-get", { url: "/events" }, /absolute/],
    ["request-get", { url: "ftp://x/" }, /absolute/],
    ["request-get", { url, parameters: "{" }, /not valid JSON/],
    ["request-get", { url, parameters: { id: { type: "date" } } }, /id\.type/],
    ["request-get", { url, parameters: { id: { in: "body" } } }, /no body/],
    ["request-get", { url: `${url}/{id}` }, /no entry id/],
    ["request-delete", { url, retries: 2 }, /May be repeated/],
    ["request-fly", { url }, /no integration has this type/],
    ["toString", { url }, /no integration has this type/],
  ];
  for (const [type, config, message] of cases) {
    await assert.rejects(bench.build(type, config as never), { code: "tool-invalid", message }, JSON.stringify(config));
  }
});
