import type { JsonObject } from "@weft/schema";
import type { FlowDrawing } from "../drawing/index.ts";
import type { Program } from "./find-program.ts";
import {
  bearerToken,
  type Credential,
  headerSecret,
  isSecretName,
  keepCredential,
  readCredential,
  type SecretReader,
  splitAddress,
  withoutTokens,
} from "./secrets.ts";
import { itemsIn, numberIn, settingOf, settingsOf, textIn, type Value } from "./values.ts";

/** The tools of one agent while they are converted, and the node that gets them. */
export type ToolScope = { drawing: FlowDrawing; nodeId: string; program: Program };

type Tool = { type: string; config: JsonObject; requiresApproval?: boolean };
/** `at`: the index that the first of the tools gets. */
type ToolConverter = (tool: Value & { kind: "call" }, scope: ToolScope, at: number) => Tool[];

/** What an agent's list of tools becomes: integrations, and document stores. */
export type ConvertedTools = { tools: JsonObject[]; knowledge: JsonObject[] };

export function convertTools(values: readonly Value[], scope: ToolScope): ConvertedTools {
  const tools: Tool[] = [];
  const knowledge: JsonObject[] = [];
  for (const value of values) {
    const name = value.kind === "call" ? normalName(value.name) : "";
    if (value.kind === "call" && name === "filesearchtool")
      knowledge.push(...toKnowledge(value, scope, knowledge.length));
    else if (value.kind === "call" && converters.has(name)) {
      tools.push(...(converters.get(name)?.(value, scope, tools.length) ?? []));
    } else tools.push(...functionTool(value, scope));
  }
  return { tools: tools.map((tool) => ({ ...tool })), knowledge };
}

const normalName = (name: string) => name.toLowerCase().replaceAll("_", "");

const converters: ReadonlyMap<string, ToolConverter> = new Map<string, ToolConverter>([
  ["hostedmcptool", mcpTool],
  ["websearchtool", webSearch],
  ["websearchpreviewtool", webSearch],
  ["codeinterpretertool", codeInterpreter],
  ["tool", (tool, scope) => functionTool(tool, scope)],
  ["functiontool", (tool, scope) => functionTool(tool, scope)],
  ["astool", agentTool],
  ["imagegenerationtool", unsupported("image generation", "Let an HTTP node call an image API")],
  ["computertool", unsupported("computer use", "Use a tool of an MCP server")],
  ["computerusetool", unsupported("computer use", "Use a tool of an MCP server")],
  ["localshelltool", unsupported("a local shell", "Use a tool of an MCP server")],
  ["shelltool", unsupported("a shell", "Use a tool of an MCP server")],
]);

function unsupported(what: string, remedy: string): ToolConverter {
  return (_tool, { drawing, nodeId }) => {
    const text = `It uses ${what}, which has no counterpart here. ${remedy}, or remove it.`;
    drawing.report(nodeId).refuse("agent-builder-tool-unsupported", text);
    return [];
  };
}

function toKnowledge(tool: Value & { kind: "call" }, { drawing, nodeId }: ToolScope, at: number): JsonObject[] {
  const settings = settingsOf(tool);
  const [first] = tool.args;
  const listed = settingOf(settings, "vectorStoreIds", "vector_store_ids", "vectorStoreId") ?? first;
  const ids = (listed?.kind === "list" ? listed.items : [listed]).map((id) => textIn(id) ?? "");
  const most = numberIn(settingOf(settingsOf(tool.args[1] ?? tool), "maxNumResults", "max_num_results"));
  return ids.map((id, index) => {
    const number = at + index;
    drawing.ask("document-store", id || "the files", { nodeId, path: `knowledge.${number}.storeId` });
    return {
      storeId: "",
      name: number === 0 ? "file_search" : `file_search_${number + 1}`,
      description: "Searches the files of this assistant.",
      ...(most === undefined ? {} : { topK: Math.min(Math.max(1, Math.trunc(most)), 100) }),
    };
  });
}

function webSearch(tool: Value & { kind: "call" }, { drawing, nodeId }: ToolScope, at: number): Tool[] {
  drawing.ask("credential", "Web search", { nodeId, path: `tools.${at}.config.credential` });
  for (const [key, value] of settingsOf(tool)) {
    if (value.kind === "literal" && value.value === null) continue;
    drawing
      .report(null)
      .warn(
        "agent-builder-setting-ignored",
        `The setting ${key} of web search has no counterpart and is left out. Check the answers without it.`,
      );
  }
  return [{ type: "web-search", config: {} }];
}

