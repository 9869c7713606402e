import { type JsonObject, type JsonSchema, type ModelParameterName, modelParameterFields } from "@weft/schema";
import type { NewNode } from "../drawing/index.ts";
import { addNode, type Drawer, readState, reportUnknown, templateOf } from "./drawer.ts";
import { apply, evaluate } from "./evaluate.ts";
import { toSchema } from "./schemas.ts";
import { withoutTokens } from "./secrets.ts";
import { convertTools } from "./tools.ts";
import { itemsIn, jsonIn, literal, nothing, settingOf, settingsOf, textIn, type Value } from "./values.ts";

type AgentValue = Value & { kind: "call" };

/** What an agent is asked: words, messages, or the conversation with messages after it. */
export type AgentInput = { usesHistory: boolean; messages: Value[] };

/** An agent of the program, made of `Agent(…)` in either language. */
export function asAgent(value: Value | undefined): AgentValue | undefined {
  if (value?.kind !== "call") return undefined;
  const isAgent = value.name === "Agent" || (value.name === "create" && value.object?.kind === "call");
  return isAgent || (value.name === "create" && settingsOf(value).has("instructions")) ? value : undefined;
}

export function agentName(agent: AgentValue): string {
  return textIn(settingsOf(agent).get("name"))?.trim() || "Agent";
}

/** The id of a node with that label: the same for a program in either language. */
export function idOf(label: string): string {
  const words = label.toLowerCase().match(/[a-z0-9]+/g);
  const id = words?.join("_").slice(0, 60) || "agent";
  return id in {} ? `agent_${id}` : id;
}

/** Instructions with what the call fills in. A function of the program is read, not called. */
export function instructionsOf(drawer: Drawer, agent: AgentValue, context: Value): string {
  const value = settingOf(settingsOf(agent), "instructions");
  if (value === undefined) return "";
  const runContext: Value = { kind: "object", fields: new Map([["context", context]]) };
  const text = value.kind === "function" ? apply(drawer.evaluator, value, [runContext, nothing]) : value;
  if (text === undefined) {
    reportUnknown(drawer, { kind: "unknown", line: agent.line }, `the instructions of ${agentName(agent)}`);
    return "";
  }
  return withoutTokens(templateOf(drawer, withReferences(drawer, text), `the instructions of ${agentName(agent)}`));
}

/** References of the builder that stand in a text as they were typed: `{{state.topic}}`. */
export function withReferences(drawer: Drawer, value: Value): Value {
  const parts = value.kind === "text" ? value.parts : [textIn(value) ?? value];
  if (!parts.some((part) => typeof part === "string" && part.includes("{{"))) return value;
  return {
    kind: "text",
    parts: parts.flatMap((part) => (typeof part === "string" ? splitReferences(drawer, part) : [part])),
  };
}

function splitReferences(drawer: Drawer, text: string): (string | Value)[] {
  return text.split(/(\{\{\s*[A-Za-z_][\w.]*\s*\}\})/).map((part) => {
    const path = /^\{\{\s*([\w.]+)\s*\}\}$/.exec(part)?.[1];
    if (path === undefined) return part;
    const value = referred(drawer, path);
    if (value === undefined) {
      const what = `A text of the program names {{ ${path.slice(0, 60)} }}, which stands for nothing here. It is kept as text; put in what it should say.`;
      drawer.drawing.report(null).warn("agent-builder-reference-unknown", what);
    }
    return value ?? part;
  });
}

function referred(drawer: Drawer, path: string): Value | undefined {
  const [root, key = "", ...rest] = path.split(".");
  if (root === "state" && key !== "") {
    const value = readState(drawer, key);
    return rest.length === 0 || value.kind !== "path"
      ? value
      : { kind: "path", path: `${value.path}.${rest.join(".")}` };
  }
  if (root === "workflow" && key === "input_as_text") return drawer.question;
  const { latest } = drawer.cursor;
  if (root !== "input" || latest?.kind !== "run") return undefined;
  if (key === "output_text") return latest.text;
  const field = rest.join(".");
  return key === "output_parsed" && field !== ""
    ? { kind: "path", path: `${latest.nodeIds[0]}.output.${field}` }
    : latest.text;
}

