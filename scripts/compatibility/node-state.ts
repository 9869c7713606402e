import { integrations } from "@weft/integrations";
import { nodeRegistry } from "@weft/nodes";
import { providers } from "@weft/providers";
import { type Flow, isJsonObject, type Json, toJsonObject } from "@weft/schema";
import { readTracingServices } from "@weft/telemetry";
import { readFlow } from "../../packages/dialects/src/index.ts";
import { type FlowiseNode, flowWith } from "./flow-with.ts";

/** `choose`: works once a person has chosen what a finding names. `missing`: has no counterpart. */
export type State = "works" | "remark" | "choose" | "missing";

export type NodeState = { state: State; becomes: string; findings: readonly string[] };

/** Of the flow around a node, not of the node. */
const codesAround: ReadonlySet<string> = new Set(["model-missing", "memory-missing"]);
const ofNode: Readonly<Record<string, readonly string[]>> = {
  getVariable: ["variable-unset", "prompt-missing"],
  stickyNote: ["reference-unknown"],
};

/** What becomes of a node, read off a flow that uses it. */
export function stateOf(node: FlowiseNode): NodeState {
  if (node.category === "Analytic") return stateOfTracing(node.name);
  if (node.category === "SpeechToText") return { state: "works", becomes: "Speech-to-text of the agent", findings: [] };
  const { flow, findings } = readFlow(JSON.stringify(flowWith(node)));
  const own = findings.filter(({ code }) => !codesAround.has(code) && !ofNode[node.name]?.includes(code));
  const refused = own.filter(({ level }) => level === "error");
  const isMissing = refused.some(({ code, path }) => path === undefined && /unsupported|tool-chain/.test(code));
  const isUnknownModel = refused.some(({ code }) => code === "model-unsupported");
  const state =
    isMissing || isUnknownModel ? "missing" : refused.length > 0 ? "choose" : own.length > 0 ? "remark" : "works";
  return {
    state,
    becomes: state === "missing" ? "" : counterpartOf(node, flow),
    findings: [...new Set(own.map(({ message }) => message.replace(/^Node "[^"]*": /, "")))],
  };
}

/** Not wired in a flow, but set for an agent. */
function stateOfTracing(name: string): NodeState {
  const key = name.slice(0, 1).toLowerCase() + name.slice(1);
  const { chosen } = readTracingServices(JSON.stringify({ [key]: { status: true } }));
  if (chosen.length > 0) return { state: "works", becomes: "Traces of the agent", findings: [] };
  return { state: "missing", becomes: "", findings: ["Traces cannot be sent to this service. Choose another one."] };
}

const nodeTitles: ReadonlyMap<string, string> = new Map(
  Object.entries(nodeRegistry).map(([type, { title }]) => [type, title]),
);

function counterpartOf({ name, category }: FlowiseNode, { nodes }: Flow): string {
  const configs = nodes.map(({ config }) => config);
  switch (category) {
    case "Chat Models":
    case "LLMs":
      return `Model of ${providerTitle(find(configs, "model"))}`;
    case "Tools":
    case "Tools (MCP)":
      return toolTitle(configs);
    case "Memory":
      return "Memory of the step";
    case "Prompts":
      return "Messages of the step";
    case "Output Parsers":
      return "Structured output of the step";
    case "Cache":
      return "Left out: answers are not cached";
    case "Record Manager":
      return "Left out: a document store knows what it holds";
    case "Vector Stores":
    case "Document Loaders":
    case "Text Splitters":
    case "Embeddings":
      return "Document store";
    case "Retrievers":
      return "Search of a document store";
    default:
      return stepTitles(name, nodes);
  }
}

/** The steps that take its place, in their order, each once. */
function stepTitles(name: string, nodes: Flow["nodes"]): string {
  const own = nodes.filter(({ id }) => id === `${name}_0`);
  const steps = own.length > 0 && /Agentflow$|^seq/.test(name) ? own : nodes.filter(({ type }) => type !== "start");
  const types = (steps.length > 0 ? steps : nodes).map(({ type }) => type);
  return [...new Set(types)].map((type) => nodeTitles.get(type) ?? type).join(", ");
}

function providerTitle(model: Json | undefined): string {
  const name = toJsonObject(model).provider;
  return providers.find((provider) => provider.name === name)?.title ?? "the installation's default";
}

function toolTitle(configs: readonly Json[]): string {
  const tools = find(configs, "tools");
  const [tool] = Array.isArray(tools) ? tools : [];
  const { type } = toJsonObject(tool);
  const known = Object.entries(integrations).find(([name]) => name === type)?.[1].title;
  if (known !== undefined) return known;
  return find(configs, "knowledge") === undefined ? "" : "Knowledge of the agent";
}

/** The first value under a key that is not empty. */
function find(configs: readonly Json[], key: string): Json | undefined {
  return configs
    .map((config) => (isJsonObject(config) ? config[key] : undefined))
    .find((value) => value !== undefined && (!Array.isArray(value) || value.length > 0));
}
