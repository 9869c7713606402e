import { isDeepStrictEqual } from "node:util";
import type { CallToolResult, Tool as McpTool } from "@modelcontextprotocol/client";
import type { Tool, ToolContext, ToolResult } from "@weft/engine";
import type { JsonObject, JsonSchema } from "@weft/schema";
import { cutText } from "../answer-text.ts";
import { invalidTool } from "../outcome.ts";
import { toToolName } from "../tool-name.ts";
import { describeFailure } from "./describe-failure.ts";
import type { McpConnection } from "./mcp-connection.ts";
import { noLimitMs } from "./mcp-sdk.ts";
import { withinTime } from "./within-time.ts";

export type McpToolSettings = { timeoutMs: number; maxCharacters: number };

const maxDescriptionCharacters = 4_000;
const maxSchemaCharacters = 100_000;

/**
 * A tool of an MCP server. It is a write unless the server says that it only reads: who lies about that harms itself
 * alone, by calls that are repeated after a crash. Throws `tool-invalid` for a schema too large for a model.
 */
export function toTool(connection: McpConnection, tool: McpTool, settings: McpToolSettings): Tool {
  const name = toToolName(tool.name, "mcp_tool");
  if (JSON.stringify(tool.inputSchema).length > maxSchemaCharacters) {
    throw invalidTool(name, "the schema of its arguments is too large. Choose other tools of the server.");
  }
  const description = tool.description?.trim() || tool.title?.trim() || `${tool.name} of ${connection.name}`;
  return {
    name,
    description: description.slice(0, maxDescriptionCharacters),
    parameters: tool.inputSchema as JsonSchema,
    kind: tool.annotations?.readOnlyHint === true ? "read" : "write",
    ...(tool.annotations?.destructiveHint === true && { effect: "destructive" }),
    call: (args, context) => callTool({ connection, tool, settings }, args, context),
  };
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

/** The definition goes along for the headers that repeat arguments; without a schema of its results, which none checks. */
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
 * What a model reads of a result: its texts; a line for what is no text; and the structured content as JSON, unless one
 * of the texts says the same.
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

/** Bytes that a base64 text stands for. */
function base64Bytes(text: string): number {
  return Math.floor((text.replace(/=+$/, "").length * 3) / 4);
}

function says(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}