/** Model settings of Weft, and a warning for each setting that it does not have, or not with this value. */
export function modelOf({ drawing }: Drawer, agent: AgentValue): JsonObject {
  const settings = settingsOf(agent);
  const model: JsonObject = { provider: "openai" };
  const name = modelName(settingOf(settings, "model"));
  if (name !== undefined) model.model = name.slice(0, 200);
  for (const [key, value] of modelSettingsOf(settings)) {
    if (value.kind === "literal" && value.value === null) continue;
    const parameter = parameterNames.get(key);
    const read = parameter && modelParameterFields[parameter].safeParse(jsonIn(value));
    if (parameter !== undefined && read?.success && read.data !== undefined) model[parameter] = read.data;
    else drawing.report(null).warn("agent-builder-setting-ignored", ignored(key, parameter !== undefined));
  }
  return model;
}

/** With what stands within `reasoning` under names of its own. */
function modelSettingsOf(settings: ReadonlyMap<string, Value>): [key: string, value: Value][] {
  const given = settingsOf(settingOf(settings, "modelSettings", "model_settings"));
  return [...given].flatMap(([key, value]): [string, Value][] => {
    if (key !== "reasoning") return [[toSnakeCase(key), value]];
    return [...settingsOf(value)].map(([part, inner]) => [`reasoning.${toSnakeCase(part)}`, inner]);
  });
}

