import { isDeepStrictEqual } from "node:util";
import type { CallToolResult, Tool as McpTool } from "@modelcontextprotocol/client";
import type { Tool, ToolContext, ToolResult } from "@weft/engine/ports/tool";
import { templated } from "@weft/engine/template";
import { effectOfName, type JsonObject, type ToolEffect, toJsonObject, WeftError } from "@weft/schema";
import { z } from "zod";
import { cutText } from "./calls/call-http.ts";
import { callFields, callFieldsTo, readHeaderSettings } from "./calls/call-settings.ts";
import { defineIntegration, type IntegrationContext } from "./define-integration.ts";
import { loadMcpSdk, type McpConnection, noLimitMs } from "./mcp/mcp-sdk.ts";
import { invalidTool, toToolName } from "./tool-name.ts";

const title = "MCP server";
/** Maximum tools per server: model vendors accept few more in one call. */
const maxTools = 100;

const call = callFieldsTo({ address: "url" });

const config = z.object({
  url: z
    .string()
    .trim()
    .max(8_000)
    .default("")
    .meta({
      title: "Address",
      ref: "address",
      help: "Address of the MCP endpoint, for example https://example.com/mcp.",
      ...templated,
    }),
  server: z.string().trim().max(100).default("").meta({
    title: "Local server",
    ref: "mcp-server",
    help: "Instead of an address: a name that the operator has set up in MCP_SERVERS.",
  }),
  tools: z
    .array(z.string().max(200))
    .max(500)
    .default([])
    .meta({ title: "Tools", item: "tool", help: "Names of the server's tools. If empty, all are available." }),
  headers: call.headers,
  credential: call.credential,
  timeoutMs: callFields.timeoutMs,
  maxCharacters: callFields.maxCharacters,
});
type McpConfig = z.infer<typeof config>;

/** Exposes each tool of an MCP server. Source: Model Context Protocol 2026-07-28 and 2025-11-25. */
export const mcpServer = defineIntegration({
  type: "mcp-server",
  title,
  summary: "Calls the tools of an MCP server.",
  group: "toolkit",
  icon: "mcp",
  config,
  asksServers: () => true,
  async build(settings, context) {
    const connection = await connect(settings, context);
    const tools = await listTools(connection, settings, context);
    return chooseTools(connection, tools, settings.tools, context).map((tool) => toTool(connection, tool, settings));
  },
});

async function connect(settings: McpConfig, context: IntegrationContext): Promise<McpConnection> {
  const { url, server } = settings;
  if ((url === "") === (server === "")) {
    throw invalidTool(title, "it needs either an address or the name of a local server. Enter one of them.");
  }
  if (server !== "") return connectCommand(server, context);
  const address = context.render(url, "url").trim();
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? "")) {
    throw invalidTool(title, "its address is not an absolute http or https address. Correct it.");
  }
  return context.mcp.http({ url: address, headers: await readHeaderSettings(title, settings, context) });
}

function connectCommand(name: string, { mcp }: IntegrationContext): McpConnection {
  if (mcp.commandNames.includes(name)) return mcp.command(name);
  const known = mcp.commandNames.length === 0 ? "none" : mcp.commandNames.join(", ");
  throw invalidTool(title, `there is no local server named ${name}. The operator has set up: ${known}.`);
}

async function listTools(connection: McpConnection, { timeoutMs }: McpConfig, { mcp, signal }: IntegrationContext) {
  try {
    const limit = { name: connection.name, limitMs: timeoutMs, signal };
    return await withinTime(limit, (deadline) => mcp.listTools(connection, deadline));
  } catch (cause) {
    signal.throwIfAborted();
    const { message } = await describeFailure(connection.name, cause);
    throw invalidTool(title, `its tools cannot be listed. ${message}`);
  }
}

