// @process own: it measures its memory.
import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { WeftError } from "@weft/schema";
import { until } from "../../database/src/testing/until.ts";
import type { EgressDefaults } from "./call.ts";
import { createEgressClient } from "./index.ts";
import { type Handler, startServer } from "./testing/test-server.ts";

const mib = 1024 * 1024;
const defaults: Partial<EgressDefaults> = {
  timeoutMs: 45_000,
  fetchTimeoutMs: 45_000,
  fetchIdleMs: 15_000,
  fetchMaxBytes: 4 * mib,
  maxLineBytes: 256 * 1024,
  maxLines: 1_000,
};

/** For what ends with the time of a call alone. */
const hasty: Partial<EgressDefaults> = { timeoutMs: 300, fetchTimeoutMs: 300, fetchIdleMs: 30_000 };

const never = new AbortController().signal;

async function attack(t: TestContext, handler: Handler, more: Partial<EgressDefaults> = {}) {
  const server = await startServer(t, handler);
  const client = createEgressClient({ allow: [server.host], defaults: { ...defaults, ...more } });
  t.after(() => client.close());
  const { url } = server;
  return {
    ...server,
    request: () => client.request({ method: "GET", url }),
    stream: async () => (await client.fetch(url)).text(),
    live: async () => (await client.exchange({ method: "GET", url, headers: {}, signal: never })).text(),
  };
}

/** Raw bytes in place of HTTP. */
async function attackRaw(t: TestContext, talk: (socket: Socket) => void, more: Partial<EgressDefaults> = {}) {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => talk(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const client = createEgressClient({ allow: [`127.0.0.1:${port}`], defaults: { ...defaults, ...more } });
  t.after(async () => {
    await client.close();
    for (const socket of open) socket.destroy();
    server.close();
  });
  const url = `http://127.0.0.1:${port}/`;
  return {
    request: () => client.request({ method: "GET", url }),
    stream: async () => (await client.fetch(url)).text(),
    live: async () => (await client.exchange({ method: "GET", url, headers: {}, signal: never })).text(),
  };
}

/** Fails as it should, with a sentence, and without filling the memory on the way. */
async function fails(call: () => Promise<unknown>, code: string, words: RegExp): Promise<void> {
  const usedBytes = () => process.memoryUsage().rss;
  const before = usedBytes();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, usedBytes());
  }, 20);
  try {
    await assert.rejects(call, (cause) => {
      assert.ok(cause instanceof WeftError, String(cause));
      assert.equal(cause.code, code, cause.message);
      assert.match(cause.message, words);
      return true;
    });
  } finally {
    clearInterval(watch);
  }
  const grownMib = (Math.max(peak, usedBytes()) - before) / mib;
  assert.ok(grownMib < 150, `${grownMib} MiB`);
}

/** Writes for as long as somebody reads. */
function endlessly(response: Parameters<Handler>[1], piece: Uint8Array | string): void {
  const write = () => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once("drain", () => setImmediate(write));
  };
  write();
}