function ignored(key: string, isKnown: boolean): string {
  const setting = `The model setting ${key.slice(0, 60)}`;
  return isKnown
    ? `${setting} has a value that models here do not take, and is left out. Set it on the step.`
    : `${setting} has no counterpart and is left out. Check whether the agents depend on it.`;
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const parameterNames: ReadonlyMap<string, ModelParameterName> = new Map([
  ["temperature", "temperature"],
  ["top_p", "topP"],
  ["max_tokens", "maxTokens"],
  ["frequency_penalty", "frequencyPenalty"],
  ["presence_penalty", "presencePenalty"],
  ["reasoning.effort", "reasoning"],
]);

function modelName(value: Value | undefined): string | undefined {
  return (
    textIn(value) ?? (value?.kind === "call" ? textIn(value.args[0] ?? settingOf(value.fields, "model")) : undefined)
  );
}

/** Asks for the model that a node of the flow is to use. */
export function askModel({ drawing }: Drawer, nodeId: string, model: JsonObject): void {
  if (typeof model.model === "string") drawing.ask("model", model.model, { nodeId, path: "model" });
}

/** Draws one run of an agent, and returns what the program gets of it. */
export function drawAgent(drawer: Drawer, agent: AgentValue, input: AgentInput, context: Value): Value {
  const label = agentName(agent);
  const system = instructionsOf(drawer, agent, context);
  const asked = askedOf(drawer, input);
  const schema = toSchema(settingOf(settingsOf(agent), "outputType", "output_type"), drawer.program);
  const model = modelOf(drawer, agent);
  const config: JsonObject = { model, messages: [...systemMessage(system), ...asked.messages], ...asked.prompt };
  if (schema) config.structuredOutput = schema;
  const given = itemsIn(settingOf(settingsOf(agent), "tools"));
  const id = addModelNode(drawer, { type: given.length > 0 ? "agent" : "llm", id: idOf(label), label, config }, input);
  askModel(drawer, id, model);
  addTools(drawer, id, given);
  reportUnused(drawer, id, agent);
  return runOf(drawer, id, schema);
}

function systemMessage(content: string): JsonObject[] {
  return content.trim() === "" ? [] : [{ role: "system", content }];
}

/** Adds a node that asks a model; tells the tails it begins whether it puts the question. */
export function addModelNode(drawer: Drawer, node: NewNode, { usesHistory }: AgentInput): string {
  const id = addNode(drawer, node);
  drawer.modelNodes.add(id);
  if (usesHistory && !drawer.cursor.tails.some(({ asking }) => asking.includes(id))) {
    for (const tail of drawer.cursor.tails) tail.asking.push(id);
  }
  return id;
}

function addTools(drawer: Drawer, nodeId: string, values: readonly Value[]): void {
  if (values.length === 0) return;
  const { drawing, program } = drawer;
  const { tools, knowledge } = convertTools(values, { drawing, nodeId, program });
  const { config } = drawing.node(nodeId);
  if (tools.length > 0) config.tools = tools;
  if (knowledge.length > 0) config.knowledge = knowledge;
}

const readSettings = new Set(
  "name instructions model tools outputType output_type modelSettings model_settings handoffs handoffDescription handoff_description".split(
    " ",
  ),
);

/** Settings of an agent that are not taken over. A guardrail among them stops the run. */
function reportUnused({ drawing }: Drawer, nodeId: string, agent: AgentValue): void {
  for (const [key, value] of settingsOf(agent)) {
    const isEmpty = (value.kind === "literal" && !value.value) || (value.kind === "list" && value.items.length === 0);
    if (readSettings.has(key) || isEmpty) continue;
    if (/guardrail/i.test(key)) {
      const text = `Its ${key.slice(0, 60)} are code that is not taken over. Put a check before or after it by hand.`;
      drawing.report(nodeId).refuse("import-guardrail-missing", text);
    } else if (key === "mcpServers" || key === "mcp_servers") {
      const text = "Its MCP servers are started by the program. Add an MCP server to its tools for each of them.";
      drawing.report(nodeId).refuse("agent-builder-connector", text);
    } else {
      const text = `Its setting ${key.slice(0, 60)} has no counterpart and is left out. Check whether it is needed.`;
      drawing.report(nodeId).warn("agent-builder-setting-ignored", text);
    }
  }
}

function runOf(drawer: Drawer, id: string, schema: JsonSchema | undefined): Value {
  const text: Value = { kind: "path", path: id, schema: { type: "string" } };
  const data: Value = schema ? { kind: "path", path: `${id}.output.json`, schema } : text;
  const run: Value = { kind: "run", nodeIds: [id], text, data };
  drawer.cursor.latest = run;
  return run;
}

type Asked = { messages: JsonObject[]; prompt: JsonObject };

/**
 * How a model is asked. The first of a conversation puts the question; later ones see it in the conversation. One that
 * is called with messages of its own sees only these.
 */
function askedOf(drawer: Drawer, { usesHistory, messages }: AgentInput): Asked {
  const { cursor } = drawer;
  const rows = [...(usesHistory ? cursor.added : []), ...messages].map((message) => messageRow(drawer, message));
  if (!usesHistory) {
    const last = rows.at(-1);
    const isUser = last?.role === "user";
    const prompt = { prompt: isUser ? (last.content ?? "") : "", memory: { type: "off" } };
    return { messages: isUser ? rows.slice(0, -1) : rows, prompt };
  }
  if (cursor.hasAsked) return { messages: rows, prompt: { prompt: "" } };
  const question = templateOf(drawer, drawer.question, "the question");
  // A message that only repeats the question is asked once.
  const others = rows.filter(({ content }) => typeof content !== "string" || content.trim() !== question);
  return { messages: others, prompt: question === "{{ question }}" ? {} : { prompt: question } };
}

function messageRow(drawer: Drawer, message: Value): JsonObject {
  const fields = settingsOf(message);
  const given = textIn(fields.get("role")) ?? "user";
  const role = given === "developer" ? "system" : /^(system|user|assistant)$/.test(given) ? given : "user";
  const content = fields.get("content") ?? message;
  const parts =
    content.kind === "list" ? content.items.map((item) => settingsOf(item).get("text") ?? noContent) : [content];
  const texts = parts.map((part) => templateOf(drawer, withReferences(drawer, part), "a message"));
  return { role, content: withoutTokens(texts.join("\n")) };
}

const noContent = literal("");

/** What an agent is run with, as the program writes it. */
export function readInput(value: Value | undefined): AgentInput {
  if (value?.kind === "history" || value?.kind === "messages") return { usesHistory: true, messages: [] };
  if (value?.kind === "operation" && value.operator === "plus") return joinInputs(value);
  if (value?.kind !== "list") return { usesHistory: false, messages: value ? [value] : [] };
  let usesHistory = false;
  const messages: Value[] = [];
  for (const item of value.items) {
    const inner = item.kind === "spread" ? item.value : item;
    if (item.kind !== "spread") messages.push(item);
    else if (inner.kind === "list") messages.push(...inner.items);
    else usesHistory = true;
  }
  return { usesHistory, messages };
}

/** `result.to_input_list() + [message]`; a sum of texts is a text. */
function joinInputs(sum: Value & { kind: "operation" }): AgentInput {
  const parts = sum.args.map(readInput);
  if (!parts.some(({ usesHistory }) => usesHistory)) return { usesHistory: false, messages: [sum] };
  return { usesHistory: true, messages: parts.flatMap(({ messages }) => messages) };
}

/** Looks up what an expression of a definition stands for outside of any function. */
export function outermostValue({ evaluator }: Drawer, name: string): Value | undefined {
  const constant = evaluator.program.constants.get(name);
  return constant && evaluate(evaluator, constant, evaluator.outermost);
}
