import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, type TestContext, test } from "node:test";
import { createEgressClient } from "@weft/egress";
import type { SandboxCall } from "@weft/engine/ports/sandbox";
import { createSandbox, type SandboxLimits } from "./index.ts";

const shared = createSandbox({ workers: 1 });
after(() => shared.close());

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real server, the real egress client that may call it, and a sandbox; `$url` is the server's address. */
async function start(t: TestContext, handler: Handler, limits?: Partial<SandboxLimits>) {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const http = createEgressClient({ allow: [`127.0.0.1:${port}`] });
  const sandbox = limits === undefined ? shared : createSandbox({ workers: 1, limits });
  t.after(async () => {
    server.close();
    server.closeAllConnections();
    await http.close();
    if (sandbox !== shared) await sandbox.close();
  });
  const run = (code: string, rest: Partial<SandboxCall> = {}) =>
    sandbox.run({
      code,
      globals: { $url: `http://127.0.0.1:${port}` },
      http,
      signal: new AbortController().signal,
      ...rest,
    });
  return { run, received };
}

const echo: Handler = async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  response.writeHead(201, "Made", { "content-type": "application/json", "x-reply": "r" });
  response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
};

test("fetch sends and answers as the standard does", async (t) => {
  const { run } = await start(t, echo);
  const result = await run(`
    const response = await fetch($url + "/p?q=1", { method: "post", headers: { "X-A": 1 }, body: JSON.stringify({ ü: 1 }) });
    const { status, ok, statusText, url } = response;
    const seen = await response.json();
    return { status, ok, statusText, path: url.slice($url.length), get: response.headers.get("X-Reply"),
      none: response.headers.get("constructor"), has: response.headers.has("x-reply"), text: (await response.text()).length > 2,
      method: seen.method, seenUrl: seen.url, header: seen.headers["x-a"], body: seen.body };`);
  assert.deepEqual(result.ok && result.value, {
    status: 201,
    ok: true,
    statusText: "Made",
    path: "/p?q=1",
    get: "r",
    none: null,
    has: true,
    text: true,
    method: "POST",
    seenUrl: "/p?q=1",
    header: "1",
    body: '{"ü":1}',
  });
});

test("error statuses are answers, header lists and no options work", async (t) => {
  const { run } = await start(t, (request, response) => response.writeHead(404).end(request.headers["x-b"] ?? "none"));
  const result = await run(`
    const a = await fetch($url); const b = await fetch($url, { headers: [["x-b", "2"]], body: null });
    return [a.status, a.ok, await a.text(), await b.text()];`);
  assert.deepEqual(result.ok && result.value, [404, false, "none", "2"]);
});

test("calls run at the same time, and other work goes on meanwhile", async (t) => {
  const open: ServerResponse[] = [];
  const { run } = await start(t, (_request, response) => {
    open.push(response);
    if (open.length === 3) for (const each of open) each.end(String(open.indexOf(each)));
  });
  const result = await run(`
    const calls = [1, 2, 3].map(async () => (await fetch($url)).text());
    let spins = 0, done = false;
    Promise.all(calls).then(() => { done = true });
    while (!done) { spins++; await null; }
    return [(await Promise.all(calls)).sort(), spins > 1];`);
  assert.deepEqual(result.ok && result.value, [["0", "1", "2"], true]);
});

test("failures are errors that the code can catch, in the client's words", async (t) => {
  const { run } = await start(t, echo);
  const result = await run(`
    const words = [];
    for (const url of ["http://169.254.169.254/", "http://127.0.0.1:1/", "file:///etc/passwd", "nonsense", undefined]) {
      try { await fetch(url); words.push("reached"); } catch (error) { words.push(error.name + " " + error.message); }
    }
    return words;`);
  const words = (result.ok && result.value) as string[];
  assert.match(words[0] ?? "", /^TypeError http:\/\/169.254.169.254 is not allowed/);
  assert.match(words[1] ?? "", /is not allowed/);
  assert.match(words[2] ?? "", /only http and https/);
  assert.match(words[3] ?? "", /not an absolute/);
  assert.match(words[4] ?? "", /not an absolute/);
});

test("what is no proper request is refused inside", async (t) => {
  const { run, received } = await start(t, echo, { fetchBytes: 1000 });
  const result = await run(`
    const words = [];
    for (const init of [{ body: {} }, { body: 5 }, { body: "x".repeat(2000) }, { headers: { get a() { throw new Error("own") } } }]) {
      await fetch($url, init).catch((error) => words.push(error.message));
    }
    return words;`);
  assert.deepEqual(result.ok && result.value, [
    "fetch takes a string as body: use JSON.stringify.",
    "fetch takes a string as body: use JSON.stringify.",
    "A request may have 1000 bytes at most.",
    "own",
  ]);
  assert.equal(received.length, 0);
});

