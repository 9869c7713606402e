import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { EgressDefaults } from "./call.ts";
import { createEgressClient } from "./index.ts";
import { echo, type Handler, startServer } from "./testing/test-server.ts";

async function start(t: TestContext, handler: Handler, defaults: Partial<EgressDefaults> = {}) {
  const server = await startServer(t, handler);
  const client = createEgressClient({ allow: [server.host], defaults });
  t.after(() => client.close());
  return { ...server, fetch: client.fetch };
}

test("gives a standard Response", async (t) => {
  const { url, fetch } = await start(t, (_request, response) => {
    response
      .writeHead(201, "Made", { "content-type": "application/json", "set-cookie": ["a=1", "b=2"] })
      .end('{"a":1}');
  });
  const response = await fetch(`${url}/x`);
  assert.ok(response instanceof Response);
  assert.deepEqual([response.status, response.ok, response.statusText], [201, true, "Made"]);
  assert.deepEqual([response.url, response.redirected], [`${url}/x`, false]);
  assert.equal(response.headers.get("Content-Type"), "application/json");
  assert.deepEqual(response.headers.getSetCookie(), ["a=1", "b=2"]);
  assert.deepEqual(await response.json(), { a: 1 });
});

test("takes every usual form of input, headers and body", async (t) => {
  const { url, fetch } = await start(t, echo);
  const post = async (body: NonNullable<RequestInit["body"]>, headers?: RequestInit["headers"]) =>
    (await (await fetch(url, { method: "POST", body, ...(headers && { headers }) })).json()) as {
      body: string;
      headers: Record<string, string>;
    };
  assert.equal((await post("text")).headers["content-type"], "text/plain;charset=UTF-8");
  assert.equal((await post("{}", { "Content-Type": "application/json" })).headers["content-type"], "application/json");
  assert.equal((await post("{}", new Headers({ "x-a": "1" }))).headers["x-a"], "1");
  assert.equal((await post("{}", [["x-a", "2"]])).headers["x-a"], "2");
  assert.equal((await post(new TextEncoder().encode("bytes"))).body, "bytes");
  assert.equal((await post(new TextEncoder().encode("buffer").buffer)).body, "buffer");
  assert.equal((await post(new URLSearchParams({ a: "b c" }))).body, "a=b+c");
  assert.equal((await post(new Blob(["blob"], { type: "text/x" }))).headers["content-type"], "text/x");
  assert.equal((await post(new Blob(["streamed"]).stream())).body, "streamed");
  const form = new FormData();
  form.set("field", "value");
  const sent = await post(form);
  assert.match(sent.headers["content-type"] ?? "", /^multipart\/form-data; boundary=/);
  assert.match(sent.body, /name="field"\r\n\r\nvalue/);
  const viaRequest = await fetch(new Request(url, { method: "PUT", body: "r", headers: { "x-r": "1" } }));
  const seen = (await viaRequest.json()) as { method: string; body: string; headers: Record<string, string> };
  assert.deepEqual([seen.method, seen.body, seen.headers["x-r"]], ["PUT", "r", "1"]);
  assert.equal((await fetch(new URL("/u", url))).status, 200);
});

test("streams: each piece arrives while the answer is still being written", async (t) => {
  let finish = () => {};
  const { url, fetch } = await start(t, (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: 1\n\n");
    finish = () => response.end("data: 2\n\n");
  });
  const reader = (await fetch(url)).body?.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await reader?.read())?.value, "data: 1\n\n");
  finish();
  assert.equal((await reader?.read())?.value, "data: 2\n\n");
  assert.equal((await reader?.read())?.done, true);
});

test("aborting ends waiting for headers and reading the body, with the signal's reason", async (t) => {
  const { url, fetch, received } = await start(t, (request, response) => {
    if (request.url === "/body") response.write("begun");
  });
  for (const path of ["/headers", "/body"]) {
    const controller = new AbortController();
    const reason = new Error(path);
    const call = fetch(url + path, { signal: controller.signal }).then((response) => response.text());
    const arrived = path === "/body" ? await fetch(url + path).then((response) => response.body?.cancel()) : undefined;
    assert.equal(arrived, undefined);
    controller.abort(reason);
    await assert.rejects(call, (error) => error === reason);
    const before = received.length;
    await assert.rejects(fetch(url, { signal: controller.signal }), (error) => error === reason);
    assert.equal(received.length, before);
  }
});

test("cancelling a body closes its connection", async (t) => {
  const closed = Promise.withResolvers<void>();
  const { url, fetch } = await start(t, (request, response) => {
    request.socket.on("close", () => closed.resolve());
    response.write("begun");
  });
  await (await fetch(url)).body?.cancel();
  await closed.promise;
});

test("bodies are limited, compressed ones by what they decode to", async (t) => {
  const defaults = { fetchMaxBytes: 1000 };
  const { url, fetch } = await start(
    t,
    (_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(100_000)));
    },
    defaults,
  );
  const response = await fetch(url);
  await assert.rejects(response.text(), { code: "egress-too-large" });
});

test("a connection that breaks fails the body, not the process", async (t) => {
  const { url, fetch } = await start(t, (_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("part", () => response.destroy());
  });
  await assert.rejects(
    fetch(url).then((response) => response.text()),
    { code: "egress-failed" },
  );
  await assert.rejects(fetch("http://127.0.0.1:1/"), { code: "egress-refused" });
  await assert.rejects(fetch("no url"), { code: "egress-failed" });
});

test("redirect modes", async (t) => {
  const { url, fetch } = await start(t, (request, response) => {
    if (request.url === "/end") return echo(request, response);
    response.writeHead(request.url === "/keep" ? 308 : 302, { location: "/end" }).end("moved");
  });
  const followed = await fetch(url);
  assert.deepEqual([followed.redirected, followed.url], [true, `${url}/end`]);
  assert.equal((await fetch(url, { redirect: "manual" })).status, 302);
  await assert.rejects(fetch(url, { redirect: "error" }), { code: "egress-failed" });
  const streamed = fetch(`${url}/keep`, {
    method: "POST",
    body: new Blob(["x"]).stream(),
    duplex: "half",
  } as RequestInit);
  await assert.rejects(streamed, { code: "egress-failed", message: /cannot be sent twice/ });
});

test("answers without a body, and answers no Response can hold", async (t) => {
  const { url, fetch } = await start(t, (request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { "x-latin": "caf\u00e9" }).end();
  });
  for (const status of [204, 205, 304]) {
    const response = await fetch(`${url}/${status}`);
    assert.equal(response.body, null);
    assert.equal(response.status, status);
    assert.equal(response.headers.get("x-latin"), "caf\u00e9");
  }
  assert.equal((await fetch(`${url}/200`, { method: "HEAD" })).status, 200);
  await assert.rejects(fetch(`${url}/799`), { code: "egress-failed", message: /invalid status 799/ });
});
