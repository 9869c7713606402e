import { type CompiledFlow, type GraphNode, toFinding } from "@weft/engine";
import type { NodeProblem } from "@weft/engine/node";
import type { ModelReference, ModelResolver } from "@weft/engine/ports/chat-model";
import type { Tool, ToolReference, ToolResolver } from "@weft/engine/ports/tool";
import { type IntegrationRegistry, reviewTool, type StoredTools } from "@weft/integrations";
import {
  type Finding,
  type Flow,
  type FlowNode,
  isJsonObject,
  type Json,
  keyOfOwnStore,
  type ModelParameterName,
  type ModelParameters,
  WeftError,
} from "@weft/schema";

export type NeedsDeps = {
  integrations: IntegrationRegistry;
  storedTools: StoredTools;
  known: KnownReferences;
  /** As runs use them. Absent: only the settings are looked at. */
  services?: {
    models: ModelResolver;
    tools: ToolResolver;
    readCredential(id: string): Promise<Record<string, string>>;
  };
};

/**
 * Finds what nodes ask of the platform and would not get: each model and each tool is resolved as a run does it, but no
 * other server is asked and nothing is called. What does not exist at all is told by `checkReferences`.
 */
export async function checkNeeds({ graph }: CompiledFlow, deps: NeedsDeps): Promise<Finding[]> {
  const found = [...graph.nodes.values()].map(async (node) => (await problemsOf(node, deps)).map(toFinding(node)));
  return (await Promise.all(found)).flat();
}

type Placed<T> = { path: string; reference: T };
type NamedTool = { path: string; name: string };

async function problemsOf({ type, config }: GraphNode, deps: NeedsDeps): Promise<NodeProblem[]> {
  const { models = [], tools = [], toolNames = [] } = type.uses(config);
  const ofModels = await Promise.all(models.map((model) => checkModel(model, deps)));
  const ofTools = await Promise.all(tools.map((tool) => checkTool(tool, deps)));
  const names = [...ofTools.flatMap((checked) => checked.names), ...toolNames];
  return [...ofModels.flat(), ...ofTools.flatMap(({ problems }) => problems), ...collisionsOf(names)];
}

type UsedModel = Placed<ModelReference> & { parameters?: ModelParameters };

async function checkModel({ path, reference, parameters = {} }: UsedModel, deps: NeedsDeps): Promise<NodeProblem[]> {
  if (!deps.services || (await isMissingSomething({ ...reference }, deps.known))) return [];
  try {
    const model = await deps.services.models.resolve(reference);
    return (model.unsent?.(parameters) ?? []).map((name) => ({
      level: "warning",
      code: "model-parameter-unused",
      path: `${path}.${name}`,
      message: `The model ${model.id.slice(0, 100)} takes no ${parameterWords[name]} with these settings, so it is not sent. Remove it, or choose another model.`,
    }));
  } catch (cause) {
    if (!(cause instanceof WeftError)) throw cause;
    return [{ level: "error", code: cause.code, path, message: cause.message }];
  }
}

const parameterWords: Readonly<Record<ModelParameterName, string>> = {
  temperature: "temperature",
  maxTokens: "limit of its answer",
  reasoning: "reasoning effort",
  thinkingTokens: "thinking budget",
  topP: "top P",
  topK: "top K",
  frequencyPenalty: "frequency penalty",
  presencePenalty: "presence penalty",
  seed: "seed",
  stop: "stop texts",
  contextTokens: "context size",
};

type CheckedTool = { problems: NodeProblem[]; names: NamedTool[] };

async function checkTool({ path, reference }: Placed<ToolReference>, deps: NeedsDeps): Promise<CheckedTool> {
  const { problems, isBuildable } = await reviewTool(deps.integrations, reference, deps.storedTools);
  const placed = problems.map((problem) => under(path, problem));
  const mayBuild = isBuildable && !(await isMissingSomething(reference.config, deps.known));
  if (!deps.services || !mayBuild) return { problems: placed, names: [] };
  const built = await build(reference, deps.services);
  if (typeof built !== "string") return { problems: placed, names: built.map(({ name }) => ({ path, name })) };
  return { problems: [...placed, { level: "error", code: "tool-invalid", path, message: built }], names: [] };
}

/** The tools, or why there are none. */
async function build(reference: ToolReference, services: NonNullable<NeedsDeps["services"]>): Promise<Tool[] | string> {
  const { readCredential, tools } = services;
  const http = { request: () => Promise.reject(new Error("A check calls nobody.")) };
  try {
    return await tools.resolve(reference, { readCredential, http, render, signal: AbortSignal.timeout(checkMs) });
  } catch (cause) {
    if (cause instanceof WeftError && cause.code === "tool-invalid") return cause.message;
    return [];
  }
}

const checkMs = 10_000;

/** Templates have no values yet: any will do, and an address that one begins is an address. */
function render(text: string, place?: "text" | "url"): string {
  const begun = place === "url" ? text.replace(/^\s*\{\{[^{}]*\}\}/, "https://known.invalid") : text;
  return begun.replaceAll(/\{\{[^{}]*\}\}/g, "x");
}

async function isMissingSomething(config: unknown, known: KnownReferences): Promise<boolean> {
  const node = { id: "", config } as FlowNode;
  return (await checkReferences({ nodes: [node] }, known)).length > 0;
}

