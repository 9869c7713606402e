import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export type TestServer = { port: number; host: string; url: string; received: IncomingMessage[] };
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real HTTP server on a free port of 127.0.0.1, closed with the test. `received` keeps its requests in order. */
export async function startServer(t: TestContext, handler: Handler): Promise<TestServer> {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { port, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}`, received };
}

/** Answers with what was received. */
export const echo: Handler = (request, response) => {
  const chunks: Uint8Array[] = [];
  request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  request.on("end", () => {
    const { method, url, headers } = request;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
  });
};
