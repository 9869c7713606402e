import type { ImportErrorCode } from "@weft/dialects/importer";
import { toLiteral } from "@weft/engine/template";
import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import { type AgentFile, providerNamed } from "../agents.ts";
import { anyOf, fieldOf, kindIn, objectIn, textIn, textsIn } from "../fields.ts";
import { cleanAddress, type FoundSecret, isSecretName, isSecretValue, keepSecrets, toCredential } from "../secrets.ts";
import type { Step } from "../step.ts";
import { isExpression, templateOfText } from "../values.ts";

/** A node in the making: its type and config, and what is done once it has an id. */
export type AgentNode = { type: "llm" | "agent" | "execute-flow"; config: JsonObject; finish(nodeId: string): void };

/** Templates of the arguments that a call gives an agent, by their names. */
export type AgentArguments = ReadonlyMap<string, string>;

/** The node of an agent whose file is there. */
export function toAgentNode(step: Step, agent: AgentFile, given: AgentArguments): AgentNode {
  const tools = agent.tools.map((tool) => readTool(step, tool));
  const references = tools.flatMap(({ references: own = [] }) => own);
  const knowledge = tools.flatMap(({ stores = [] }) => stores);
  const isAgent = references.length > 0 || knowledge.length > 0;
  const config: JsonObject = {
    model: modelOf(agent),
    messages: instructionsOf(step, agent, given),
    ...(agent.outputSchema === undefined ? {} : { structuredOutput: agent.outputSchema }),
    ...(isAgent ? { tools: references.map(({ reference }) => reference), knowledge: toKnowledge(knowledge) } : {}),
  };
  return {
    type: isAgent ? "agent" : "llm",
    config,
    finish(nodeId) {
      finishModel(step, agent, nodeId);
      for (const { problems = [] } of tools)
        for (const problem of problems) step.refuse(problem.code, problem.text, nodeId);
      for (const [index, { secrets, url }] of references.entries()) {
        keepSecrets(step, { secrets, url, nodeId, path: `tools.${index}.config.credential` });
      }
      for (const [index, { credentialFor }] of references.entries()) {
        if (credentialFor === undefined) continue;
        const place = { nodeId, path: `tools.${index}.config.credential` };
        const text = `Its tool ${credentialFor} needs a credential. Choose one.`;
        step.flow.drawing.ask("credential", credentialFor, place, {
          level: "warning",
          code: "import-credential-missing",
          text,
        });
      }
      for (const [index, store] of knowledge.entries()) {
        const text = `It searches the vector store ${store}, whose files are not in the export. Choose a document store.`;
        const place = { nodeId, path: `knowledge.${index}.storeId` };
        step.flow.drawing.ask("document-store", store, place, { code: "import-store-missing", text });
      }
    },
  };
}

function modelOf({ model, options }: AgentFile): JsonObject {
  const provider = providerNamed(model.provider);
  const isKnown = /^[^=$]/.test(model.id);
  return {
    ...(isKnown ? { model: model.id.slice(0, 200) } : {}),
    ...(provider === undefined ? {} : { provider }),
    ...options,
  };
}

function finishModel(step: Step, { model, ignoredOptions }: AgentFile, nodeId: string): void {
  const name = model.id.replace(/^=\s*(Env\.)?|^\$\{|\}$/gi, "") || "model";
  step.flow.drawing.ask("model", name, { nodeId, path: "model" });
  if (ignoredOptions.length > 0) {
    step.warn(
      "foundry-model-option-ignored",
      `The model options ${ignoredOptions.join(", ")} have no counterpart and are left out. Check the answers.`,
      nodeId,
    );
  }
  if (model.apiKey === "" || model.apiKey.startsWith("=")) return;
  const secret = { credentialName: "openAIApi", data: { openAIApiKey: model.apiKey } };
  keepSecrets(step, { secrets: [secret], url: cleanAddress(model.endpoint).url, nodeId, path: "model.credential" });
}

/** The instructions, with the call's arguments where they name them as `{{name}}`, else below them. */
function instructionsOf(step: Step, agent: AgentFile, given: AgentArguments): JsonObject[] {
  const used = new Set<string>();
  const left = new Set<string>();
  const instructions = agent.instructions.replaceAll(/\{\{\s*([$\p{L}_][^{}\s]*)\s*\}\}/gu, (source, name: string) => {
    const value = given.get(name);
    if (value !== undefined) {
      used.add(name);
      return value;
    }
    left.add(name);
    return toLiteral(source);
  });
  if (left.size > 0) {
    step.warn(
      "foundry-input-missing",
      `The agent's instructions name ${[...left].join(", ")}, which this call does not give. Replace it in the instructions.`,
    );
  }
  const rest = [...given].filter(([name]) => !used.has(name)).map(([name, value]) => `${name}: ${value}`);
  const texts = [instructions, rest.join("\n")].filter((text) => text !== "");
  return texts.length === 0 ? [] : [{ role: "system", content: texts.join("\n\n") }];
}

type Problem = { code: ImportErrorCode; text: string };
type ToolReference = { reference: JsonObject; secrets: FoundSecret[]; url: string; credentialFor?: string };
type ReadTool = { references?: ToolReference[]; stores?: string[]; problems?: Problem[] };

