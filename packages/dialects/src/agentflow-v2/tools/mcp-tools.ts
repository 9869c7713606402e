import { isJsonObject } from "@weft/schema";
import { present } from "../node-converter.ts";
import type { ToolConverter, ToolScope } from "./tool-converter.ts";

/** A server that the flow itself describes, by its address. Commands never come from a flow. */
const customMcp: ToolConverter = (scope) => {
  const { settings, report } = scope;
  const tools = chosenActions(scope);
  if (tools === undefined) return undefined;
  const server = settings.group("mcpServerConfig");
  const url = server.template("url").trim();
  if (url === "") {
    const isCommand = server.text("command") !== "";
    report.refuse(
      "tool-server-missing",
      isCommand
        ? "Its MCP server is a command, and no flow may start one. Let the operator set it up under a name, and choose MCP server with that name."
        : "Its MCP server has no address. Enter one.",
    );
    return undefined;
  }
  const headers = server.json("headers");
  return { type: "mcp-server", config: present({ url, tools, headers: isJsonObject(headers) ? headers : undefined }) };
};

/** A component that starts a server of one service: here the operator sets such a server up, under a name. */
function namedMcp(server: string): ToolConverter {
  return (scope) => {
    const tools = chosenActions(scope);
    if (tools === undefined) return undefined;
    scope.report.warn(
      "tool-server-named",
      `Its tool ${scope.name} calls the MCP server ${server}. The operator sets it up in MCP_SERVERS under this name, with the key of the service.`,
    );
    return { type: "mcp-server", config: { server, tools } };
  };
}

/** Undefined when there are none: such a tool offers nothing, and is left out. */
function chosenActions({ settings, report }: ToolScope): string[] | undefined {
  const tools = settings.names("mcpActions");
  if (tools.length > 0) return tools;
  report.warn(
    "tool-actions-missing",
    "No action of its MCP server is chosen, so it is left out. Choose those that it may call.",
  );
  return undefined;
}

/** Tools that are servers of the Model Context Protocol, by component. */
export const mcpTools: Readonly<Record<string, ToolConverter>> = {
  customMCP: customMcp,
  slackMCP: namedMcp("slack"),
  braveSearchMCP: namedMcp("brave-search"),
  postgreSQLMCP: namedMcp("postgres"),
  sequentialThinkingMCP: namedMcp("sequential-thinking"),
};
