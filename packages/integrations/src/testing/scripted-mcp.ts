import type { Json, JsonObject } from "@weft/schema";

/** What a scripted server does with one `tools/call`. */
export type ScriptedCall = (args: JsonObject) => JsonObject | Promise<JsonObject>;

export type McpScript = {
  /** Which revisions it speaks. */
  era: "modern" | "legacy";
  tools: readonly (JsonObject & { name: string })[];
  /** By name. The result of the call; a result with `error` is a JSON-RPC error instead. */
  calls?: Readonly<Record<string, ScriptedCall>>;
  /** Tools on one page of the list. Default: all. */
  pageSize?: number;
};

export type McpMessage = JsonObject & { id?: Json; method?: string; params?: JsonObject };

const modern = "2026-07-28";
const legacy = "2025-11-25";

/** What a server of the script answers to a message; nothing to a notification. The JSON-RPC alone, without a transport. */
export async function answerMcp(script: McpScript, message: McpMessage): Promise<JsonObject | undefined> {
  const { id, method = "", params = {} } = message;
  if (id === undefined) return undefined;
  const result = await resultOf(script, method, params);
  return "error" in result ? { jsonrpc: "2.0", id, ...result } : { jsonrpc: "2.0", id, result };
}

async function resultOf(script: McpScript, method: string, params: JsonObject): Promise<JsonObject> {
  const isModern = script.era === "modern";
  const complete = isModern ? { resultType: "complete" } : {};
  const kept = isModern ? { ttlMs: 0, cacheScope: "private" } : {};
  const server = { name: "scripted", version: "1" };
  switch (method) {
    case isModern ? "server/discover" : "initialize":
      return isModern
        ? { ...complete, ...kept, supportedVersions: [modern], capabilities: { tools: {} } }
        : { protocolVersion: legacy, capabilities: { tools: { listChanged: true } }, serverInfo: server };
    case "tools/list":
      return { ...complete, ...kept, ...pageOf(script, params) };
    case "tools/call": {
      const call = script.calls?.[String(params.name)];
      if (!call) return { error: { code: -32602, message: `Unknown tool: ${params.name}` } };
      return { ...complete, ...(await call((params.arguments ?? {}) as JsonObject)) };
    }
    default:
      return { error: { code: -32601, message: "Method not found" } };
  }
}

function pageOf({ tools, pageSize = tools.length }: McpScript, { cursor = "0" }: JsonObject): JsonObject {
  const start = Number(cursor);
  const end = start + pageSize;
  const page = tools.slice(start, end).map((tool) => ({ inputSchema: { type: "object" }, ...tool }));
  return { tools: page, ...(end < tools.length && { nextCursor: String(end) }) };
}

/** The result of a call that says something. */
export function said(text: string): JsonObject {
  return { content: [{ type: "text", text }] };
}