function codeInterpreter(tool: Value & { kind: "call" }, { drawing, nodeId }: ToolScope): Tool[] {
  const settings = settingsOf(settingOf(settingsOf(tool), "tool_config") ?? tool);
  const container = settingOf(settings, "container");
  const files = itemsIn(settingOf(settingsOf(container), "file_ids", "fileIds"));
  drawing
    .report(null)
    .warn(
      "agent-builder-code-language",
      "The code interpreter runs JavaScript here, not Python. Check instructions that name Python.",
    );
  if (files.length > 0) {
    const text = `Its code interpreter has ${files.length} files, which are not part of the program. Add them to a document store.`;
    drawing.report(nodeId).warn("agent-builder-files-missing", text);
  }
  return [{ type: "code-interpreter", config: {} }];
}

function agentTool(tool: Value & { kind: "call" }, { drawing, nodeId }: ToolScope, at: number): Tool[] {
  const settings = settingsOf(tool);
  const agentName = textIn(settingsOf(tool.object).get("name")) ?? "agent";
  const name = textIn(settingOf(settings, "toolName", "tool_name")) ?? agentName;
  const description = textIn(settingOf(settings, "toolDescription", "tool_description")) ?? "";
  drawing.ask("agent", agentName, { nodeId, path: `tools.${at}.config.agentId` });
  return [{ type: "agent", config: { agentId: "", name, description } }];
}

/** A function of the program. Its code is not taken over: the tool of that name has to be chosen or written. */
function functionTool(value: Value, { drawing, nodeId }: ToolScope): Tool[] {
  const { name, description, isEmpty } = describeFunction(value);
  if (name === undefined) {
    const text = `One of its tools is not defined in the program. Add it to the agent's tools.`;
    drawing.report(nodeId).refuse("agent-builder-code-unknown", text);
    return [];
  }
  const why = isEmpty ? "has no code in the program" : "is code that is not taken over";
  const text = `Its tool ${name} ${why}. Write it as a custom tool, and choose it here.`;
  drawing.report(nodeId).refuse("agent-builder-tool-empty", text);
  return [{ type: "custom-tool", config: { toolId: "", name, ...(description === "" ? {} : { description }) } }];
}

type FunctionTool = { name: string | undefined; description: string; isEmpty: boolean };

function describeFunction(value: Value): FunctionTool {
  if (value.kind === "function") {
    const { name, definition } = value;
    const body = value.value.body.filter(({ kind }) => kind !== "nothing" && kind !== "evaluate");
    return { name, description: definition?.text.trim() ?? "", isEmpty: body.length === 0 };
  }
  if (value.kind !== "call") return { name: undefined, description: "", isEmpty: true };
  const settings = settingsOf(value);
  const [first] = value.args;
  if (first?.kind === "function") return describeFunction(first);
  const execute = settings.get("execute");
  return {
    name: textIn(settings.get("name")),
    description: textIn(settings.get("description")) ?? "",
    isEmpty: execute?.kind !== "function" || execute.value.body.length === 0,
  };
}

/** A hosted MCP server. A part of its tools that a person must approve stands as a server of its own. */
function mcpTool(tool: Value & { kind: "call" }, scope: ToolScope, at: number): Tool[] {
  const { drawing, nodeId, program } = scope;
  const wrapped = settingOf(settingsOf(tool), "tool_config", "toolConfig");
  const settings = settingsOf(wrapped ?? tool);
  const label = textIn(settingOf(settings, "serverLabel", "server_label")) ?? "MCP server";
  const connector = settingOf(settings, "connectorId", "connector_id");
  const address = textIn(settingOf(settings, "serverUrl", "server_url"));
  if (connector || address === undefined) {
    const which = connector
      ? `the connector ${withoutTokens(textIn(connector) ?? label)}`
      : `the MCP server ${label}, whose address the program does not say`;
    const text = `It uses ${which}. Add an MCP server of that service to its tools, with a credential of yours.`;
    drawing.report(nodeId).refuse("agent-builder-connector", text);
    dropSecret(settings, scope, label);
    return [];
  }
  const parts = approvalParts(settings, program.language === "python");
  const config = mcpConfig(settings, address, scope, { label, indexes: parts.map((_, index) => at + index) });
  return parts.map(({ tools, requiresApproval }) => ({
    type: "mcp-server",
    config: { ...config, ...(tools.length === 0 ? {} : { tools }) },
    ...(requiresApproval ? { requiresApproval } : {}),
  }));
}