/** Servers change: a missing tool is a warning while other chosen tools remain. */
function chooseTools(
  { name }: McpConnection,
  tools: readonly McpTool[],
  wanted: readonly string[],
  { warn }: IntegrationContext,
) {
  const entries = wanted.filter((entry) => entry.trim() !== "");
  const unknown = entries.filter((entry) => !tools.some((tool) => tool.name === entry));
  const chosen = entries.length === 0 ? tools : tools.filter((tool) => entries.includes(tool.name));
  if (unknown.length > 0) {
    const known = tools.slice(0, 20).map((tool) => tool.name);
    const missing = `${name} has no tool ${unknown.slice(0, 20).join(", ")}. It has: ${known.join(", ") || "none"}.`;
    if (chosen.length === 0) throw invalidTool(title, missing);
    warn?.("mcp-tool-gone", `${missing} The others are used.`);
  }
  if (chosen.length <= maxTools) return chosen;
  throw invalidTool(
    title,
    `${name} has ${chosen.length} tools, and models take at most ${maxTools}. Choose some in Tools.`,
  );
}

type McpToolSettings = { timeoutMs: number; maxCharacters: number };

const maxDescriptionCharacters = 4_000;
const maxSchemaCharacters = 100_000;

/**
 * A tool of an MCP server. It is a write unless the server declares it read-only: a false declaration harms only the
 * server itself, through calls repeated after a crash. Throws `tool-invalid` for a schema too large for a model.
 */
function toTool(connection: McpConnection, tool: McpTool, settings: McpToolSettings): Tool {
  const name = toToolName(tool.name, "mcp_tool");
  if (JSON.stringify(tool.inputSchema).length > maxSchemaCharacters) {
    throw invalidTool(name, "the schema of its arguments is too large. Choose other tools of the server.");
  }
  const description = tool.description?.trim() || tool.title?.trim() || `${tool.name} of ${connection.name}`;
  return {
    name,
    description: description.slice(0, maxDescriptionCharacters),
    parameters: toJsonObject(tool.inputSchema),
    kind: tool.annotations?.readOnlyHint === true ? "read" : "write",
    effect: effectOfTool(tool),
    call: (args, context) => callTool({ connection, tool, settings }, args, context),
  };
}

/** By the server's annotations; without any, by the tool's name. */
function effectOfTool({ name, annotations: { readOnlyHint, destructiveHint } = {} }: McpTool): ToolEffect {
  if (destructiveHint === true) return "destructive";
  if (readOnlyHint === true) return "read";
  return destructiveHint === false ? "write" : effectOfName(name);
}

type Target = { connection: McpConnection; tool: McpTool; settings: McpToolSettings };

async function callTool(target: Target, args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const { connection, tool, settings } = target;
  const started = performance.now();
  const toDetails = (): JsonObject => ({
    server: connection.name,
    tool: tool.name,
    durationMs: Math.round(performance.now() - started),
  });
  try {
    const result = await send(target, args, context);
    const content = cutText(toResultText(result), settings.maxCharacters);
    return { content, ...(result.isError && { isError: true }), details: toDetails() };
  } catch (cause) {
    context.signal.throwIfAborted();
    const { message, isAnswered } = await describeFailure(connection.name, cause);
    const isUnknown = !isAnswered && tool.annotations?.readOnlyHint !== true;
    const content = isUnknown
      ? `${message} It is unknown whether the call took effect: check before you repeat it.`
      : message;
    return { content, isError: true, details: toDetails() };
  }
}

/**
 * Passes the definition along for the headers that repeat arguments; without its result schema, which nothing checks.
 */
function send({ connection, tool, settings }: Target, args: JsonObject, context: ToolContext): Promise<CallToolResult> {
  const { outputSchema: _, ...toolDefinition } = tool;
  const call = { name: tool.name, arguments: args };
  const limit = { name: connection.name, limitMs: settings.timeoutMs, signal: context.signal };
  return withinTime(limit, (signal) =>
    connection.use(signal, (client) => client.callTool(call, { signal, timeout: noLimitMs, toolDefinition })),
  );
}