function readTool(step: Step, tool: JsonObject): ReadTool {
  const kind = (kindIn(anyOf(tool, "kind", "type")) || "function").toLowerCase().replaceAll(/[_\s-]/g, "");
  const name = textIn(tool, "name", "server_label", "serverName", "id") || kind;
  if (kind.startsWith("websearch") || kind.startsWith("bing")) {
    const reference = { type: "web-search", config: {}, requiresApproval: false };
    return { references: [{ reference, secrets: [], url: "", credentialFor: "web search" }] };
  }
  if (kind === "codeinterpreter") {
    return {
      references: [
        { reference: { type: "code-interpreter", config: {}, requiresApproval: false }, secrets: [], url: "" },
      ],
    };
  }
  if (kind === "filesearch") {
    const stores = textsIn(tool, "vectorStoreIds", "vector_store_ids");
    return { stores: stores.length === 0 ? [name] : stores };
  }
  if (kind === "mcp") return { references: mcpReferences(step, tool) };
  if (kind === "function" || kind === "custom") {
    const text = `The agent's tool ${name} is a function of your application and its code is not in the file. Create a custom tool of that name and add it to the agent.`;
    return { problems: [{ code: "foundry-tool-missing", text }] };
  }
  const text = `The agent's tool ${name} (${kind}) is not supported. Replace it by an integration, such as an OpenAPI toolkit or an MCP server.`;
  return { problems: [{ code: "foundry-tool-unsupported", text }] };
}

/** A server whose tools are approved one by one is two references: those that ask and those that do not. */
function mcpReferences(step: Step, tool: JsonObject): ToolReference[] {
  const server = mcpServer(step, tool);
  const mode = anyOf(tool, "approvalMode", "require_approval", "requireApproval");
  const word = kindIn(mode).toLowerCase();
  const allowed = textsIn(tool, "allowedTools", "allowed_tools");
  const make = (tools: string[], requiresApproval: boolean): ToolReference => ({
    ...server,
    reference: {
      type: "mcp-server",
      config: { ...server.config, ...(tools.length === 0 ? {} : { tools }) },
      requiresApproval,
    },
  });
  if (word !== "specify" || !isJsonObject(mode)) return [make(allowed, word !== "never")];
  const never = textsIn(mode, "neverRequireApprovalTools");
  const always = textsIn(mode, "alwaysRequireApprovalTools");
  const asked = allowed.length === 0 ? always : allowed.filter((name) => !never.includes(name));
  return [...(asked.length === 0 ? [] : [make(asked, true)]), ...(never.length === 0 ? [] : [make(never, false)])];
}

/** Address, headers and secrets of an MCP server, as an action or an agent's tool names it. */
export function mcpServer(step: Step, fields: JsonObject): { config: JsonObject; secrets: FoundSecret[]; url: string } {
  const { url, secrets } = cleanAddress(textIn(fields, "serverUrl", "url", "server_url"));
  const connection = objectIn(fields, "connection");
  const key = textIn(connection, "apiKey", "key") || textIn(fields, "authorization", "apiKey");
  if (key !== "" && !key.startsWith("="))
    secrets.push({ credentialName: "httpBearerToken", data: { token: key.replace(/^bearer\s+/i, "") } });
  const headers: [string, Json][] = [];
  for (const [name, value] of Object.entries(objectIn(fields, "headers"))) {
    const text = typeof value === "string" ? value : "";
    const constant = text.replace(/^\s*=\s*"([^"]*)"\s*$/, "$1");
    if (holdsSecret(name, constant)) secrets.push(toCredential(name, constant));
    else if (!text.startsWith("=")) headers.push([name, text]);
    else
      step.warn(
        "foundry-header-expression",
        `Its header ${name} is computed. Enter a credential, or a fixed value, for it.`,
      );
  }
  const config = {
    url: toAddress(step, url),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
  };
  return { config, secrets, url };
}

/** Whether a header holds a secret in clear. Expressions over variables do not. */
export function holdsSecret(name: string, value: string): boolean {
  if (value === "") return false;
  if (!value.trimStart().startsWith("=")) return isSecretName(name) || isSecretValue(value);
  return [...value.matchAll(/"((?:[^"]|"")*)"/g)].some(
    ([, text = ""]) =>
      isSecretValue(text) || (isSecretName(name) && text.replace(/^(bearer|basic|token)\s*/i, "").length > 5),
  );
}

/** An address that is a variable is read when the tool is called. One that is put together cannot be. */
function toAddress(step: Step, url: string): string {
  if (!isExpression(url)) return url;
  const template = templateOfText(step, url);
  if (template !== undefined) return template;
  step.refuse("foundry-address-computed", "The address of its server is computed. Enter the address in the step.");
  return "";
}

function toKnowledge(stores: readonly string[]): JsonObject[] {
  return stores.map((store, index) => ({
    storeId: store.slice(0, 100),
    name: `documents${index === 0 ? "" : `_${index + 1}`}`,
  }));
}

/** The node of an agent that is not among the files: another agent of the workspace is to be chosen. */
export function toMissingAgent(
  step: Step,
  name: string,
  { given, prompt }: { given: AgentArguments; prompt: string },
): AgentNode {
  const lines = [prompt, ...[...given].map(([key, value]) => `${key}: ${value}`)];
  const input = lines.filter((text) => text !== "").join("\n") || "{{ question }}";
  return {
    type: "execute-flow",
    config: { agentId: "", input },
    finish(nodeId) {
      const text = `The agent ${name} is not among the files. Choose an agent, or import again with its file.`;
      step.flow.drawing.ask("agent", name, { nodeId, path: "agentId" }, { code: "foundry-agent-missing", text });
    },
  };
}

/** The name in `agent`, which may be a text, an expression or an object with either. */
export function agentNameIn(action: JsonObject): string {
  const agent = fieldOf(action, "agent");
  return (
    (typeof agent === "string" ? agent : textIn(isJsonObject(agent) ? agent : {}, "name", "id")) ||
    textIn(action, "agentName", "agentId")
  );
}
