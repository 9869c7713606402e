import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import { type Exit, exitOf } from "../../drawing/index.ts";
import { anyOf, booleanIn, fieldOf, kindIn, numberIn, objectIn, textIn } from "../fields.ts";
import { cleanAddress, type FoundSecret, isSecretValue, keepSecrets, toCredential } from "../secrets.ts";
import { type ConvertAction, type Step, silent } from "../step.ts";
import { addFunction, type Code, codeOf, codeOfText, isExpression, templateOfText, type Update } from "../values.ts";
import { stateCode, type Target } from "../variables.ts";
import { mainConversation } from "../workflow-facts.ts";
import { pendingKey } from "./agent-actions.ts";
import { holdsSecret, mcpServer } from "./agent-node.ts";
import { assign, targetIn } from "./state-actions.ts";

/** Values of an action that references say, or that one function before its node computes. */
type Values = { templates: Map<string, string>; computed: Map<string, Code> };

function collect(step: Step, entries: readonly (readonly [string, Json])[]): Values {
  const values: Values = { templates: new Map(), computed: new Map() };
  for (const [name, value] of entries) {
    const template = templateOfValue(step, value);
    if (template !== undefined) values.templates.set(name, template);
    else values.computed.set(name, namesVariable(value) ? codeOfText(step, value) : codeOf(step, value));
  }
  return values;
}

/** A scalar, or an expression of one path, as a template. */
function templateOfValue(step: Step, value: Json): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return undefined;
  if (isExpression(value) || namesVariable(value)) return templateOfText(step, value);
  return value.includes("{{") ? undefined : value;
}

