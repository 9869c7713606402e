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
    pipedreamMCP:
      "Its server requires a sign-in of its own, which flows cannot do. Choose MCP server with another address of the service.",
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

/** As `convertTool`, and reports settings of the tool that have no effect. */
export function convertWholeTool(name: string, settings: Settings, report: Report): ConvertedTool | undefined {
  const { watched, unread } = watch(settings);
  const tool = convertTool(name, watched, report);
  const silent = new Set([...ofEveryTool, ...(silentSettings.get(name) ?? [])]);
  const unused = tool === undefined ? [] : unread().filter((key) => !silent.has(key));
  if (unused.length > 0) {
    report.warn(
      "tool-settings-ignored",
      `These settings of its tool ${name} are not used here: ${unused.slice(0, 20).join(", ")}. Check that it does not need them.`,
    );
  }
  return tool;
}

/** What forms keep beside the settings. */
const ofEveryTool = [
  "agentSelectedTool",
  "toolAgentflowSelectedTool",
  "undefined",
  "FLOWISE_CREDENTIAL_ID",
  "credential",
];

/** Settings that change nothing of what a tool does here. */
export const silentSettings: ReadonlyMap<string, readonly string[]> = new Map([
  // The service shortens queries, the model reads errors as results, and abstracts are read rather than PDFs.
  ["arxiv", ["maxQueryLength", "continueOnFailure", "legacyBuild"]],
  // Has no meaning when a single page is read.
  ["webScraperTool", ["scrapeMode"]],
]);

/** The same settings, and which of those that are set were never read. `keys` counts as reading all of them. */
function watch(settings: Settings): { watched: Settings; unread: () => string[] } {
  const read = new Set<string>();
  const noted =
    <Rest extends unknown[], T>(get: (key: string, ...rest: Rest) => T) =>
    (key: string, ...rest: Rest): T => {
      read.add(key);
      return get(key, ...rest);
    };
  const watched: Settings = {
    text: noted(settings.text),
    template: noted(settings.template),
    stateTemplate: noted(settings.stateTemplate),
    flag: noted(settings.flag),
    number: noted(settings.number),
    rows: noted(settings.rows),
    names: noted(settings.names),
    group: noted(settings.group),
    json: noted(settings.json),
    keys() {
      for (const key of settings.keys()) read.add(key);
      return settings.keys();
    },
  };
  return { watched, unread: () => settings.keys().filter((key) => !read.has(key)) };
}

function adviceFor(name: string): string {
  const advice = otherTools.get(name);
  if (advice !== undefined) return advice;
  if (/mcp/i.test(name))
    return "Choose MCP server with the address of the service, or the name under which the operator set it up.";
  return "Call the service through its HTTP API with a request tool, an OpenAPI toolkit or a custom tool, or remove it.";
}
