import { Agent, createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/**
 * The least that a server between a client and a model does, as a process of its own: `node relay.ts MODEL_URL`. Takes a
 * request, asks the model and forwards what it sends.
 */
const url = `${process.argv[2]}/chat/completions`;
const agent = new Agent({ keepAlive: true });

const server = createServer(async (incoming, response) => {
  const asked = JSON.stringify({
    model: "scripted",
    stream: true,
    messages: [{ role: "user", content: await text(incoming) }],
  });
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(asked) };
  const call = sendRequest(url, { method: "POST", agent, headers }, (answer) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    answer.on("data", (piece: Buffer) => response.write(piece)).once("end", () => response.end());
  });
  call.end(asked);
});
server.listen({ host: "127.0.0.1", port: 0, backlog: 4_096 }, () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