/** Whether a text has a variable in braces: other braces in addresses and bodies are their own. */
function namesVariable(value: Json): boolean {
  return typeof value === "string" && !isExpression(value) && /\{\s*(Local|Topic|Global|System|Env)\s*\./i.test(value);
}

/** Draws the function that computes what references do not say, and returns the templates of all values. */
function drawInputs(
  step: Step,
  { templates, computed }: Values,
  from: readonly Exit[],
): { templates: ReadonlyMap<string, string>; from: readonly Exit[] } {
  if (computed.size === 0) return { templates, from };
  const names = new Map([...computed.keys()].map((name, index) => [name, `value${index + 1}`]));
  const values = Object.fromEntries([...computed].map(([name, code]) => [names.get(name) ?? "", code]));
  const { nodeId, reference } = addFunction(step, { part: "input", values }, from);
  const references = [...names].map(([name, value]) => [name, reference(value)] as const);
  return { templates: new Map([...templates, ...references]), from: exitOf(nodeId) };
}

type Call = { reference: JsonObject; toolName: string; finish(nodeId: string): void };

export const invokeFunctionTool: ConvertAction = (step, from) => {
  const toolName = textIn(step.action, "functionName", "toolName", "name");
  return callTool(
    step,
    {
      toolName: "",
      reference: {
        type: "custom-tool",
        config: { toolId: "", ...(toolName === "" ? {} : { name: toolName.slice(0, 200) }) },
      },
      finish: (nodeId) =>
        step.refuse(
          "foundry-tool-missing",
          `It calls the function ${toolName || "without a name"} of your application. Create a custom tool that does the same and choose it in this step.`,
          nodeId,
        ),
    },
    from,
  );
};

export const invokeMcpTool: ConvertAction = (step, from) => {
  const { config, secrets, url } = mcpServer(step, step.action);
  const given = textIn(step.action, "toolName");
  const toolName = isExpression(given) ? "" : given;
  if (toolName === "") {
    step.refuse("foundry-tool-computed", "The name of its tool is missing or computed. Enter the name in the step.");
  }
  return callTool(
    step,
    {
      toolName: toolName.slice(0, 64),
      reference: { type: "mcp-server", config: { ...config, ...(toolName === "" ? {} : { tools: [toolName] }) } },
      finish(nodeId) {
        keepSecrets(step, { secrets, url, nodeId, path: "tool.config.credential" });
        const connection = textIn(objectIn(step.action, "connection"), "name");
        if (connection === "" || secrets.length > 0) return;
        step.flow.drawing.ask("credential", connection, { nodeId, path: "tool.config.credential" });
        step.warn(
          "import-credential-missing",
          `It uses the connection ${connection}. Choose the credential that holds its key.`,
          nodeId,
        );
      },
    },
    from,
  );
};

/** Draws a call of a tool, behind a person's approval where it asks for that. */
function callTool(step: Step, { reference, toolName, finish }: Call, from: readonly Exit[]): Exit[] {
  const args = Object.entries(objectIn(step.action, "arguments"));
  const inputs = drawInputs(step, collect(step, args), from);
  const rows = args.map(([name]) => ({ name, value: inputs.templates.get(name) ?? "" }));
  const { result, messages, autoSend } = outputOf(step);
  const approval =
    booleanIn(step.action, "requireApproval") ?? isExpression(anyOf(step.action, "requireApproval") ?? null);
  const approved = approval ? drawApproval(step, inputs.from) : undefined;
  const updates = updatesOf([result, "{{ output.data }}"], [messages, "{{ output }}"]);
  const config = {
    tool: reference,
    ...(toolName === "" ? {} : { toolName }),
    arguments: rows,
    failOnError: false,
    reply: autoSend ? "always" : "never",
    ...(updates.length === 0 ? {} : { updateState: updates }),
  };
  const id = step.add({ type: "tool", config }, approved?.proceed ?? inputs.from);
  finish(id);
  const refused = approved === undefined ? [] : drawRefusal(step, [result, messages], approved.reject);
  return [...tellConversation(step, id), ...refused];
}

function outputOf(step: Step) {
  const output = objectIn(step.action, "output");
  return {
    result: targetIn(step, anyOf(output, "result", "responseObject"), "output.result"),
    messages: targetIn(step, fieldOf(output, "messages"), "output.messages"),
    autoSend: booleanIn(output, "autoSend") ?? true,
  };
}

function updatesOf(...rows: readonly (readonly [Target | undefined, string])[]): Update[] {
  return rows.flatMap(([target, value]) => (target === undefined ? [] : [{ key: target.key, value }]));
}

function drawApproval(step: Step, from: readonly Exit[]) {
  const name = textIn(step.action, "toolName", "functionName");
  const question = `May the tool ${name.replaceAll(/[{}]/g, "")} be called?`;
  const config = { question, answer: "decision", proceedLabel: "Approve", rejectLabel: "Refuse", ...silent };
  const id = step.add({ type: "human-input", part: "approval", config }, from);
  return { proceed: exitOf(id, "proceed"), reject: exitOf(id, "reject") };
}

/** What was refused is the result, so that the steps behind it know. */
function drawRefusal(step: Step, targets: readonly (Target | undefined)[], from: readonly Exit[]): Exit[] {
  const value = { code: '"The call was refused."', sources: [] };
  const assignments = targets.flatMap((target) => (target === undefined ? [] : [{ target, value }]));
  return assignments.length === 0 ? [...from] : assign(step, assignments, from, "refused");
}

/** A result that joins the conversation of the run is told to the next agent, beside the words that it is told then. */
function tellConversation(step: Step, nodeId: string): Exit[] {
  const conversation = textIn(step.action, "conversationId");
  if (conversation === "") return exitOf(nodeId);
  const isTold = step.flow.facts.keepsQuestion && mainConversation.test(conversation);
  const text = isTold
    ? "In Foundry its result joins the conversation. Here the next agent is told it together with the user's words; check what that agent makes of it."
    : `In Foundry its result joins a conversation. Here a later agent knows it only where its instructions refer to the step ${nodeId}: add that.`;
  step.warn("foundry-conversation-approximated", text, nodeId);
  if (!isTold) return exitOf(nodeId);
  const told = addFunction(
    step,
    {
      part: "told",
      variables: [{ name: "result", value: `{{ ${nodeId} }}` }],
      values: { text: { code: `fx_toldOnce(${stateCode(pendingKey)} ?? "", fx_text($result))`, sources: [] } },
      updates: (reference) => [{ key: pendingKey, value: reference("text") }],
    },
    exitOf(nodeId),
  );
  return exitOf(told.nodeId);
}

const methods = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);

export const httpRequest: ConvertAction = (step, from) => {
  const { action } = step;
  const request = readRequest(step);
  const inputs = drawInputs(step, collect(step, request.values), from);
  const at = (name: string) => inputs.templates.get(name) ?? "";
  const rows = (prefix: string) =>
    request.values.flatMap(([name]) =>
      name.startsWith(prefix) ? [{ key: name.slice(prefix.length), value: at(name) }] : [],
    );
  const method = (textIn(action, "method") || "GET").toUpperCase();
  const response = targetIn(step, anyOf(action, "response", "responseObject"), "response");
  const headers = targetIn(step, fieldOf(action, "responseHeaders"), "responseHeaders");
  const updateState = updatesOf([response, "{{ output.data }}"], [headers, "{{ output.headers }}"]);
  const timeoutMs = numberIn(action, "requestTimeoutInMilliseconds");
  const config = {
    method: methods.has(method) ? method : "GET",
    url: at("url"),
    headers: rows("header:"),
    query: rows("query:"),
    ...bodyOf(request, at),
    ...(timeoutMs === undefined ? {} : { timeoutMs: Math.min(600_000, Math.max(1, Math.trunc(timeoutMs))) }),
    failOnErrorStatus: true,
    ...silent,
    ...(updateState.length === 0 ? {} : { updateState }),
  };
  const id = step.add({ type: "http", config }, inputs.from);
  if (!methods.has(method))
    step.refuse(
      "foundry-method-unsupported",
      `The method ${method.slice(0, 20)} is not supported. Choose another.`,
      id,
    );
  keepSecrets(step, { secrets: request.secrets, url: request.address, nodeId: id, path: "credential" });
  askForConnection(step, id, request.secrets.length > 0);
  return tellConversation(step, id);
};