/** 10 MB that are 10 GB when they are unpacked: ten thousand members of a megabyte each. */
const member = gzipSync(Buffer.alloc(mib));
const toBrotli = (sizeBytes: number) =>
  brotliCompressSync(Buffer.alloc(sizeBytes), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const bombs: [string, () => Buffer][] = [
  ["gzip", () => Buffer.concat(Array.from({ length: 10_000 }, () => member))],
  ["br", () => toBrotli(64 * mib)],
  ["gzip, gzip", () => gzipSync(gzipSync(Buffer.alloc(64 * mib)))],
  ["br, gzip", () => gzipSync(toBrotli(64 * mib))],
];

describe("hostile servers", () => {
  for (const [coding, toBomb] of bombs) {
    it(`a bomb in ${coding} is read up to the limit of its unpacked bytes`, async (t) => {
      const bomb = toBomb();
      const { request, stream, live } = await attack(t, (_request, response) => {
        response.writeHead(200, { "content-encoding": coding }).end(bomb);
      });
      await fails(request, "egress-too-large", /262,?144|256/);
      for (const call of [stream, live]) await fails(call, "egress-too-large", /more|larger|exceed|limit/i);
    });
  }

  it("more codings than anybody needs are refused", async (t) => {
    const { request, stream, live } = await attack(t, (_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip, gzip, gzip, gzip" }).end("x");
    });
    for (const call of [request, stream, live]) await fails(call, "egress-failed", /compressed 4 times over/);
  });

  it("packed bytes that unpack to nothing end with the time", async (t) => {
    const nothing = gzipSync("");
    const answer: Handler = (_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      endlessly(response, Buffer.concat(Array.from({ length: 1_000 }, () => nothing)));
    };
    const { request, stream, live } = await attack(t, answer, hasty);
    for (const call of [request, stream, live]) await fails(call, "egress-timeout", /300/);
  });

  it("an endless chunked answer is read up to the limit", async (t) => {
    const { request, stream, live } = await attack(t, (_request, response) => {
      response.writeHead(200);
      endlessly(response, Buffer.alloc(65_536, "x"));
    });
    for (const call of [request, stream, live]) await fails(call, "egress-too-large", /./);
  });

  it("an answer that comes byte by byte ends with the time", async (t) => {
    const answer: Handler = (_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    };
    const { request, stream, live } = await attack(t, answer, hasty);
    for (const call of [request, stream, live]) await fails(call, "egress-timeout", /300/);
  });

  it("a body that stands still ends sooner where it is streamed", async (t) => {
    const { stream, live } = await attack(t, (_request, response) => void response.writeHead(200).write("x"), {
      fetchIdleMs: 400,
    });
    for (const call of [stream, live]) await fails(call, "egress-timeout", /400/);
  });

  it("endless headers, few or slow, end with a sentence", async (t) => {
    const much = await attackRaw(t, (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const write = () => !socket.destroyed && socket.write(`x-a: ${"a".repeat(1_000)}\r\n`, () => setImmediate(write));
      write();
    });
    for (const call of [much.request, much.stream, much.live])
      await fails(call, "egress-failed", /headers are too large/);
    const drip = (socket: Socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(timer));
    };
    const slow = await attackRaw(t, drip, hasty);
    for (const call of [slow.request, slow.stream, slow.live]) await fails(call, "egress-timeout", /300/);
  });

  it("redirects without end are followed a few times, and their bodies hold no connection", async (t) => {
    const { request, stream, live, received } = await attack(t, (request, response) => {
      response.writeHead(302, { location: `/${Number(request.url?.slice(1) || 0) + 1}` });
      const timer = setInterval(() => response.write("x"), 100);
      response.on("close", () => clearInterval(timer));
    });
    for (const call of [request, stream, live]) await fails(call, "egress-failed", /redirected more than 5 times/);
    await until(() => (received.every(({ socket }) => socket.destroyed) ? true : undefined));
    assert.equal(received.length, 18);
  });

  it("an event stream has no endless line, and no endless number of them", async (t) => {
    const events = (piece: string) => (_request: unknown, response: Parameters<Handler>[1]) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      endlessly(response, piece);
    };
    const long = await attack(t, events("data: ".padEnd(10_000, "x")));
    for (const call of [long.stream, long.live]) await fails(call, "egress-failed", /a line of more than 262144 bytes/);
    const many = await attack(t, events(":\n\n"));
    for (const call of [many.stream, many.live]) await fails(call, "egress-failed", /more than 1000 lines/);
  });

  it("a server that takes the request and says nothing ends with the time", async (t) => {
    const { request, stream, live } = await attackRaw(t, () => undefined, hasty);
    for (const call of [request, stream, live]) await fails(call, "egress-timeout", /300/);
  });
});
