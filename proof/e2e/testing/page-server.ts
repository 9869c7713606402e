import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const folder = new URL("../chat-client/", import.meta.url);
const types: Record<string, string> = { "index.html": "text/html; charset=utf-8", "chat-client.js": "text/javascript" };

/** Serves the chat client at an origin of its own. */
export async function startPageServer() {
  const server = createServer(async (request, response) => {
    const name = new URL(request.url ?? "/", "http://page").pathname.slice(1) || "index.html";
    const type = types[name];
    if (type === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": type }).end(await readFile(new URL(name, folder)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