type Block = CallToolResult["content"][number];

/**
 * A result for the model: its texts; a line for each other part; and the structured content as JSON, unless one of the
 * texts is equal.
 */
function toResultText({ content, structuredContent }: CallToolResult): string {
  const blocks = content.map(toText);
  if (structuredContent !== undefined && !blocks.some((text) => says(text, structuredContent))) {
    blocks.push(JSON.stringify(structuredContent));
  }
  return blocks.length === 0 ? "Done. The tool answered nothing." : blocks.join("\n");
}

function toText(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type}: ${block.mimeType}, ${base64Bytes(block.data)} bytes, which is not shown]`;
    case "resource_link": {
      const { uri, name, description } = block;
      return `[resource: ${uri} (${[name, description].filter((text) => text !== undefined && text !== "").join(": ")})]`;
    }
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return `[resource: ${resource.uri}]\n${resource.text}`;
      const type = resource.mimeType ?? "unknown type";
      return `[resource: ${resource.uri}, ${type}, ${base64Bytes(resource.blob)} bytes, which is not shown]`;
    }
    default:
      return "[content of a kind that is not shown]";
  }
}

/** Size of decoded base64 text in bytes. */
function base64Bytes(text: string): number {
  return Math.floor((text.replace(/(?<!=)=+$/, "").length * 3) / 4);
}

function says(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}

type TimeLimit = {
  /** The operation's name in the error message. */
  name: string;
  limitMs: number;
  signal: AbortSignal;
};

/**
 * Runs the work with a signal that aborts with the given one, or on timeout. Rejects with the signal's reason, or with
 * `egress-timeout`.
 */
async function withinTime<T>(
  { name, limitMs, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const forward = () => controller.abort(signal.reason);
  const expire = () => controller.abort(new WeftError("egress-timeout", { params: { url: name, limitMs } }));
  const timer = setTimeout(expire, limitMs);
  signal.addEventListener("abort", forward, { once: true });
  try {
    return await work(controller.signal);
  } catch (cause) {
    throw controller.signal.aborted ? controller.signal.reason : cause;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", forward);
  }
}

/** A server's failure. `isAnswered`: the server reported it, so the call is no longer in progress. */
type McpFailure = { message: string; isAnswered: boolean };

/** Describes the failure for a model or a flow's author. `name` is the server's. */
async function describeFailure(name: string, cause: unknown): Promise<McpFailure> {
  const { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } = await loadMcpSdk();
  const known = weftErrorIn(cause);
  if (known)
    return { message: known.message, isAnswered: known.code === "egress-refused" || known.code === "credential-host" };
  if (cause instanceof ProtocolError) {
    return { message: `${name} refused the call: ${cause.message.slice(0, 500)}`, isAnswered: true };
  }
  const status = cause instanceof SdkHttpError ? cause.data.status : undefined;
  if (status === 401 || status === 403) {
    return { message: `${name} rejected the credential (status ${status}). Correct it.`, isAnswered: true };
  }
  if (status !== undefined) {
    const hint = status < 500 ? " Check the address of its MCP endpoint." : "";
    return { message: `${name} responded with status ${status}.${hint}`, isAnswered: status < 500 };
  }
  const code = cause instanceof SdkError ? cause.code : undefined;
  if (code === SdkErrorCode.ConnectionClosed) return { message: `${name} ended the connection.`, isAnswered: false };
  if (code === SdkErrorCode.UnsupportedResultType || code === SdkErrorCode.CapabilityNotSupported) {
    return { message: `${name} requires user input that an agent cannot provide.`, isAnswered: true };
  }
  return { message: `${name} did not respond like an MCP server.`, isAnswered: false };
}

/** The library wraps rejections of its `fetch`. */
function weftErrorIn(cause: unknown): WeftError | undefined {
  if (cause instanceof WeftError) return cause;
  return cause instanceof Error && cause.cause !== undefined ? weftErrorIn(cause.cause) : undefined;
}
