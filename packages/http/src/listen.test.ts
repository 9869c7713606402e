// @process own: it measures its memory.
import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { z } from "zod";
import { type ConnectionTimeouts, ListenError, type Listening, listen } from "./listen.ts";
import { defineRoute } from "./route/define-route.ts";
import { createTestApp } from "./testing/test-app.ts";

const common = { summary: "", tag: "Test", permission: "agents:write", errors: [400] } as const;
const limitBytes = 1_000_000;

type Served = Listening & {
  /** Resolves when the handler of `/held` runs. */
  entered: Promise<void>;
  release(): void;
  aborted: Promise<unknown>;
};

async function serve(t: TestContext, timeouts: Partial<ConnectionTimeouts> = {}): Promise<Served> {
  const entered = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<unknown>();
  const routes = [
    defineRoute({
      ...common,
      method: "POST",
      path: "/echo",
      operationId: "echo",
      body: z.object({ text: z.string() }),
      returns: { schema: z.object({ length: z.number() }) },
      handle: ({ body }) => ({ length: body.text.length }),
    }),
    defineRoute({
      ...common,
      method: "GET",
      path: "/asked",
      operationId: "asked",
      takesBodyOnGet: true,
      body: z.object({ text: z.string() }).optional(),
      returns: { schema: z.object({ text: z.string().nullable() }) },
      handle: ({ body }) => ({ text: body?.text ?? null }),
    }),
    defineRoute({
      ...common,
      method: "GET",
      path: "/held",
      operationId: "held",
      returns: { schema: z.string() },
      async handle({ signal }) {
        signal.addEventListener("abort", () => aborted.resolve(signal.reason));
        entered.resolve();
        await held.promise;
        return "released";
      },
    }),
    defineRoute({
      ...common,
      method: "GET",
      path: "/stream",
      operationId: "stream",
      returns: { schema: z.string() },
      handle: () =>
        new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode("data: first\n\n")),
            cancel: (reason) => aborted.resolve(reason),
          }),
          { headers: { "content-type": "text/event-stream" } },
        ),
    }),
  ];
  const app = createTestApp(routes, { bodyLimitBytes: limitBytes });
  const listening = await listen(app, { host: "127.0.0.1", port: 0, timeouts });
  t.after(() => listening.close({ graceMs: 0 }));
  return { ...listening, entered: entered.promise, release: () => held.resolve(), aborted: aborted.promise };
}

const headers = { authorization: "Bearer all", "content-type": "application/json" };

/** Sends raw bytes; resolves with everything that came back when the server closes. */
async function talk(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.end(text);
  return readAll(socket);
}

async function readAll(socket: Socket): Promise<string> {
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.on("error", () => undefined);
  await once(socket, "close");
  return answer;
}

function bodyOf(answer: string): Record<string, unknown> {
  return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4)) as Record<string, unknown>;
}

