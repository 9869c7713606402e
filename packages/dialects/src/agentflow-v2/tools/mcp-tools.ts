import { isJsonObject } from "@weft/schema";
import { toCredential } from "../models/to-model-settings.ts";
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

/** What stands for a server that is started, where the service offers one by address. */
const hosted: Readonly<Record<string, string>> = {
  slack: " Or choose MCP server with the address https://mcp.slack.com/mcp and the token of a Slack user.",
};

/** A component that starts a server of one service: here the operator sets such a server up, under a name. */
function namedMcp(server: string): ToolConverter {
  return (scope) => {
    const tools = chosenActions(scope);
    if (tools === undefined) return undefined;
    scope.report.warn(
      "tool-server-named",
      `Its tool ${scope.name} calls the MCP server ${server}. The operator sets it up in MCP_SERVERS under this name, with the key of the service.${hosted[server] ?? ""}`,
    );
    return { type: "mcp-server", config: { server, tools } };
  };
}

/** Where GitHub offers its server: also for companies with a part of ghe.com, and in no installation of their own. */
function githubAddress(enterpriseUrl: string): string | undefined {
  if (enterpriseUrl === "") return "https://api.githubcopilot.com/mcp/";
  const host = URL.parse(enterpriseUrl)?.hostname ?? enterpriseUrl;
  const [, company] = /^(?:[a-z0-9-]+\.)*([a-z0-9-]+)\.ghe\.com$/i.exec(host) ?? [];
  return company === undefined ? undefined : `https://copilot-api.${company.toLowerCase()}.ghe.com/mcp`;
}

/** Source: docs.github.com, "Setting up the GitHub MCP Server". */
const githubMcp: ToolConverter = (scope) => {
  const { settings, report } = scope;
  const tools = chosenActions(scope);
  if (tools === undefined) return undefined;
  const enterpriseUrl = settings.text("githubEnterpriseUrl").trim();
  const url = githubAddress(enterpriseUrl);
  if (url === undefined) {
    report.refuse(
      "tool-server-missing",
      `GitHub offers no MCP server for ${enterpriseUrl.slice(0, 200)}. Let the operator run GitHub's own under a name, and choose MCP server with that name.`,
    );
    return undefined;
  }
  const credential = toCredential(settings);
  if (credential === undefined) {
    report.refuse(
      "tool-credential-missing",
      `Its tool ${scope.name} has no credential: exports leave them out. Choose one with a personal access token of GitHub.`,
      "credential",
    );
  }
  return { type: "mcp-server", config: present({ url, tools, credential }) };
};

/** Source: docs.browserless.io, "Browserless MCP Server". */
const browserlessMcp: ToolConverter = (scope) => {
  const { settings, report } = scope;
  const tools = chosenActions(scope);
  if (tools === undefined) return undefined;
  const credential = toCredential(settings);
  if (credential === undefined) {
    report.refuse(
      "tool-credential-missing",
      `Its tool ${scope.name} has no credential: exports leave them out. Choose one with an API token of Browserless.`,
      "credential",
    );
  }
  return { type: "mcp-server", config: present({ url: "https://mcp.browserless.io/mcp", tools, credential }) };
};

/** A company's own server. */
const teradataMcp: ToolConverter = (scope) => {
  const { settings, report } = scope;
  const tools = chosenActions(scope);
  if (tools === undefined) return undefined;
  const url = settings.template("mcpUrl").trim();
  if (url === "") {
    report.refuse("tool-server-missing", "Its MCP server has no address. Enter one.");
    return undefined;
  }
  if (settings.text("bearerToken") !== "") {
    report.warn(
      "tool-secret-left-out",
      `The bearer token in the settings of its tool ${scope.name} is not taken over. Keep it in a credential, and choose that.`,
    );
  }
  return { type: "mcp-server", config: present({ url, tools, credential: toCredential(settings) }) };
};

/**
 * A server that was registered there, which a flow names by id. The import of an installation writes its address and its
 * credential beside the id.
 */
const registeredMcp: ToolConverter = (scope) => {
  const { settings, report } = scope;
  const url = settings.template("serverUrl").trim();
  if (settings.text("mcpServerId") === "" || url === "") {
    report.refuse(
      "tool-server-missing",
      "Its MCP server was registered there, and a flow holds only its id. Choose MCP server with its address.",
    );
    return undefined;
  }
  const tools = chosenActions(scope);
  if (tools === undefined) return undefined;
  return { type: "mcp-server", config: present({ url, tools, credential: toCredential(settings) }) };
};

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
  customMcpServerTool: registeredMcp,
  githubMCP: githubMcp,
  browserlessMCP: browserlessMcp,
  teradataMCP: teradataMcp,
  slackMCP: namedMcp("slack"),
  braveSearchMCP: namedMcp("brave-search"),
  postgreSQLMCP: namedMcp("postgres"),
  sequentialThinkingMCP: namedMcp("sequential-thinking"),
};
