import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { ScriptStep } from "@weft/providers/testing";

/** An API that counts its calls by path; a path with `slow` answers only when released. */
export type CountingApi = {
  port: number;
  counts: ReadonlyMap<string, number>;
  /** Resolves with the first call of a slow path. */
  reached: Promise<void>;
  release(): void;
  close(): void;
};

export async function startCountingApi(): Promise<CountingApi> {
  const counts = new Map<string, number>();
  const reached = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const server: Server = createServer(async (request, response) => {
    const path = request.url ?? "";
    counts.set(path, (counts.get(path) ?? 0) + 1);
    if (path.includes("slow")) {
      reached.resolve();
      await release.promise;
    }
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ done: path }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, counts, reached: reached.promise, release: release.resolve, close };
}

/** An agent with the tools `quick_write`, `slow_read` and `slow_write`, which call a counting API. */
export function countingFlow({ port }: CountingApi): string {
  const tool = (type: string, name: string, path: string) => ({
    type,
    config: { url: `http://127.0.0.1:${port}${path}`, name, description: name },
  });
  const tools = [
    tool("request-post", "quick_write", "/quick"),
    tool("request-get", "slow_read", "/slow-read"),
    tool("request-post", "slow_write", "/slow-write"),
  ];
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start_0", type: "start" },
      { id: "agent_0", type: "agent", config: { tools } },
    ],
    edges: [{ id: "e", source: "start_0", target: "agent_0" }],
  });
}

/** A model that calls `quick_write`, then a slow tool, then says what that answered. */
export function countingScript(slowTool: "slow_read" | "slow_write") {
  return (request: { messages: { role: string; content?: unknown }[] }): ScriptStep => {
    const results = request.messages.filter((message) => message.role === "tool");
    if (results.length === 0) return { toolCalls: [{ name: "quick_write", arguments: "{}" }] };
    if (results.length === 1) return { toolCalls: [{ name: slowTool, arguments: "{}" }] };
    return { text: `Finished: ${JSON.stringify(results.at(-1)?.content)}` };
  };
}
