import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { ExchangeRequest } from "@weft/engine/ports/http-client";
import type { EgressDefaults } from "./call.ts";
import { createEgressClient, createSecretVault } from "./index.ts";
import { echo, type Handler, startServer } from "./testing/test-server.ts";

async function start(t: TestContext, handler: Handler, defaults: Partial<EgressDefaults> = {}) {
  const server = await startServer(t, handler);
  const other = await startServer(t, echo);
  const vault = createSecretVault();
  const client = createEgressClient({ allow: [server.host, other.host], vault, defaults });
  t.after(() => client.close());
  const exchange = (given: Partial<ExchangeRequest> & { path?: string } = {}) => {
    const { path = "/", ...request } = given;
    const signal = new AbortController().signal;
    return client.exchange({ method: "POST", url: server.url + path, headers: {}, body: "{}", signal, ...request });
  };
  return { ...server, other, vault, exchange };
}

async function readAll(answer: Awaited<ReturnType<Awaited<ReturnType<typeof start>>["exchange"]>>): Promise<string> {
  const pieces: Uint8Array[] = [];
  await answer.read((piece) => pieces.push(piece));
  return Buffer.concat(pieces).toString();
}

test("sends method, headers and body, and gives the whole answer as text or in pieces", async (t) => {
  const { exchange } = await start(t, echo);
  const headers = { "content-type": "application/json", host: "internal", "content-length": "999" };
  const answer = await exchange({ path: "/a?b=1#c", headers, body: "bødy" });
  assert.deepEqual([answer.status, answer.statusText], [200, "OK"]);
  assert.equal(answer.headers["content-type"], "application/json");
  const seen = JSON.parse(await answer.text());
  assert.deepEqual([seen.method, seen.url, seen.body], ["POST", "/a?b=1", "bødy"]);
  assert.deepEqual([seen.headers["content-length"], seen.headers["user-agent"]], ["5", "weft"]);
  assert.equal(JSON.parse(await readAll(await exchange({ body: "x" }))).body, "x");
});

test("each piece is handed over while the answer is still being written, those before `read` at once", async (t) => {
  let write = (_text: string) => {};
  let finish = () => {};
  const { exchange } = await start(t, (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    write = (text) => void response.write(text);
    finish = () => response.end();
    write("one");
  });
  const answer = await exchange();
  await nextTurn();
  const pieces: string[] = [];
  const arrivals = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  const done = answer.read((piece) => {
    pieces.push(Buffer.from(piece).toString());
    arrivals[pieces.length - 1]?.resolve();
  });
  await arrivals[0]?.promise;
  write("two");
  await arrivals[1]?.promise;
  assert.deepEqual(pieces, ["one", "two"]);
  finish();
  await done;
});

test("connections are kept, also after redirects, refusals and answers that were read in pieces", async (t) => {
  const ports = new Set<number | undefined>();
  const { exchange } = await start(t, (request, response) => {
    ports.add(request.socket.remotePort);
    if (request.url === "/moved") response.writeHead(302, { location: "/" }).end("moved");
    else response.writeHead(request.url === "/bad" ? 500 : 200).end("ok");
  });
  for (let call = 0; call < 10; call += 1) {
    await (await exchange()).text();
    await readAll(await exchange({ path: "/moved" }));
    await (await exchange({ path: "/bad" })).text();
  }
  assert.ok(ports.size <= 2, `${ports.size} connections for 30 calls`);
});

test("an abort ends waiting for headers and reading, with the signal's reason, and closes the connection", async (t) => {
  const closed: string[] = [];
  const { exchange, received } = await start(t, (request, response) => {
    request.socket.on("close", () => closed.push(request.url ?? ""));
    if (request.url === "/body") response.write("begun");
  });
  for (const path of ["/headers", "/body"]) {
    const controller = new AbortController();
    const reason = new Error(path);
    const { signal } = controller;
    const call = exchange({ path, signal }).then((answer) => answer.read(() => controller.abort(reason)));
    call.catch(() => undefined);
    while (!received.some(({ url }) => url === path)) await nextTurn();
    if (path === "/headers") controller.abort(reason);
    await assert.rejects(call, (error) => error === reason);
    while (!closed.includes(path)) await nextTurn();
    const before = received.length;
    await assert.rejects(exchange({ signal }), (error) => error === reason);
    assert.equal(received.length, before);
  }
  const early = new AbortController();
  const call = exchange({ signal: early.signal });
  early.abort("early");
  await assert.rejects(call, (error) => error === "early");
  const late = new AbortController();
  const answer = await exchange({ path: "/body", signal: late.signal });
  late.abort("late");
  await assert.rejects(answer.text(), (error) => error === "late");
});

test("what a reader throws ends the exchange and stays what it is", async (t) => {
  const closed = Promise.withResolvers<void>();
  const { exchange } = await start(t, (request, response) => {
    request.socket.on("close", () => closed.resolve());
    response.write("begun");
  });
  const bug = new TypeError("a bug");
  const answer = await exchange();
  const read = answer.read(() => {
    throw bug;
  });
  await assert.rejects(read, (error) => error === bug);
  await closed.promise;
});

test("a reader runs in the context of its caller", async (t) => {
  const { exchange } = await start(t, (_request, response) => response.end("ok"));
  const context = new AsyncLocalStorage<string>();
  await (await context.run("first", () => exchange())).text();
  await context.run("second", async () => {
    await (await exchange()).read(() => assert.equal(context.getStore(), "second"));
  });
});

