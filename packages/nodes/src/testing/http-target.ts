import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createEgressClient } from "@weft/egress";
import type { NodeServices } from "@weft/engine/node";
import type { Json } from "@weft/schema";
import { chain, type RunFlowOptions, runFlow } from "./run-flow.ts";

export type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: string };
export type Answer = (request: Received, response: ServerResponse) => void;

/** A server that HTTP nodes may call, and what it received since the last reset. */
export type HttpTarget = {
  base: string;
  received: Received[];
  /** What the server answers. Default, and after a reset: `ok`. */
  answer: Answer;
  /** The only request that was received. */
  last(): Received;
  /** Runs a flow of one HTTP node with this configuration. */
  run(config: object, options?: RunFlowOptions): ReturnType<typeof runFlow>;
  servicesOf(more?: Partial<NodeServices>): Partial<NodeServices>;
  reset(): void;
  close(): Promise<void>;
};

/** Values that would break out of their place where nothing keeps them in it. */
export const hostile = [
  '"}, {"admin": true',
  '", "admin": "yes',
  "a&admin=1",
  "?admin=1#x",
  "../../admin",
  "line\r\nbreak",
  "{{ $vars.key }}",
  "é 😀",
];

export const ok: Answer = (_request, response) => response.end();

export const json =
  (body: Json, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };

export const node = (config: object) => ({ id: "call", type: "http", label: "Call", config });

export async function openHttpTarget(): Promise<HttpTarget> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(seen);
      target.answer(seen, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const http = createEgressClient({ allow: [`127.0.0.1:${port}`] });
  const servicesOf = (more: Partial<NodeServices> = {}) => ({ http, ...more });

  const target: HttpTarget = {
    base: `http://127.0.0.1:${port}`,
    received,
    answer: ok,
    last() {
      assert.equal(received.length, 1);
      return received[0] as Received;
    },
    run: (config, options = {}) => runFlow(chain(node(config)), { ...options, services: servicesOf(options.services) }),
    servicesOf,
    reset() {
      received.length = 0;
      target.answer = ok;
    },
    async close() {
      await http.close();
      server.close();
      server.closeAllConnections();
    },
  };
  return target;
}
