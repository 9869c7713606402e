import type { ServerResponse } from "node:http";
import type { Json, JsonObject } from "@weft/schema";
import { type Answer, type Received, sendJson } from "./bench.ts";
import { answerMcp, type McpMessage, type McpScript } from "./scripted-mcp.ts";

export type HttpMcpScript = McpScript & {
  /** How requests are answered. Default `json`. */
  answers?: "json" | "sse";
  /** Whether the older revision has sessions. */
  sessions?: boolean;
  /** The bearer that it wants. */
  token?: string;
};

/** An MCP server over streamable HTTP, for `startBench`. Strict about what clients must send. */
export function createScriptedMcpServer(script: HttpMcpScript): Answer & { open: Set<string> } {
  const open = new Set<string>();
  const answer: Answer = (request, response) => {
    const problem = findProblem(script, open, request);
    if (problem) refuse(response, problem.status, problem.error);
    else if (request.method === "DELETE") endSession(open, request, response);
    else if (request.method === "GET") response.writeHead(405).end();
    else void reply(script, open, request, response);
  };
  return Object.assign(answer, { open });
}

type Problem = { status: number; error?: JsonObject };

function findProblem(script: HttpMcpScript, open: Set<string>, request: Received): Problem | undefined {
  const { headers } = request;
  if (script.token && headers.authorization !== `Bearer ${script.token}`) return { status: 401 };
  if (request.method !== "POST") return undefined;
  const accept = headers.accept ?? "";
  if (!accept.includes("application/json") || !accept.includes("text/event-stream")) return { status: 406 };
  const message = JSON.parse(request.body) as McpMessage;
  return script.era === "modern"
    ? findModernProblem(headers, message)
    : findLegacyProblem(script, open, headers, message);
}

function findModernProblem(headers: Received["headers"], { method, params }: McpMessage): Problem | undefined {
  const version = claimedVersion(params);
  if (version === undefined) return { status: 400, error: { code: -32602, message: "No _meta" } };
  const isMirrored =
    headers["mcp-protocol-version"] === version &&
    headers["mcp-method"] === method &&
    (method !== "tools/call" || headers["mcp-name"] === params?.name);
  return isMirrored ? undefined : { status: 400, error: { code: -32020, message: "Header mismatch" } };
}

function findLegacyProblem(
  { sessions }: HttpMcpScript,
  open: Set<string>,
  headers: Received["headers"],
  { method, params }: McpMessage,
): Problem | undefined {
  if (claimedVersion(params) !== undefined) return { status: 400 };
  if (method === "initialize") return undefined;
  const hasSession = !sessions || open.has(String(headers["mcp-session-id"]));
  return hasSession && headers["mcp-protocol-version"] === "2025-11-25" ? undefined : { status: 404 };
}

function claimedVersion(params: JsonObject | undefined): Json | undefined {
  return (params?._meta as JsonObject | undefined)?.["io.modelcontextprotocol/protocolVersion"];
}

function refuse(response: ServerResponse, status: number, error?: JsonObject): void {
  if (error) sendJson(response, status, { jsonrpc: "2.0", error });
  else response.writeHead(status).end();
}

function endSession(open: Set<string>, { headers }: Received, response: ServerResponse): void {
  response.writeHead(open.delete(String(headers["mcp-session-id"])) ? 200 : 404).end();
}

async function reply(script: HttpMcpScript, open: Set<string>, request: Received, response: ServerResponse) {
  const message = JSON.parse(request.body) as McpMessage;
  if (message.method === "initialize" && script.sessions) {
    const session = `session-${open.size + 1}`;
    open.add(session);
    response.setHeader("mcp-session-id", session);
  }
  const answered = await answerMcp(script, message);
  if (answered === undefined) {
    response.writeHead(202).end();
  } else if (script.answers === "sse") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": hello\n\n");
    response.write(
      `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "on it" } })}\n\n`,
    );
    response.end(`event: message\ndata: ${JSON.stringify(answered)}\n\n`);
  } else {
    sendJson(response, 200, answered);
  }
}
