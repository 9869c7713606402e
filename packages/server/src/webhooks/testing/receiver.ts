import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";

export type Received = { headers: IncomingHttpHeaders; body: string };

/** A server that callbacks are sent to, closed after the test. It answers `statuses` in turn, then 200. */
export async function startReceiver(t: { after(fn: () => void): void }, ...statuses: number[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.statusCode = statuses.shift() ?? 200;
    response.end();
  });
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return { received, statuses, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/hook` };
}
