import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import { parseLenientJson } from "../lenient-json.ts";
import { type NodeConverter, reportUnder } from "../node-converter.ts";
import type { Settings } from "../settings.ts";
import type { ConvertedTool } from "../tools/tool-converter.ts";
import { convertWholeTool } from "../tools/tool-table.ts";

/** The names of earlier versions count first. */
export const tool: NodeConverter = {
  type: "tool",
  toConfig({ settings, report }) {
    const key = settings.text("selectedTool") === "" ? "toolAgentflowSelectedTool" : "selectedTool";
    const converted = convertWholeTool(
      settings.text(key),
      settings.group(`${key}Config`),
      reportUnder(report, "tool.config"),
    );
    if (converted && isAmbiguous(converted)) {
      report.warn(
        "tool-ambiguous",
        "It calls one tool, where all that were chosen were called with the same arguments. Choose one.",
      );
    }
    return { ...(converted === undefined ? {} : { tool: converted }), arguments: toArguments(settings, converted) };
  },
};

/** Integrations of several tools, with the setting that narrows them down. */
const toolkits: ReadonlyMap<string, string> = new Map([
  ["openapi-toolkit", "operations"],
  ["mcp-server", "tools"],
  ["gmail", "actions"],
  ["google-calendar", "actions"],
  ["google-docs", "actions"],
  ["google-drive", "actions"],
  ["google-sheets", "actions"],
  ["jira", "actions"],
  ["microsoft-outlook", "actions"],
  ["microsoft-teams", "actions"],
  ["stripe", "actions"],
]);

/** Whether an integration of several tools is not narrowed down to one. */
function isAmbiguous({ type, config }: ConvertedTool): boolean {
  const key = toolkits.get(type);
  if (key === undefined) return false;
  const chosen = config[key];
  return !(Array.isArray(chosen) && chosen.length === 1);
}

/** Arguments of the groups that request and API tools had: native tools take them side by side. */
const groups = new Set(["queryParams", "body", "PathParameters", "QueryParameters", "RequestBody"]);

/** The argument of tools that take one text, which components mostly called `input`. */
const onlyArgument: ReadonlyMap<string, string> = new Map([
  ["calculator", "expression"],
  ["web-search", "query"],
  ["arxiv", "query"],
  ["web-page", "url"],
  ["code-interpreter", "code"],
  ["agent", "question"],
]);

function toArguments(settings: Settings, tool: ConvertedTool | undefined): JsonObject[] {
  const rows = toRows(settings);
  const only = onlyArgument.get(tool?.type ?? "");
  return only !== undefined && rows.length === 1 ? rows.map((row) => ({ ...row, name: only })) : rows;
}

function toRows(settings: Settings): JsonObject[] {
  return settings.rows("toolInputArgs").flatMap((row) => {
    const name = row.text("inputArgName");
    const value = row.template("inputArgValue");
    const grouped = groups.has(name) ? parseLenientJson(value) : undefined;
    if (isJsonObject(grouped))
      return Object.entries(grouped).map(([inner, item]) => ({ name: inner, value: toText(item) }));
    return name === "" ? [] : [{ name, value }];
  });
}

function toText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
