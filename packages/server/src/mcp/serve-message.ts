import type { CallToolResult, McpHttpHandler, Server, Tool } from "@modelcontextprotocol/server";
import type { FailureFormat } from "@weft/http";
import { type Json, type JsonObject, jsonObjectSchema, jsonSchema, toJsonObject, type WeftError } from "@weft/schema";
import { z } from "zod";

const idSchema = z.union([z.string().max(200), z.number().int()]);

/** A message of an MCP client: a request, or without an id a notification. Source: JSON-RPC 2.0. */
export const mcpMessageSchema = z
  .object({
    jsonrpc: z.literal("2.0"),
    id: idSchema.optional(),
    method: z.string().min(1).max(200),
    params: jsonObjectSchema.optional(),
  })
  .meta({ id: "McpMessage", examples: [{ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }] });
type McpMessage = z.infer<typeof mcpMessageSchema>;

const errorSchema = z.object({ code: z.number().int(), message: z.string(), data: jsonSchema.optional() });
type McpError = z.infer<typeof errorSchema>;

/** One of `result` and `error`. */
export const mcpAnswerSchema = z
  .object({
    jsonrpc: z.literal("2.0"),
    id: idSchema.optional(),
    result: jsonObjectSchema.optional(),
    error: errorSchema.optional(),
  })
  .meta({ id: "McpAnswer", examples: [{ jsonrpc: "2.0", id: 1, result: { tools: [] } }] });
type McpAnswer = z.infer<typeof mcpAnswerSchema>;

/** Codes of JSON-RPC 2.0 (section 5.1) and of MCP 2026-07-28 ("Error Codes"). */
export const rpcCodes = {
  unparsable: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const;

/** Failures before a message is understood. Codes outside of the reserved range are the HTTP status. */
export const mcpFailure: FailureFormat = {
  schema: mcpAnswerSchema,
  toBody: (error, status): McpAnswer => ({ jsonrpc: "2.0", error: toMcpError(error, status) }),
};

function toMcpError(error: WeftError, status: number): McpError {
  const data: JsonObject = { code: error.code };
  return { code: rpcCodeOf(error, status), message: error.message, data };
}

function rpcCodeOf({ code }: WeftError, status: number): number {
  if (code === "body-unparsable") return rpcCodes.unparsable;
  if (status === 500) return rpcCodes.internal;
  return status === 400 ? rpcCodes.invalidRequest : status;
}

/** An MCP server that has only tools. */
export type ToolServer = {
  list(): Promise<Tool[]>;
  /** Undefined for an unknown tool. A lost connection aborts `signal`, except in earlier revisions. */
  call(name: string, args: JsonObject, signal: AbortSignal): Promise<CallToolResult | undefined>;
};

export type ReceivedMessage = {
  message: McpMessage;
  headers: Headers;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
};

type Exchange = { tools: ToolServer; version: string; received: ReceivedMessage };

/**
 * Answers one message statelessly: of the current revision, or of the earlier ones, whose clients start with
 * `initialize`. Rejects with what the tools reject with.
 */
export async function serveMessage(exchange: Exchange): Promise<Response> {
  const { message, headers, signal } = exchange.received;
  const refusal = findRefusal(message, headers);
  if (refusal) return refuse(refusal, message);
  // Loaded by the first message: it takes a fifth of a second.
  const sdk = await import("@modelcontextprotocol/server");
  const failures: unknown[] = [];
  const request = toRequest(headers, signal);
  const parsedBody = withKnownClient(message);
  const isEarlier = await sdk.isLegacyRequest(request, parsedBody);
  const createServer = () => toServer(sdk, { ...exchange, isEarlier, failures });
  const response = isEarlier
    ? await serveEarlier(sdk, createServer(), { request, parsedBody })
    : await sdk.createMcpHandler(createServer, { legacy: "reject" }).fetch(request, { parsedBody });
  if (failures.length > 0) throw failures[0];
  return response.status === 400 ? withoutData(response) : response;
}

/** The library repeats its rejections as data. */
async function withoutData(response: Response): Promise<Response> {
  const { error, ...rest } = toJsonObject(await response.json());
  return Response.json({ ...rest, error: { ...toJsonObject(error), data: undefined } }, { status: response.status });
}

type Sdk = typeof import("@modelcontextprotocol/server");

type ServedExchange = Exchange & { isEarlier: boolean; failures: unknown[] };

function toServer(sdk: Sdk, { tools, version, received, isEarlier, failures }: ServedExchange): Server {
  const options = { capabilities: { tools: {} }, supportedProtocolVersions: [...revisions] };
  const server = new sdk.Server({ name: "weft", version }, options);
  // The protocol's library would show the failure's message to the client.
  const guard = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (failure) {
      if (!(failure instanceof sdk.ProtocolError)) failures.push(failure);
      throw failure;
    }
  };
  server.setRequestHandler("tools/list", () => guard(async () => ({ tools: await tools.list() })));
  server.setRequestHandler("tools/call", ({ params: { name, arguments: args } }) =>
    guard(async () => {
      const result = await tools.call(name, toJsonObject(args), isEarlier ? staysConnected : received.signal);
      if (result) return result;
      throw new sdk.ProtocolError(rpcCodes.invalidParams, `Unknown tool: ${name.slice(0, 200)}`);
    }),
  );
  return server;
}