test("a flood of calls is stopped", async (t) => {
  const { run, received } = await start(t, echo);
  const result = await run(`
    const calls = Array.from({ length: 10000 }, () => fetch($url).then(() => "ok", (error) => error.message));
    const answers = await Promise.all(calls);
    return [answers.filter((answer) => answer === "ok").length, answers.at(-1)];`);
  assert.deepEqual(result.ok && result.value, [10, "The code may call fetch 10 times at most."]);
  assert.equal(received.length, 10);
});

test("the count holds when the code tampers with the guest", async (t) => {
  const { run, received } = await start(t, echo, { fetchCalls: 3 });
  await run(`
    for (let i = 0; i < 100; i++) Object.defineProperty(Array.prototype, i, { set() {}, configurable: true });
    String = () => ({ toString: 1 });
    for (let i = 0; i < 50; i++) fetch($url).catch(() => {});
    await fetch($url);`);
  assert.ok(received.length <= 3);
});

test("the bytes of all answers are limited together", async (t) => {
  const held: ServerResponse[] = [];
  const answer: Handler = (request, response) => {
    // Those that are to be under way together wait for each other.
    if (request.url === "/together" && held.push(response) < 3) return;
    for (const each of new Set([response, ...held])) each.end("x".repeat(600));
  };
  const { run } = await start(t, answer, { fetchBytes: 1000 });
  const result = await run(`
    const words = [];
    for (let i = 0; i < 3; i++) await fetch($url).then(() => words.push("ok"), (error) => words.push(error.message));
    return words;`);
  const words = (result.ok && result.value) as string[];
  assert.equal(words[0], "ok");
  assert.match(words[1] ?? "", /is larger than 400 bytes/);
  const atOnce = await run(`
    const calls = [1, 2, 3].map(() => fetch($url + "/together").then(() => "ok", (error) => error.message));
    return (await Promise.all(calls)).sort();`);
  const sentence = "The answers to fetch may have 1000 bytes at most, all together.";
  assert.deepEqual(atOnce.ok && atOnce.value, [sentence, sentence, "ok"]);
});

test("the deadline covers waiting for fetch, and the call is ended", async (t) => {
  const closed = Promise.withResolvers<void>();
  const { run } = await start(t, (request) => request.socket.on("close", () => closed.resolve()));
  const result = await run("console.log('before'); await fetch($url).catch(() => {}); return await fetch($url)", {
    timeoutMs: 1_500,
  });
  assert.equal(!result.ok && result.error.name, "TimeoutError");
  assert.deepEqual(result.logs, ["before"]);
  await closed.promise;
});

test("aborting ends the calls under way", async (t) => {
  const closed = Promise.withResolvers<void>();
  const controller = new AbortController();
  const { run } = await start(t, (request) => {
    request.socket.on("close", () => closed.resolve());
    controller.abort(new Error("enough"));
  });
  await assert.rejects(run("await fetch($url)", { signal: controller.signal }), { message: "enough" });
  await closed.promise;
});

test("without a client there is no fetch; unawaited calls do not hold the run", async (t) => {
  const { run, received } = await start(t, () => {});
  const { http: _http, ...without } = { http: undefined };
  const result = await shared.run({
    code: "return typeof fetch",
    globals: {},
    signal: new AbortController().signal,
    ...without,
  });
  assert.deepEqual(result.ok && result.value, "undefined");
  const quick = await run("fetch($url); return 'done'");
  assert.deepEqual(quick.ok && quick.value, "done");
  assert.ok(received.length <= 1);
});

test("require gives node-fetch as existing code asks for it, also with a form", async (t) => {
  const { run } = await start(t, (_request, response) => response.end("pong"));
  for (const code of [
    "const fetch = require('node-fetch'); return (await fetch($url)).text();",
    "const { default: fetch } = require('node-fetch'); return (await fetch($url)).text();",
    "const call = require(`node-fetch`).default; return call($url).then((response) => response.text());",
  ]) {
    const result = await run(code);
    assert.deepEqual([result.ok, result.ok && result.value], [true, "pong"], code);
  }
  const echoed = await start(t, echo);
  const form = await echoed.run(`
    const seen = await (await fetch($url, { method: "POST", body: new URLSearchParams({ a: "b c" }) })).json();
    return [seen.body, seen.headers["content-type"]];`);
  assert.deepEqual(form.ok && form.value, ["a=b+c", "application/x-www-form-urlencoded;charset=UTF-8"]);
});
