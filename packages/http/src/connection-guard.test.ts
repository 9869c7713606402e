import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { guardConnections } from "./connection-guard.ts";
import { type ListenOptions, listen } from "./listen.ts";
import { defineRoute } from "./route/define-route.ts";
import { createTestApp } from "./testing/test-app.ts";

const common = { summary: "", tag: "Test", permission: "agents:write", errors: [400] } as const;
const quick = { headersTimeoutMs: 100, requestTimeoutMs: 5_000, checkIntervalMs: 20, lingerMs: 50, stallMs: 300 };

async function serve(t: TestContext, options: Partial<ListenOptions> = {}) {
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
  ];
  const app = createTestApp(routes, { bodyLimitBytes: 1_000_000 });
  const server = await listen(app, { host: "127.0.0.1", port: 0, timeouts: quick, ...options });
  t.after(() => server.close({ graceMs: 0 }));
  return server;
}

/** A client that never closes its side. */
function open(t: TestContext, port: number): Socket {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => undefined);
  t.after(() => socket.destroy());
  return socket;
}

/** Whether the other side is gone: what is written to it comes back as a reset. */
async function isReleased(socket: Socket, withinMs = 30_000): Promise<boolean> {
  const untilMs = Date.now() + withinMs;
  while (Date.now() < untilMs) {
    if (socket.destroyed) return true;
    if (socket.readableEnded || socket.isPaused()) socket.write("x");
    await pause(20);
  }
  return false;
}

const head = "host: test\r\nauthorization: Bearer all\r\ncontent-type: application/json\r\n";

test("refused connections are released although their clients neither close nor read", async (t) => {
  const { port } = await serve(t);
  const reading = Array.from({ length: 50 }, () => open(t, port).resume());
  const deaf = Array.from({ length: 50 }, () => open(t, port).pause());
  for (const [index, socket] of [...reading, ...deaf].entries()) {
    socket.write(index % 2 === 0 ? "POST /echo HTTP/1.1\r\nhost: test\r\nunfin" : "nonsense\r\n\r\n");
  }
  assert.deepEqual(
    (await Promise.all(reading.map((socket) => isReleased(socket)))).filter((is) => !is),
    [],
  );
  assert.deepEqual(
    (await Promise.all(deaf.map((socket) => isReleased(socket)))).filter((is) => !is),
    [],
  );
});

test("a connection on which nothing is ever sent is closed", async (t) => {
  const { port } = await serve(t);
  assert.ok(await isReleased(open(t, port).resume()));
});

/**
 * Reads to the end at a steady rate, for longer than a client may stand still. The system tells the server in lumps of a
 * megabyte what was taken, so a client that reads little a turn would seem to stand still on a busy machine.
 */
async function readSlowly(socket: Socket): Promise<number> {
  const bytesPerMs = 16_000;
  const startedAt = performance.now();
  const isAhead = () => received > bytesPerMs * (performance.now() - startedAt);
  let received = 0;
  socket.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (isAhead()) socket.pause();
  });
  const pace = setInterval(() => isAhead() || socket.resume(), 10);
  await once(socket, "end");
  clearInterval(pace);
  return received;
}

test("an answer that is not taken is cut off, one that is taken slowly is not", async (t) => {
  const server = createServer((_, response) => response.end(Buffer.alloc(40_000_000)));
  const limits = { maxConnections: 10, maxConnectionsPerAddress: 0 };
  const never = () => assert.fail("nothing is refused here");
  guardConnections(server, { ...quick, stallMs: 1_000, limits, refuseBeyondLimit: never, refuseStalled: never });
  server.listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ask = async () => {
    const accepted = once(server, "connection");
    const socket = open(t, port).pause();
    socket.write(`GET / HTTP/1.1\r\n${head}connection: close\r\n\r\n`);
    const [other] = (await accepted) as [Socket];
    return { socket, isClosed: once(other, "close") };
  };
  const deaf = await ask();
  const slow = await ask();
  const received = await readSlowly(slow.socket);
  assert.ok(received > 40_000_000, `only ${received} bytes came`);
  await deaf.isClosed;
});

test("a body that stops coming is answered 408 and its connection released", async (t) => {
  const { port } = await serve(t);
  const socket = open(t, port);
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  socket.write(`POST /echo HTTP/1.1\r\n${head}content-length: 1000\r\n\r\n{"text`);
  assert.ok(await isReleased(socket));
  assert.match(answer, /^HTTP\/1\.1 408 [\s\S]*"request-timeout"/);
});

test("an answer reaches a client that still sends its body and closes afterwards", async (t) => {
  const { port } = await serve(t, { timeouts: { ...quick, lingerMs: 2_000 } });
  const socket = open(t, port);
  const failures: Error[] = [];
  socket.on("error", (error) => failures.push(error));
  const piece = "x".repeat(100_000);
  socket.write(`POST /echo HTTP/1.1\r\nhost: test\r\nconnection: close\r\ncontent-length: ${piece.length * 9}\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 401 /);
  socket.resume();
  for (let count = 0; count < 9; count += 1) {
    socket.write(piece);
    await pause(20);
  }
  assert.deepEqual(failures, []);
  assert.ok(await isReleased(socket));
});

test("a client that goes on sending after its answer is cut off", async (t) => {
  const { port } = await serve(t);
  const socket = open(t, port);
  socket.write("POST /echo HTTP/1.1\r\nhost: test\r\nconnection: close\r\ncontent-length: 900000\r\n\r\n");
  await once(socket, "data");
  assert.ok(await isReleased(socket));
});

test("one address has its limit of connections, and gets it back", async (t) => {
  const { port } = await serve(t, {
    limits: { maxConnectionsPerAddress: 3, isUncounted: () => false },
    timeouts: { ...quick, headersTimeoutMs: 5_000 },
  });
  const held = Array.from({ length: 3 }, () => open(t, port));
  await Promise.all(held.map((socket) => once(socket, "connect")));
  const fourth = open(t, port);
  let answer = "";
  fourth.on("data", (chunk) => {
    answer += chunk;
  });
  assert.ok(await isReleased(fourth));
  assert.match(answer, /^HTTP\/1\.1 429 [\s\S]*retry-after: 5[\s\S]*MAX_CONNECTIONS_PER_ADDRESS/i);
  held[0]?.destroy();
  await pause(100);
  const response = await fetch(`http://127.0.0.1:${port}/nothing`, { headers: { connection: "close" } });
  assert.equal(response.status, 404);
});

test("this machine's own connections have no limit of their own: proxies run there", async (t) => {
  const { port } = await serve(t, { limits: { maxConnectionsPerAddress: 1 } });
  const first = open(t, port);
  await once(first, "connect");
  assert.equal((await fetch(`http://127.0.0.1:${port}/nothing`)).status, 404);
});

test("all connections together have a limit", async (t) => {
  const { port } = await serve(t, { limits: { maxConnections: 2 }, timeouts: { ...quick, headersTimeoutMs: 5_000 } });
  const held = [open(t, port), open(t, port)];
  await Promise.all(held.map((socket) => once(socket, "connect")));
  await pause(50);
  await assert.rejects(fetch(`http://127.0.0.1:${port}/nothing`));
  held[0]?.destroy();
  await pause(100);
  assert.equal((await fetch(`http://127.0.0.1:${port}/nothing`)).status, 404);
});
