import {
  type CompiledFlow,
  type GraphNode,
  type Reference,
  reachableFrom,
  referencesOf,
  reviewNodes,
  toFinding,
} from "@weft/engine";
import type { NodeProblem, NodeUses } from "@weft/engine/node";
import type { ModelReference, ModelResolver } from "@weft/engine/ports/chat-model";
import type { Tool, ToolReference, ToolResolver } from "@weft/engine/ports/tool";
import { type IntegrationRegistry, reviewSettings, reviewTool, type StoredTools } from "@weft/integrations";
import { type Finding, isJsonObject, type ModelParameterName, type ModelParameters, WeftError } from "@weft/schema";
import { findComponent, isKnown, type KnownReferences, type ReferredThing } from "../references/index.ts";

export type NeedsDeps = {
  integrations: IntegrationRegistry;
  storedTools: StoredTools;
  known: KnownReferences;
  /** As runs use them. Absent: only the settings are checked. */
  services?: {
    models: ModelResolver;
    tools: ToolResolver;
    readCredential(id: string): Promise<Record<string, string>>;
  };
};

/**
 * Finds platform resources that nodes would not get: each model and each tool is resolved as in a run, but no other
 * server is contacted and nothing is called. `checkReferences` reports what does not exist at all.
 */
export async function checkNeeds({ graph }: CompiledFlow, deps: NeedsDeps): Promise<Finding[]> {
  const found = [...graph.nodes.values()].map(async (node) => (await problemsOf(node, deps)).map(toFinding(node)));
  return (await Promise.all(found)).flat();
}

/**
 * Errors that reject runs of a flow besides those of its compilation: reachable steps, and their tools, whose settings
 * fail whatever the platform has. Earlier steps may have written by the time they fail.
 */
export function findStopping({ graph }: CompiledFlow, registry: IntegrationRegistry): Finding[] {
  const nodes = reachedNodes(graph);
  const ofTools = [...nodes.values()].flatMap((node) => toolProblemsOf(node, registry).map(toFinding(node)));
  return [...reviewNodes({ ...graph, nodes }), ...ofTools].filter(({ level }) => level === "error");
}

function toolProblemsOf({ type, config }: GraphNode, registry: IntegrationRegistry) {
  const { tools = [] } = type.uses(config);
  return tools.flatMap(({ path, reference }) =>
    reviewSettings(registry, reference).problems.map((problem) => ({ ...problem, path })),
  );
}

/** The nodes reachable by edges, at the top and in the sub-flows of such nodes. */
function reachedNodes(graph: CompiledFlow["graph"], parent = ""): Map<string, GraphNode> {
  const level = graph.levels.get(parent);
  if (level === undefined) return new Map();
  const ids = new Set(level.roots.flatMap((root) => [...reachableFrom(level, root)]));
  const here = [...ids].flatMap((id) => graph.nodes.get(id) ?? []);
  return new Map([
    ...here.map((node) => [node.id, node] as const),
    ...here.flatMap(({ id }) => [...reachedNodes(graph, id)]),
  ]);
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
  if (!deps.services || (await isMissing(credentialOf(reference), deps.known))) return [];
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

type UsedTool = NonNullable<NodeUses["tools"]>[number];

async function checkTool(used: UsedTool, deps: NeedsDeps): Promise<CheckedTool> {
  const { path, reference } = used;
  const { problems, isBuildable } = await reviewTool(deps.integrations, reference, deps.storedTools);
  const placed = problems.map((problem) => under(path, problem));
  const mayBuild = isBuildable && !(await isMissing(referencesOfTool(reference), deps.known));
  if (!deps.services || !mayBuild) return { problems: placed, names: [] };
  const built = await build(reference, deps.services);
  if (typeof built !== "string") {
    const names = built.map(({ name }) => ({ path, name }));
    return { problems: [...placed, ...unknownArguments(built, used)], names };
  }
  return { problems: [...placed, { level: "error", code: "tool-invalid", path, message: built }], names: [] };
}

/** Their calls reject arguments that the schema does not name. */
const refusing = /^(request-\w+|openapi-toolkit)$/;

/** Arguments that a step fixes and its tool rejects: the call would fail after earlier steps had written. */
function unknownArguments(tools: readonly Tool[], { reference, toolArguments: given }: UsedTool): NodeProblem[] {
  const [tool, ...others] = tools.filter(({ name }) => !given?.toolName || name === given.toolName);
  if (tool === undefined || given === undefined || others.length > 0) return [];
  const { properties, additionalProperties } = tool.parameters;
  const isStrict =
    additionalProperties === false || (additionalProperties === undefined && refusing.test(reference.type));
  if (!isStrict || !isJsonObject(properties)) return [];
  const known = Object.keys(properties).slice(0, 20).join(", ") || "none";
  return given.names
    .filter(({ name }) => !Object.hasOwn(properties, name))
    .map(({ path, name }) => ({
      level: "error",
      code: "tool-argument-unknown",
      path,
      message: `Its tool ${tool.name} takes no argument ${name.slice(0, 100)}. It takes: ${known}. Remove it, or correct its name.`,
    }));
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

/** Templates have no values yet: any will do, and a template at the start of an address stands for an address. */
function render(text: string, place?: "text" | "url"): string {
  const begun = place === "url" ? text.replace(/^\s*\{\{[^{}]*\}\}/, "https://known.invalid") : text;
  return begun.replaceAll(/\{\{[^{}]*\}\}/g, "x");
}

async function isMissing(references: readonly ReferredThing[], known: KnownReferences): Promise<boolean> {
  const exist = await Promise.all(references.map((reference) => isKnown(reference, known)));
  return exist.includes(false);
}

function credentialOf({ credential = "" }: ModelReference): ReferredThing[] {
  return credential === "" ? [] : [{ kind: "credential", id: credential }];
}

function referencesOfTool({ type, config }: ToolReference): Reference[] {
  const tool = findComponent("tool", type, config);
  return tool === undefined ? [] : referencesOf(tool.config, { ...tool, component: type }, findComponent);
}

/** A model must tell its tools apart, so a run rejects two with the same name. */
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