test("compressed bodies are undone, limited by what they decode to", async (t) => {
  const { exchange } = await start(
    t,
    (request, response) => {
      const text = request.url === "/long" ? "x".repeat(100_000) : "Grüße";
      const coding = request.headers["x-coding"] === "br" ? "br" : "gzip";
      const packed = coding === "br" ? brotliCompressSync(text) : gzipSync(text);
      response.writeHead(200, { "content-encoding": coding }).end(packed);
    },
    { fetchMaxBytes: 50_000 },
  );
  for (const coding of ["gzip", "br"]) {
    const headers = { "x-coding": coding };
    const answer = await exchange({ headers });
    assert.equal(answer.headers["content-encoding"], undefined);
    assert.equal(await answer.text(), "Grüße");
    assert.equal(await readAll(await exchange({ headers })), "Grüße");
    await assert.rejects((await exchange({ path: "/long", headers })).text(), { code: "egress-too-large" });
    await assert.rejects(readAll(await exchange({ path: "/long", headers })), { code: "egress-too-large" });
  }
});

test("limits of size and lines, and a body that stands still", async (t) => {
  const { exchange } = await start(
    t,
    (request, response) => {
      response.writeHead(200, { "content-type": request.url === "/lines" ? "text/event-stream" : "text/plain" });
      if (request.url === "/still") response.write("begun");
      else response.end(request.url === "/lines" ? `${"y".repeat(200)}\n` : "x".repeat(2_000));
    },
    { fetchMaxBytes: 1_000, maxLineBytes: 100, fetchIdleMs: 50 },
  );
  await assert.rejects((await exchange({ path: "/size" })).text(), { code: "egress-too-large" });
  const lines = { code: "egress-failed", message: /line of more than 100 bytes/ };
  await assert.rejects(readAll(await exchange({ path: "/lines" })), lines);
  await assert.rejects((await exchange({ path: "/still" })).text(), { code: "egress-timeout", message: /50 ms/ });
});

test("an answer that never comes ends with the time", async (t) => {
  const { exchange } = await start(t, () => {}, { fetchTimeoutMs: 50 });
  await assert.rejects(exchange(), { code: "egress-timeout", message: /50 ms/ });
});

test("a connection that breaks fails the body; no connection and no URL fail the call", async (t) => {
  const { exchange, url } = await start(t, (_request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("part", () => response.destroy());
  });
  await assert.rejects((await exchange()).text(), { code: "egress-failed" });
  await assert.rejects(readAll(await exchange()), { code: "egress-failed" });
  await assert.rejects(exchange({ url: "http://127.0.0.1:1/" }), { code: "egress-refused" });
  await assert.rejects(exchange({ url: "no url" }), { code: "egress-failed" });
  await assert.rejects(exchange({ url: url.replace("http:", "ftp:") }), { code: "egress-failed" });
  await assert.rejects(exchange({ headers: { "x-bad": "a\nb" } }), { code: "egress-failed" });
});

test("redirects are followed a few times, and take no secret to another host", async (t) => {
  let away = "";
  const { exchange, vault, host, other } = await start(t, (request, response) => {
    const places: Record<string, string> = { "/home": "/end", "/away": away, "/round": "/round" };
    const location = places[request.url ?? ""];
    if (location === undefined) return echo(request, response);
    response.writeHead(307, { location }).end("moved");
  });
  away = other.url;
  const key = vault.placeholderFor("one", { value: "sk-live-0123456789", name: "Model", hosts: [`http://${host}`] });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  assert.equal(JSON.parse(await (await exchange({ path: "/home", headers })).text()).body, "{}");
  await (await exchange({ path: "/away", headers })).text();
  assert.equal(other.received[0]?.headers.authorization, undefined);
  await assert.rejects(exchange({ path: "/away", headers, body: key }), { code: "credential-host" });
  await assert.rejects(exchange({ path: "/round" }), {
    code: "egress-failed",
    message: /redirected more than 5 times/,
  });
});

test("a secret arrives at its host and comes back in no part of the answer, however it is cut", async (t) => {
  const value = "sk-live-0123456789";
  const { exchange, vault, host, received } = await start(t, async (request, response) => {
    response.setHeader("x-echo", String(request.headers.authorization));
    for (const character of `I know ${value}, and by hand: ${request.headers["x-api-key"]}!`) {
      response.write(character);
      await nextTurn();
    }
    response.end();
  });
  const key = vault.placeholderFor("one", { value, name: "Model", hosts: [`http://${host}`] });
  const headers = { authorization: `Bearer ${key}`, "x-api-key": "written-by-hand" };
  for (const read of [readAll, (answer: { text(): Promise<string> }) => answer.text()]) {
    const answer = await exchange({ headers });
    assert.equal(received.at(-1)?.headers.authorization, `Bearer ${value}`);
    assert.equal(answer.headers["x-echo"], "Bearer [secret]");
    assert.equal(await read(answer), "I know [secret], and by hand: [secret]!");
  }
});

test("answers without a body, with a byte order mark, and with an invalid status", async (t) => {
  const { exchange } = await start(t, (request, response) => {
    if (request.url === "/mark") response.end("\ufeff{}");
    else response.writeHead(Number(request.url?.slice(1)), { "content-encoding": "gzip" }).end();
  });
  const empty = await exchange({ path: "/204" });
  assert.deepEqual([empty.status, await empty.text()], [204, ""]);
  assert.equal(await (await exchange({ path: "/mark" })).text(), "{}");
  await assert.rejects(exchange({ path: "/799" }), { code: "egress-failed", message: /invalid status 799/ });
});
