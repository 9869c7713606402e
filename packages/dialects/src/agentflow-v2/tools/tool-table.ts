import type { Report } from "../node-converter.ts";
import type { Settings } from "../settings.ts";
import { mcpTools } from "./mcp-tools.ts";
import { openApiToolkit } from "./openapi-toolkit.ts";
import { requestTools } from "./request-tool.ts";
import { simpleTools } from "./simple-tools.ts";
import type { ConvertedTool, ToolConverter } from "./tool-converter.ts";
import { vendorTools } from "./vendor-tools.ts";

/** Tool components by name, with the names that earlier versions used. */
export const toolTable: ReadonlyMap<string, ToolConverter> = new Map(
  Object.entries({
    ...requestTools,
    openAPIToolkit: openApiToolkit,
    openApiToolkit,
    ...simpleTools,
    ...mcpTools,
    ...vendorTools,
  }),
);

/** Tool components without a counterpart, with what to use instead. */
const otherTools: ReadonlyMap<string, string> = new Map(
  Object.entries({
    browserlessMCP:
      "Choose MCP server with the address https://mcp.browserless.io/mcp and a credential with the token of your account.",
    customMcpServerTool:
      "It calls an MCP server that was registered there, and a flow holds only its id. Choose MCP server with its address.",
    pipedreamMCP:
      "Its server wants a sign-in of its own, which flows cannot do. Choose MCP server with another address of the service.",
    supergatewayMCP:
      "It starts a command, and no flow may start one. Let the operator set it up in MCP_SERVERS under a name, and choose MCP server with that name.",
    retrieverTool: "Add the document store to the agent's knowledge.",
  }),
);

/** The native tool for a component; undefined when there is none, which is refused. */
export function convertTool(name: string, settings: Settings, report: Report): ConvertedTool | undefined {
  if (name === "") {
    report.refuse("tool-missing", "One of its tools is not chosen. Choose it, or remove it.");
    return undefined;
  }
  const convert = toolTable.get(name);
  if (convert) return convert({ name, settings, report });
  report.refuse("tool-unsupported", `Its tool ${name.slice(0, 100)} has no equivalent here. ${adviceFor(name)}`);
  return undefined;
}

function adviceFor(name: string): string {
  const advice = otherTools.get(name);
  if (advice !== undefined) return advice;
  if (/mcp/i.test(name))
    return "Choose MCP server with the address of the service, or the name under which the operator set it up.";
  return "Call the service through its HTTP API with a request tool, an OpenAPI toolkit or a custom tool, or remove it.";
}