/** The secret of a server that is left out is forgotten, but its owner has to know. */
function dropSecret(settings: ReadonlyMap<string, Value>, { drawing, nodeId }: ToolScope, label: string): void {
  const credential = readCredential(settings.get("authorization"));
  if (credential?.kind !== "secret") return;
  const text = `The program holds a secret in clear for ${label}. It is left out. Rotate it: everyone with the file can read it.`;
  drawing.report(nodeId).warn("import-secret-found", text);
}

type Place = { label: string; indexes: number[] };

function mcpConfig(settings: ReadonlyMap<string, Value>, address: string, scope: ToolScope, place: Place): JsonObject {
  const { url, secrets, host } = splitAddress(address);
  let paths = place.indexes.map((index) => `tools.${index}.config.credential`);
  const keep: KeepAtAll = (credential, data) => {
    keepCredential(credential, data, { ...scope, paths, label: place.label, host });
    paths = [];
  };
  const given = settingOf(settings, "authorization");
  // One that the program gets from elsewhere is asked for.
  const authorization = readCredential(given) ?? (given && { kind: "named", name: place.label });
  if (authorization) keep(authorization, bearerToken);
  const headers = plainHeaders(settingsOf(settings.get("headers")), keep);
  for (const secret of secrets) keepOfAddress(secret, { ...scope, label: place.label, keep });
  return { url, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
}

/** Keeps a credential for every integration that is made of one server. */
type KeepAtAll = (credential: Credential, data: SecretReader) => void;

function keepOfAddress(
  { name, text }: { name: string; text: string },
  { drawing, nodeId, label, keep }: ToolScope & { label: string; keep: KeepAtAll },
): void {
  const [user = "", password = ""] = text.split("\n");
  const basic = {
    credentialName: "httpBasicAuth",
    data: { basicAuthUsername: user, basicAuthPassword: password },
  };
  const isToken = name === "path";
  keep({ kind: "secret", text }, name === "" ? () => basic : headerSecret(isToken ? "authorization" : name));
  if (name === "") return;
  const where = isToken ? "in its path, where SECRET stands now" : `as ${name} in its query`;
  const what = `The address of ${label} held a secret ${where}. If the server does not take it as a header, put it into the address by a variable.`;
  drawing.report(nodeId).warn("import-secret-address", what);
}

/** Headers that hold no secret. The others are kept as credentials. */
function plainHeaders(headers: ReadonlyMap<string, Value>, keep: KeepAtAll): JsonObject {
  const plain: [string, string][] = [];
  for (const [key, value] of headers) {
    const credential = isSecretName(key) || value.kind !== "literal" ? readCredential(value) : undefined;
    const text = textIn(value);
    if (credential) keep(credential, headerSecret(key));
    else if (text !== undefined && key !== "__proto__") plain.push([key, withoutTokens(text)]);
  }
  return Object.fromEntries(plain);
}

type ApprovalPart = { tools: string[]; requiresApproval: boolean };

/** Which tools a person must approve. The API asks always where nothing is said; the script library says never. */
function approvalParts(settings: ReadonlyMap<string, Value>, isPython: boolean): ApprovalPart[] {
  const allowed = settingOf(settings, "allowedTools", "allowed_tools");
  const tools = namesIn(allowed?.kind === "list" ? allowed : namedTools(allowed));
  const approval = settingOf(settings, "requireApproval", "require_approval");
  if (approval?.kind !== "object") {
    const word = textIn(approval) ?? (isPython ? "always" : "never");
    return [{ tools, requiresApproval: word !== "never" }];
  }
  const always = namesIn(namedTools(approval.fields.get("always")));
  const never = namesIn(namedTools(approval.fields.get("never")));
  // Without a list of all tools, those that are not named cannot be told: all of them ask.
  if (tools.length === 0) return [{ tools, requiresApproval: true }];
  const asked = tools.filter((name) => (always.length > 0 ? always.includes(name) : !never.includes(name)));
  const free = tools.filter((name) => !asked.includes(name));
  const parts = [
    { tools: asked, requiresApproval: true },
    { tools: free, requiresApproval: false },
  ];
  return parts.filter((part) => part.tools.length > 0);
}

function namedTools(value: Value | undefined): Value | undefined {
  return settingOf(settingsOf(value), "toolNames", "tool_names");
}

function namesIn(value: Value | undefined): string[] {
  return itemsIn(value).flatMap((item) => textIn(item) ?? []);
}
