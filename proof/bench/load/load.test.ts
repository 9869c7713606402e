import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { it, type TestContext } from "node:test";
import { freePort } from "../../../packages/server/src/testing/free-port.ts";
import { UnexpectedAnswer } from "./answer-reader.ts";
import { ConnectionLost, type LoadRequest, load } from "./load.ts";

async function serve(t: TestContext, listener: RequestListener): Promise<LoadRequest> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, method: "POST", path: "/", body: '{"name":"{{unique}}"}' };
}

it("sends so many requests, each with a body of its own, over its connections", async (t) => {
  const bodies = new Set<string>();
  const sockets = new Set<unknown>();
  const request = await serve(t, (incoming, response) => {
    sockets.add(incoming.socket);
    incoming.setEncoding("utf8").on("data", (body: string) => bodies.add(body));
    incoming.on("end", () => response.end("x".repeat(300_000)));
  });
  const { count, p50Ms, cores } = await load(request, { connections: 3, requests: 20 });
  assert.deepEqual([count, bodies.size, sockets.size], [20, 20, 3]);
  assert.ok(p50Ms > 0 && cores > 0);
});

it("ends at an answer that is not 200", async (t) => {
  const request = await serve(t, (_, response) => response.writeHead(503, { "content-length": 4 }).end("busy"));
  await assert.rejects(
    load(request, { connections: 2, requests: 4 }),
    (error) => error instanceof UnexpectedAnswer && error.status === 503 && error.body === "busy",
  );
});

it("ends when the server breaks off or refuses a connection", async (t) => {
  const request = await serve(t, (incoming) => incoming.socket.destroy());
  await assert.rejects(load(request, { connections: 1, requests: 2 }), ConnectionLost);
  const refused = { ...request, port: await freePort() };
  await assert.rejects(load(refused, { connections: 1, requests: 2 }), /ConnectionLost: .*ECONNREFUSED/);
});
