import type { Tool as McpTool } from "@modelcontextprotocol/client";
import { templated } from "@weft/engine";
import { z } from "zod";
import { defineIntegration, type IntegrationContext } from "./define-integration.ts";
import { describeFailure } from "./mcp/describe-failure.ts";
import type { McpConnection } from "./mcp/mcp-connection.ts";
import { toTool } from "./mcp/to-tool.ts";
import { withinTime } from "./mcp/within-time.ts";
import { invalidTool } from "./outcome.ts";
import { readHeaderSettings } from "./read-settings.ts";
import { callFields } from "./request-settings.ts";

const title = "MCP server";
/** Tools that an agent can have of one server: model vendors take hardly more in one call. */
const maxTools = 100;

const config = z.object({
  url: z
    .string()
    .trim()
    .max(8_000)
    .default("")
    .meta({ title: "Address", help: "Of its MCP endpoint, for example https://example.com/mcp.", ...templated }),
  server: z
    .string()
    .trim()
    .max(100)
    .default("")
    .meta({ title: "Local server", help: "In place of an address: a name that the operator set up in MCP_SERVERS." }),
  tools: z
    .array(z.string().max(200))
    .max(500)
    .default([])
    .meta({ title: "Tools", item: "tool", help: "By the names that the server gives them. Empty: all." }),
  headers: callFields.headers,
  credential: callFields.credential,
  timeoutMs: callFields.timeoutMs,
  maxCharacters: callFields.maxCharacters,
});
type McpConfig = z.infer<typeof config>;

/** Makes a tool of each tool of an MCP server. Source: Model Context Protocol 2026-07-28 and 2025-11-25. */
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
    return chooseTools(connection, tools, settings.tools).map((tool) => toTool(connection, tool, settings));
  },
});

async function connect(settings: McpConfig, context: IntegrationContext): Promise<McpConnection> {
  const { url, server } = settings;
  if ((url === "") === (server === "")) {
    throw invalidTool(title, "it needs an address, or else the name of a local server. Enter one of the two.");
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
  throw invalidTool(title, `no local server is named ${name}. The operator has set up: ${known}.`);
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

function chooseTools({ name }: McpConnection, tools: readonly McpTool[], wanted: readonly string[]) {
  const entries = wanted.filter((entry) => entry.trim() !== "");
  const unknown = entries.find((entry) => !tools.some((tool) => tool.name === entry));
  if (unknown !== undefined) {
    const known = tools.slice(0, 20).map((tool) => tool.name);
    throw invalidTool(title, `${name} has no tool ${unknown}. It has: ${known.join(", ") || "none"}.`);
  }
  const chosen = entries.length === 0 ? tools : tools.filter((tool) => entries.includes(tool.name));
  if (chosen.length <= maxTools) return chosen;
  throw invalidTool(
    title,
    `${name} has ${chosen.length} tools, and models take at most ${maxTools}. Choose some in Tools.`,
  );
}