/** A model must tell its tools apart, so a run refuses two of one name. */
function collisionsOf(tools: readonly NamedTool[]): NodeProblem[] {
  const taken = new Set<string>();
  return tools.flatMap(({ path, name }) => {
    if (!taken.has(name)) {
      taken.add(name);
      return [];
    }
    const message = `Two of its tools are named ${name}, so a model cannot tell them apart. Rename one.`;
    return [{ level: "error" as const, code: "tool-name-taken", path, message }];
  });
}

function under(path: string, { fix, ...problem }: NodeProblem): NodeProblem {
  const place = problem.path === undefined ? path : `${path}.${problem.path}`;
  return { ...problem, path: place, ...(fix && { fix: { ...fix, path: `${path}.${fix.path}` } }) };
}

/** Whether there is such a thing. What has no entry is not checked. */
type KnownReferences = Partial<Record<ReferenceKind, (id: string) => Promise<boolean>>>;

/** The same, plus the resources to treat as present. */
export function assuming(known: KnownReferences, isAssumed: (id: string) => boolean): KnownReferences {
  const entries = Object.entries(known).map(([kind, exists]) => [
    kind,
    async (id: string) => isAssumed(id) || exists(id),
  ]);
  return Object.fromEntries(entries);
}

/** A finding for each thing that a flow names and that does not exist: the step that needs it would fail. */
export async function checkReferences(flow: { nodes: Flow["nodes"] }, known: KnownReferences): Promise<Finding[]> {
  const findings = referencesOf(flow).map(async (reference) => {
    const exists = known[reference.kind];
    return exists === undefined || (await exists(reference.id)) ? [] : [toMissing(reference)];
  });
  return (await Promise.all(findings)).flat();
}

const words: Readonly<Record<ReferenceKind, (id: string) => string>> = {
  credential: (id) => `Its credential ${id} does not exist. Choose another one, or create it.`,
  tool: (id) => `Its tool ${id} does not exist. Choose another one, or remove it.`,
  agent: (id) => `The agent ${id} that it calls does not exist. Choose another one.`,
  "document-store": (id) => `Its document store ${id} does not exist. Choose another one, or remove it.`,
  "mcp-server": (id) =>
    `The operator has set up no MCP server with the name ${id}. Choose another one, or add it to MCP_SERVERS.`,
};

function toMissing({ kind, id, nodeId, path }: FlowReference): Finding {
  return { level: "error", code: `${kind}-missing`, nodeId, path, message: words[kind](id.slice(0, 100)) };
}

/** What a flow refers to by id, or by name. */
const referenceKinds = ["credential", "tool", "agent", "document-store", "mcp-server"] as const;
type ReferenceKind = (typeof referenceKinds)[number];

/** `path` is where a node names it first. */
type FlowReference = { kind: ReferenceKind; id: string; nodeId: string; path: string };

/** Settings that hold ids, by name. Every setting with a widget for such a thing is among them. */
export const kindsBySetting: Readonly<Record<string, ReferenceKind>> = {
  credential: "credential",
  callbackCredential: "credential",
  toolId: "tool",
  toolIds: "tool",
  agentId: "agent",
  storeId: "document-store",
};

/** Settings whose keys are somebody else's words. */
const foreign = new Set(["headers", "parameters", "query", "body", "overrides", "arguments"]);

/** What a flow's nodes refer to, each thing once a node. Templates, which are known at run time only, are left out. */
export function referencesOf({ nodes }: { nodes: Flow["nodes"] }): FlowReference[] {
  return nodes.flatMap(({ id: nodeId, config }) => {
    const found = new Map<string, FlowReference>();
    for (const [kind, id, path] of collect(config, [])) {
      const key = `${kind} ${id}`;
      if (id !== "" && !id.includes("{{") && !found.has(key))
        found.set(key, { kind, id, nodeId, path: path.join(".") });
    }
    return [...found.values()];
  });
}

type Path = readonly string[];
type Found = readonly [kind: ReferenceKind, id: string, path: Path];

function collect(value: Json, path: Path): Found[] {
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap((entry, index) => collect(entry, [...path, String(index)]));
  const inner = Object.entries(value).flatMap(([name, setting]) => collectSetting(name, setting, path));
  return [...inner, ...mcpServerOf(value, path)];
}

function collectSetting(name: string, setting: Json, around: Path): Found[] {
  if (foreign.has(name)) return [];
  const path = [...around, name];
  const kind = Object.hasOwn(kindsBySetting, name) ? kindsBySetting[name] : undefined;
  if (kind === undefined) return collect(setting, path);
  const ids = Array.isArray(setting) ? setting : [setting];
  // An agent's own stores are made with the agent.
  const isNamed = (id: Json) => typeof id === "string" && keyOfOwnStore(id) === undefined;
  return ids.flatMap((id) => (isNamed(id) ? [[kind, String(id), path] as const] : []));
}

/** The name of a local server, where a tool is one. */
function mcpServerOf({ type, config }: { [name: string]: Json }, path: Path): Found[] {
  if (type !== "mcp-server" || !isJsonObject(config)) return [];
  return typeof config.server === "string" ? [["mcp-server", config.server, [...path, "config", "server"]]] : [];
}
