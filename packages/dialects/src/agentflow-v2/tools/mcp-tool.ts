import { isObject } from "../foreign-flow.ts";
import { present } from "../node-converter.ts";
import type { ToolConverter } from "./tool-converter.ts";

/** A server that the flow itself describes, by its address. Commands never come from a flow. */
export const customMcp: ToolConverter = ({ settings, report }) => {
  const server = settings.group("mcpServerConfig");
  const tools = settings.names("mcpActions");
  if (tools.length === 0) {
    report.refuse("tool-actions-missing", "No action of its MCP server is chosen. Choose those that it may call.");
  }
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
  return { type: "mcp-server", config: present({ url, tools, headers: isObject(headers) ? headers : undefined }) };
};
