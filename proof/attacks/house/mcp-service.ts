import type { Reply } from "./open-service.ts";

type McpTool = { name: string; description: string };

/** A server of MCP (2025-11-25) that has one tool. `call` hears of its calls and gives the text of their result. */
export function answerMcp(toTool: () => McpTool, call: () => string): Reply {
  const results: Readonly<Record<string, () => object>> = {
    initialize: () => ({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "shop", version: "1" },
    }),
    "tools/list": () => ({ tools: [{ ...toTool(), inputSchema: { type: "object" } }] }),
    "tools/call": () => ({ content: [{ type: "text", text: call() }] }),
  };
  return ({ body }, response) => {
    const { id, method } = JSON.parse(body || "{}");
    if (id === undefined) return void response.writeHead(202).end();
    const result = results[method]?.();
    const answer = result ? { result } : { error: { code: -32601, message: "Method not found" } };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  };
}
