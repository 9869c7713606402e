import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";

/** One tool over streamable HTTP, in the protocol's revision 2025-11-25. */
export function answerAsMcpServer(request: IncomingMessage, response: ServerResponse): void {
  const results: Record<string, object> = {
    initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
    "tools/list": { tools: [{ name: "tide", description: "The tide", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "high" }] },
  };
  void json(request).then((message) => {
    const { id, method = "" } = message as { id?: number; method?: string };
    if (id === undefined) return response.writeHead(202).end();
    const result = results[method];
    const answer = result ? { result } : { error: { code: -32601, message: "Method not found" } };
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  });
}
