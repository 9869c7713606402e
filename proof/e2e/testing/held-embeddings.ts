import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { toTestVector } from "../../../packages/providers/src/testing/test-vectors.ts";

/** An OpenAI-compatible server of embeddings that answers when the test says so. */
export type HeldEmbeddings = {
  readonly url: string;
  /** From now on requests with a text that has these words wait. */
  hold(words: string): void;
  /** Answers what waits, and from now on everything at once. */
  release(): void;
  /** From now on every request is refused, until `release`. */
  refuse(status: number, message: string): void;
  close(): void;
};

export async function startHeldEmbeddings(): Promise<HeldEmbeddings> {
  let words: string | undefined;
  let refusal: { status: number; message: string } | undefined;
  let waiting: (() => void)[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { input } = (await json(request)) as { input: string[] };
    if (refusal !== undefined) return send(response, refusal.status, { error: { message: refusal.message } });
    if (words !== undefined && input.some((text) => text.includes(words ?? ""))) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    const data = input.map((text, index) => ({ object: "embedding", index, embedding: [...toTestVector(text)] }));
    send(response, 200, { object: "list", data, model: "held", usage: { prompt_tokens: 1, total_tokens: 1 } });
  }

  // A client that leaves while it waits is no failure of the test.
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    hold(held) {
      words = held;
    },
    release() {
      words = undefined;
      refusal = undefined;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    refuse(status, message) {
      refusal = { status, message };
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
