import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A request as a service got it. `text`: its head and its body. */
export type Received = {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
  text: string;
};

export type Reply = (request: Received, response: ServerResponse) => void;

/** An HTTP server that keeps every request. */
export type Service = {
  /** Such as `http://127.0.0.1:4711`. */
  url: string;
  host: string;
  received: readonly Received[];
  hasSeen(text: string): boolean;
  close(): Promise<void>;
};

/** Default reply: 200 with `{}`. */
export async function openService(port: number, reply: Reply = (_, response) => response.end("{}")): Promise<Service> {
  const received: Received[] = [];
  const server = createServer((request, response) => void receive(request, response));

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { method = "", url: path = "", headers } = request;
    const entry = { method, path, headers, body, text: `${path}\n${request.rawHeaders.join("\n")}\n${body}` };
    received.push(entry);
    reply(entry, response);
  }

  server.on("clientError", (_, socket) => socket.destroy());
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${port}`;
  return {
    url: `http://${host}`,
    host,
    received,
    hasSeen: (text) => received.some((request) => request.text.includes(text)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
