import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { createEgressClient } from "@weft/egress";
import { readArguments } from "@weft/engine/agent";
import type { Tool, ToolBuildContext, ToolContext, ToolResult } from "@weft/engine/ports/tool";
import { createSandbox } from "@weft/sandbox";
import type { Json, JsonObject } from "@weft/schema";
import { createSqlClient } from "@weft/sql";
import type { StoredTool } from "../custom-tool/create-custom-tool.ts";
import { integrations } from "../registry.ts";
import { createToolResolver } from "../tool-resolver.ts";

export type Received = {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
};

/** Called with each request after its body was read. */
export type Answer = (request: Received, response: ServerResponse) => void;

export type TestBench = {
  /** Address of the server, as in `http://127.0.0.1:40123`. */
  base: string;
  received: Received[];
  /** By id. */
  storedTools: Map<string, StoredTool>;
  build(type: string, config: JsonObject, overrides?: Partial<ToolBuildContext>): Promise<Tool[]>;
  /** Builds the one tool of a reference and calls it, once the engine's validation let the arguments pass. */
  call(type: string, config: JsonObject, args: JsonObject): Promise<ToolResult>;
  context(overrides?: Partial<ToolContext>): ToolContext;
  /** Makes the clock, which stands still, go on. */
  passTime(ms: number): void;
  /** The pauses that were made, in milliseconds. Each is over at once. */
  pauses: number[];
};

/** For all tests: its thread ends by itself, and keeps no process alive. */
const sandbox = createSandbox({ workers: 1, idleMs: 1_000 });

/** A real API server and the real egress client, closed with the test, and the real sandbox. */
export async function startBench(t: TestContext, answer: Answer = ok, sqlFilesDir = ""): Promise<TestBench> {
  const { base, received } = await listen(t, answer);
  const egress = createEgressClient({ allow: [new URL(base).host] });
  t.after(() => egress.close());
  const sql = createSqlClient({ connect: egress.connect, reveal: egress.reveal, filesDir: sqlFilesDir });
  t.after(sql.close);
  const storedTools = new Map<string, StoredTool>();
  let passedMs = 0;
  const pauses: number[] = [];
  const resolver = createToolResolver(integrations, {
    clock: {
      now: () => Date.parse("2026-07-01T12:05:09.123Z") + passedMs,
      sleep: async (ms) => void pauses.push(ms),
    },
    fetch: egress.fetch,
    commandServers: { names: [], start: () => assert.fail("There are no commands.") },
    storedTools: {
      find: async (id) => storedTools.get(id),
      newestIds: async (count) => [...storedTools.keys()].slice(0, count),
    },
  });
  const signal = new AbortController().signal;
  const bench: TestBench = {
    base,
    received,
    storedTools,
    passTime(ms) {
      passedMs += ms;
    },
    pauses,
    build: (type, config, overrides = {}) =>
      resolver.resolve(
        { type, config },
        {
          http: egress,
          signal,
          render: (text) => text,
          readCredential: async () => ({ token: "s3cret", engineId: "engine" }),
          ...overrides,
        },
      ),
    async call(type, config, args) {
      const [tool] = await bench.build(type, config);
      if (!tool) throw new Error("No tool was built.");
      return callTool(tool, args, bench.context());
    },
    context: (overrides = {}) => ({
      signal,
      idempotencyKey: "key-1",
      http: egress,
      sql,
      sandbox,
      vars: { team: "blue" },
      flow: { chatId: "chat-1" },
      ...overrides,
    }),
  };
  return bench;
}

/** Calls a tool as an agent does: the arguments go through the engine's validation first. */
export async function callTool(tool: Tool, args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const read = readArguments(JSON.stringify(args), tool.parameters);
  return read.ok ? tool.call(read.args, context) : { content: read.message, isError: true };
}

/** Finds a tool by name. */
export function toolNamed(tools: readonly Tool[], name: string): Tool {
  const found = tools.find((tool) => tool.name === name);
  if (!found) throw new Error(`No tool ${name} among ${tools.map((tool) => tool.name).join(", ")}.`);
  return found;
}

const ok: Answer = (_request, response) => sendJson(response, 200, { ok: true });

export function sendJson(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function listen(t: TestContext, answer: Answer): Promise<{ base: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