function askForConnection(step: Step, nodeId: string, hasSecret: boolean): void {
  const connection = fieldOf(step.action, "connection");
  const name =
    typeof connection === "string" ? connection : textIn(isJsonObject(connection) ? connection : {}, "name", "id");
  if (name === "" || hasSecret) return;
  step.flow.drawing.ask("credential", name, { nodeId, path: "credential" });
  step.warn(
    "import-credential-missing",
    `It uses the connection ${name}. Choose the credential that holds its key.`,
    nodeId,
  );
}

type Request = {
  /** `url`, `body`, `header:X` and `query:X`, each with its value in the file. */
  values: (readonly [string, Json])[];
  secrets: FoundSecret[];
  address: string;
  isRaw: boolean;
};

function readRequest(step: Step): Request {
  const { action } = step;
  const given = textIn(action, "url");
  const { url, secrets } = isExpression(given) ? withoutSecretTexts(given) : cleanAddress(given);
  const headers = withoutSecretRows(objectIn(action, "headers"), (name, text) =>
    secrets.push(toCredential(name, text)),
  );
  const query = withoutSecretRows(objectIn(action, "queryParameters", "query"), (key, value) =>
    secrets.push({ credentialName: "httpApiKey", data: { key, value } }),
  );
  const body = objectIn(action, "body");
  const whole = fieldOf(action, "body");
  const content = typeof whole === "string" ? whole : (anyOf(body, "content", "value") ?? undefined);
  const key = textIn(objectIn(action, "connection"), "apiKey", "key");
  if (key !== "" && !isExpression(key)) secrets.push({ credentialName: "httpBearerToken", data: { token: key } });
  const values: Request["values"] = [
    ["url", url],
    ...headers.map(([name, value]) => [`header:${name}`, value] as const),
    ...query.map(([name, value]) => [`query:${name}`, value] as const),
    ...(content === undefined ? [] : [["body", content] as const]),
  ];
  return { values, secrets, address: url, isRaw: kindIn(body).toLowerCase().startsWith("raw") };
}

/** The rows whose values are no secrets. A constant expression is its text. */
function withoutSecretRows(rows: JsonObject, keep: (name: string, text: string) => void): (readonly [string, Json])[] {
  return Object.entries(rows).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value.replace(/^\s*=\s*"([^"]*)"\s*$/, "$1") : "";
    if (!holdsSecret(name, text)) return [[name, value] as const];
    keep(name, text);
    return [];
  });
}

/** The texts of an expression without the secrets of the address that they are parts of. */
function withoutSecretTexts(expression: string): { url: string; secrets: FoundSecret[] } {
  const secrets: FoundSecret[] = [];
  const url = expression.replaceAll(/"((?:[^"]|"")*)"/g, (_all, text: string) => {
    const cleaned = cleanAddress(text);
    secrets.push(...cleaned.secrets);
    if (cleaned.secrets.length > 0 || !isSecretValue(text)) return `"${cleaned.url}"`;
    secrets.push({ credentialName: "httpApiKey", data: { key: "path", value: text } });
    return '"SECRET"';
  });
  return { url, secrets };
}

function bodyOf({ values, isRaw }: Request, at: (name: string) => string): JsonObject {
  const content = values.find(([name]) => name === "body")?.[1];
  if (content === undefined) return { bodyType: "none" };
  return isRaw ? { bodyType: "raw", body: at("body") } : { bodyType: "json", body: toJsonBody(at("body")) };
}

/** A text that is JSON is the body; a reference is its value; another text is a JSON string. */
function toJsonBody(template: string): string {
  if (/^\{\{[^{}]*\}\}$/.test(template) || /^\s*[[{"]/.test(template)) return template;
  return JSON.stringify(template);
}
