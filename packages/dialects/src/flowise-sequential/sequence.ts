import { type Json, type JsonObject, parseJson, textOrEmpty, toJsonObject } from "@weft/schema";
import { toObjects } from "../agentflow-v2/index.ts";
import { type ClassicGraph, type ClassicNode, type Conversion, createClassicGraph } from "../flowise-classic/index.ts";

/** A way from one step to the next; of a branch, by the handle that it leaves from. */
export type Wire = { source: string; handle: string; target: string };

/** The steps of a sequential graph, and the ways between them. */
export type Sequence = {
  /** Components and their wiring. A text that names another step does not wire it: that step may come later, or loop. */
  readonly graph: ClassicGraph;
  /** The first start; undefined when there is none. */
  readonly start: ClassicNode | undefined;
  /** The steps reachable from the start, in order. */
  readonly steps: readonly ClassicNode[];
  readonly from: (node: ClassicNode) => readonly Wire[];
  readonly to: (node: ClassicNode) => readonly Wire[];
};

/** Inputs through which a step follows another. */
const ways = ["sequentialNode", "llmNode"];

/** Inputs that wire components. What refers to a step in any other input means its last message. */
const wiring = new Set([...ways, "model", "tools", "agentMemory", "state", "inputModeration", "supervisor"]);

export function createSequence(document: JsonObject): Sequence {
  const graph = createTeamGraph(document);
  const wires = [...graph.nodes.values()].flatMap((node) => wiresTo(node, graph));
  const from = Map.groupBy(wires, ({ source }) => source);
  const to = Map.groupBy(wires, ({ target }) => target);
  const start = [...graph.nodes.values()].find(({ name }) => name === "seqStart");
  const reached = new Set<string>(start === undefined ? [] : [start.id]);
  // Sorted, so that a step comes behind everything that leads to it.
  for (const { id } of graph.nodes.values()) {
    if ((to.get(id) ?? []).some(({ source }) => reached.has(source))) reached.add(id);
  }
  return {
    graph,
    start,
    steps: [...graph.nodes.values()].filter((node) => node !== start && reached.has(node.id)),
    from: ({ id }) => from.get(id) ?? [],
    to: ({ id }) => (to.get(id) ?? []).filter(({ source }) => reached.has(source)),
  };
}

/** The graph of a team of agents, where texts do not wire its members: what they name of them is their last message. */
function createTeamGraph(document: JsonObject): ClassicGraph {
  const nodes = toObjects(document.nodes);
  const members = new Set(nodes.filter(isMember).map(({ id }) => id));
  const edges = toObjects(document.edges).filter((edge) => !members.has(edge.target ?? null) || isWiring(edge));
  const graph = createClassicGraph({ ...document, nodes: nodes.map((node) => withPlainTexts(node, members)), edges });
  return { ...graph, reference: (inner) => graph.reference(inner.replace(named, instance)) };
}

const instance = ".data.instance";
const named = ".data.message";
const toInstance = /\{\{([^{}.]*)\.data\.instance/g;

const categories = new Set<Json | undefined>(["Sequential Agents", "Multi Agents"]);

function isMember(entry: JsonObject): boolean {
  return categories.has(toJsonObject(entry.data).category);
}

function isWiring({ target, targetHandle }: JsonObject): boolean {
  const [input = ""] = textOrEmpty(targetHandle)
    .slice(`${textOrEmpty(target)}-input-`.length)
    .split("-", 1);
  return wiring.has(input);
}

function withPlainTexts(entry: JsonObject, members: ReadonlySet<Json | undefined>): JsonObject {
  if (!isMember(entry)) return entry;
  const data = toJsonObject(entry.data);
  const rename = (whole: string, id: string) => (members.has(id.trim()) ? `{{${id}${named}` : whole);
  const inputs = Object.entries(toJsonObject(data.inputs)).map(([key, value]) => {
    const plain = wiring.has(key) ? value : parseJson(JSON.stringify(value).replaceAll(toInstance, rename));
    return [key, plain ?? value] as const;
  });
  return { ...entry, data: { ...data, inputs: Object.fromEntries(inputs) } };
}

/** The ways to a step: its edges, and what its input names without an edge. */
function wiresTo(node: ClassicNode, graph: ClassicGraph): Wire[] {
  const edges = graph.edges.filter(
    ({ source, target, targetHandle }) =>
      target === node.id &&
      source !== target &&
      graph.nodes.has(source) &&
      ways.some((input) => targetHandle.startsWith(`${node.id}-input-${input}-`)),
  );
  const drawn = edges.map(({ source, sourceHandle: handle, target }) => ({ source, handle, target }));
  const sources = new Set(drawn.map(({ source }) => source));
  const named = ways
    .flatMap((input) => graph.sources(node, input))
    .filter(({ id }) => id !== node.id && !sources.has(id));
  return [...drawn, ...named.map(({ id }) => ({ source: id, handle: "", target: node.id }))];
}

/** Inputs that give a step its name. */
export const nameInputs = [
  "agentName",
  "llmNodeName",
  "toolNodeName",
  "conditionName",
  "conditionAgentName",
  "functionName",
  "seqExecuteFlowName",
  "supervisorName",
  "workerName",
];

/** The name of a step, or else of its component. */
export function titleOf({ inputs, label }: ClassicNode): string {
  const own = nameInputs.map((input) => inputs[input]).find((name) => typeof name === "string" && name.trim() !== "");
  return typeof own === "string" ? own.trim() : label;
}

/** A name as loops and models know it. */
export function toPlainName(title: string): string {
  return title.trim().toLowerCase().replaceAll(/\s+/g, "_");
}

/** Components that are neither steps nor used by any. */
export function leftOf({ graph, read }: Conversion, steps: readonly ClassicNode[]): ClassicNode[] {
  const isUsed = (node: ClassicNode) => node.name === "stickyNote" || steps.includes(node) || read.has(node.id);
  return [...graph.nodes.values()].filter((node) => !isUsed(node));
}