test("answers over a socket as without one", async (t) => {
  const { url } = await serve(t);
  const response = await fetch(`${url}/echo/`, { method: "POST", headers, body: '{"text":"abc"}' });
  assert.deepEqual([response.status, await response.json()], [200, { length: 3 }]);
  assert.match(response.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  const head = await fetch(`${url}/held/unknown`, { method: "HEAD" });
  assert.deepEqual([head.status, await head.text()], [404, ""]);
});

/** Writes 60 MB as fast as they are taken; resolves with the answer and the bytes that were written until then. */
async function sendHuge(
  port: number,
  extra: Record<string, string | number>,
): Promise<{ status: number; body: string }> {
  const request = httpRequest({
    port,
    host: "127.0.0.1",
    path: "/echo",
    method: "POST",
    headers: { ...headers, ...extra },
  });
  request.on("error", () => undefined);
  const answered = once(request, "response");
  const piece = Buffer.alloc(1_000_000, 0x20);
  void (async () => {
    for (let sent = 0; sent < 60 && !request.destroyed; sent++) {
      if (!request.write(piece)) await Promise.race([once(request, "drain"), once(request, "close")]);
    }
    request.end();
  })();
  const [response] = await answered;
  let body = "";
  for await (const chunk of response) body += chunk;
  request.destroy();
  return { status: response.statusCode, body };
}

test("60 MB are refused while they are sent, with and without a declared length", async (t) => {
  const { port } = await serve(t);
  const before = process.memoryUsage().rss;
  for (const extra of [{ "content-length": 60_000_000 }, { "transfer-encoding": "chunked" }]) {
    const { status, body } = await sendHuge(port, extra);
    assert.equal(status, 413);
    assert.equal((JSON.parse(body) as { code: string }).code, "body-too-large");
  }
  const unknown = await sendHuge(port, { "content-length": 60_000_000, authorization: "Bearer wrong" });
  assert.equal(unknown.status, 401);
  assert.ok(process.memoryUsage().rss - before < 60_000_000);
});

test("a body that comes in drops is read, and holds up nobody else", async (t) => {
  const { port, url } = await serve(t);
  const socket = connect(port, "127.0.0.1");
  const text = '{"text":"drop by drop"}';
  const lines = Object.entries({ ...headers, host: "test", "content-length": text.length, connection: "close" });
  socket.write(`POST /echo HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
  const answer = readAll(socket);
  for (const character of text) {
    socket.write(character);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal((await fetch(`${url}/echo`, { method: "POST", headers, body: '{"text":"b"}' })).status, 200);
  assert.deepEqual(bodyOf(await answer), { length: 12 });
});

test("the body of a GET arrives, with a length and in chunks, and where there is none", async (t) => {
  const { port } = await serve(t);
  const ask = (lines: string, body: string) =>
    talk(
      port,
      `GET /asked HTTP/1.1\r\nhost: t\r\nauthorization: Bearer all\r\nconnection: close\r\n${lines}\r\n${body}`,
    );
  const text = '{"text":"in a GET"}';
  const type = "content-type: application/json\r\n";
  const chunked = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
  assert.deepEqual(bodyOf(await ask(`${type}content-length: ${text.length}\r\n`, text)), { text: "in a GET" });
  assert.match(await ask(`${type}transfer-encoding: chunked\r\n`, chunked), /in a GET/);
  assert.deepEqual(bodyOf(await ask("", "")), { text: null });
  assert.equal(bodyOf(await ask(`${type}content-length: 1\r\n`, "{")).code, "body-unparsable");
  assert.equal(bodyOf(await ask(`${type}content-length: 60000000\r\n`, "")).code, "body-too-large");
});

test("a request that never ends is cut off", async (t) => {
  const { port } = await serve(t, { requestTimeoutMs: 100, headersTimeoutMs: 100, checkIntervalMs: 20 });
  const socket = connect(port, "127.0.0.1");
  socket.write("POST /echo HTTP/1.1\r\nhost: test\r\nauthorization: Bearer all\r\ncontent-le");
  const answer = await readAll(socket);
  assert.match(answer, /^HTTP\/1\.1 408 /);
  assert.equal(bodyOf(answer).code, "request-timeout");
});

test("time in which the server stood still is not the client's", async (t) => {
  const { port } = await serve(t, { requestTimeoutMs: 400, headersTimeoutMs: 400, checkIntervalMs: 50 });
  const begin = async (head: string) => {
    const socket = connect(port, "127.0.0.1");
    socket.write(head);
    await new Promise((resolve) => setTimeout(resolve, 50));
    return socket;
  };
  const stands = await begin("GET /unknown HTTP/1.1\r\nhost: test\r\n");
  const silent = await begin("GET /unknown HTTP/1.1\r\nhost: test\r\n");
  // Timers that are due come before what sockets have to say when the loop goes on from here.
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
  setImmediate(() => stands.write("connection: close\r\n\r\n"));
  const [answer, late] = await Promise.all([readAll(stands), readAll(silent)]);
  assert.match(answer, /^HTTP\/1\.1 404 /);
  assert.match(late, /^HTTP\/1\.1 408 /);
});

test("what is not HTTP is answered in the API's form and the server goes on", async (t) => {
  const { port, url } = await serve(t);
  for (const text of [
    "nonsense\r\n\r\n",
    "GET / HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n",
    "\u0016\u0003\u0001\r\n\r\n",
  ]) {
    const answer = await talk(port, text);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.equal(bodyOf(answer).code, "request-malformed");
  }
  const large = await talk(port, `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(100_000)}\r\n\r\n`);
  assert.match(large, /^HTTP\/1\.1 431 /);
  const address = await talk(port, "GET /\\api HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n");
  assert.match(address, /^HTTP\/1\.1 400 /);
  assert.equal(bodyOf(address).code, "request-malformed");
  assert.equal((await fetch(`${url}/nothing`)).status, 404);
});

test("a client that goes away in the middle harms nobody, and the handler can know", async (t) => {
  const { port, url, entered, aborted } = await serve(t);
  const upload = connect(port, "127.0.0.1");
  upload.write(
    'POST /echo HTTP/1.1\r\nhost: a\r\nauthorization: Bearer all\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"te',
  );
  await once(upload, "connect");
  upload.destroy();
  const controller = new AbortController();
  const left = fetch(`${url}/held`, { headers, signal: controller.signal });
  await entered;
  controller.abort();
  await assert.rejects(left);
  assert.ok(await aborted);
  assert.equal((await fetch(`${url}/nothing`)).status, 404);
});

test("a stream is flushed at once, and cancelled when the client leaves", async (t) => {
  const { url, aborted } = await serve(t);
  const response = await fetch(`${url}/stream`, { headers });
  const reader = response.body?.getReader();
  assert.equal(new TextDecoder().decode((await reader?.read())?.value), "data: first\n\n");
  await reader?.cancel();
  await aborted;
});

test("closing waits for the requests that run, and no longer than it is told", async (t) => {
  const first = await serve(t);
  const running = fetch(`${first.url}/held`, { headers });
  await first.entered;
  const closing = first.close({ graceMs: 10_000 });
  await assert.rejects(fetch(`${first.url}/nothing`));
  first.release();
  assert.equal(await (await running).json(), "released");
  await closing;

  const second = await serve(t);
  const stuck = assert.rejects(fetch(`${second.url}/held`, { headers }));
  await second.entered;
  await second.close({ graceMs: 20 });
  await stuck;
});

test("an address that cannot be had is one sentence", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  t.after(() => other.close());
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const app = createTestApp([]);
  await assert.rejects(listen(app, { host: "127.0.0.1", port }), (error: unknown) => {
    assert.ok(error instanceof ListenError);
    assert.equal(error.message, `Port ${port} is in use. Stop the other program, or set PORT to another number.`);
    return true;
  });
  await assert.rejects(listen(app, { host: "203.0.113.1", port: 0 }), /Correct HOST/);
});

for (const [host, reachable] of [
  ["0.0.0.0", "localhost"],
  ["127.0.0.1", "127.0.0.1"],
] as const) {
  test(`a server on ${host} is reached at its address`, async (t) => {
    const server = await listen(createTestApp([]), { host, port: 0 });
    t.after(() => server.close({ graceMs: 0 }));
    assert.equal(server.url, `http://${reachable}:${server.port}`);
    assert.equal((await fetch(`${server.url}/nothing`)).status, 404);
  });
}