type Served = { request: Request } & NonNullable<Parameters<McpHttpHandler["fetch"]>[1]>;

async function serveEarlier(sdk: Sdk, server: Server, { request, parsedBody }: Served): Promise<Response> {
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

/** In earlier revisions a lost connection cancels nothing. Source: MCP 2025-11-25, "Sending Messages to the Server". */
const staysConnected = new AbortController().signal;

/** The headers that the protocol reads; the Accept header is ignored, because every answer is JSON. */
function toRequest(received: Headers, signal: AbortSignal): Request {
  const headers = new Headers({ "content-type": "application/json", accept: "application/json, text/event-stream" });
  for (const name of ["mcp-protocol-version", "mcp-method", "mcp-name"]) {
    const value = received.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Request("http://weft.invalid/mcp", { method: "POST", headers, signal });
}

/** Clients need not state who they are and what they can do: missing parts of `initialize` are filled in. */
function withKnownClient(message: McpMessage): McpMessage {
  if (message.method !== "initialize") return message;
  const protocolVersion = String(message.params?.protocolVersion);
  const clientInfo = { name: "client", version: "1" };
  return { ...message, params: { ...message.params, protocolVersion, clientInfo, capabilities: {} } };
}

/** The stateless revision. */
const currentRevision = "2026-07-28";
/** Supported revisions, newest first. */
const revisions: readonly string[] = [currentRevision, "2025-11-25", "2025-06-18", "2025-03-26"];

const versionKey = "io.modelcontextprotocol/protocolVersion";

type Refusal = { status: number; error: McpError };

/**
 * Messages that the protocol's library would handle, or reject with another message than this server's established one.
 */
function findRefusal({ id, method, params }: McpMessage, headers: Headers): Refusal | undefined {
  if (id === undefined) return undefined;
  const claimed = headers.get("mcp-protocol-version");
  const named: Json | undefined = toJsonObject(params?._meta)[versionKey];
  if (claimed === currentRevision && named === undefined) {
    return badRequest({ code: rpcCodes.headerMismatch, message: `Header mismatch: params._meta lacks ${versionKey}` });
  }
  const requested = named ?? claimed;
  if ((named === undefined || named === claimed) && requested !== null && !revisions.includes(String(requested))) {
    const data = { supported: [...revisions], requested };
    return badRequest({ code: rpcCodes.unsupportedVersion, message: "Unsupported protocol version", data });
  }
  // Subscriptions would keep connections open, and the list of tools depends on the caller.
  if (method !== "subscriptions/listen" || named === undefined) return undefined;
  return { status: 404, error: { code: rpcCodes.unknownMethod, message: `Method not found: ${method}` } };
}

function badRequest(error: McpError): Refusal {
  return { status: 400, error };
}

function refuse({ status, error }: Refusal, { id }: McpMessage): Response {
  return Response.json({ jsonrpc: "2.0", id, error }, { status });
}
