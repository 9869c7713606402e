import { type Json, type JsonObject, textOrEmpty, toJsonList, toJsonObject } from "@weft/schema";
import { toObjects } from "../agentflow-v2/index.ts";

/** A component as an export holds it. */
export type ClassicNode = {
  id: string;
  /** Name of the component, such as `llmChain`. */
  name: string;
  label: string;
  category: string;
  /** Values of its form and references to other components; `credential` is its own credential, where it has one. */
  inputs: JsonObject;
  /** The output that was chosen where there are several: `outputPrediction`, `retriever`, … */
  output: string;
  /** Names by which `overrideConfig` knows its inputs. */
  params: readonly string[];
  /** Labels of a condition's branches, by the edge's source handle. */
  outputs: readonly { handle: string; name: string; label: string }[];
};

export type ClassicEdge = { source: string; sourceHandle: string; target: string; targetHandle: string };

/** A reference `{{<id>.data.instance.<path>}}` to what a component became. */
export type ClassicReference = { node: ClassicNode; path: readonly string[] };

/** The wiring of a classic graph. Components on a cycle are never made and are not part of it. */
export type ClassicGraph = {
  /** By id, in the order in which they are made: each after those it uses. */
  readonly nodes: ReadonlyMap<string, ClassicNode>;
  readonly edges: readonly ClassicEdge[];
  /** Components that stand on a cycle. */
  readonly cyclic: readonly ClassicNode[];
  /** The component at an input; undefined when nothing is wired there. */
  source(node: ClassicNode, input: string): ClassicNode | undefined;
  /** The components at an input that takes several, each once. */
  sources(node: ClassicNode, input: string): ClassicNode[];
  /** Whether an edge alone wires the input: its value does not say so, as in flows that other tools wrote. */
  isOnlyDrawn(node: ClassicNode, input: string): boolean;
  /** Everything that is made before a component because it leads to it, by an edge or a reference. */
  before(node: ClassicNode): ClassicNode[];
  /** The reference between two braces; undefined if it does not name a component. */
  reference(inner: string): ClassicReference | undefined;
  /** Components that may answer: nothing uses them, and they are chains, agents or engines. The last one does. */
  readonly endings: readonly ClassicNode[];
};

/** Reads leniently: drops entries that are not components, and keeps the first of two with the same id. */
export function createClassicGraph(document: JsonObject): ClassicGraph {
  const all = new Map<string, ClassicNode>();
  for (const entry of toObjects(document.nodes)) {
    const node = toNode(entry);
    if (node && !all.has(node.id)) all.set(node.id, node);
  }
  const edges = toObjects(document.edges)
    .map(toEdge)
    .filter(({ source, target }) => all.has(source) && all.has(target));
  const wiredBefore = (node: ClassicNode, ids: readonly string[]) =>
    [...new Set(ids)].flatMap((id) => (id === node.id ? [] : (all.get(id) ?? [])));
  const incoming = Map.groupBy(edges, ({ target }) => target);
  const sourcesOf = new Map<string, ClassicNode[]>(
    [...all.values()].map((node): [string, ClassicNode[]] => {
      const byEdge = (incoming.get(node.id) ?? []).map(({ source }) => source);
      return [node.id, wiredBefore(node, [...byEdge, ...referencesIn(node.inputs)])];
    }),
  );
  orderVariables(sourcesOf, all);
  const nodes = sort(all, sourcesOf);
  const isMade = ({ id }: ClassicNode) => nodes.has(id);

  const named = (node: ClassicNode, input: string) =>
    [...new Set(wholeReferences(node.inputs[input]))].flatMap((id) => nodes.get(id) ?? []);

  function drawn(node: ClassicNode, input: string): ClassicNode[] {
    const handle = `${node.id}-input-${input}-`;
    const ids = (incoming.get(node.id) ?? []).filter(({ targetHandle }) => targetHandle.startsWith(handle));
    return wiredBefore(
      node,
      ids.map(({ source }) => source),
    ).filter(isMade);
  }

  function sources(node: ClassicNode, input: string): ClassicNode[] {
    const references = named(node, input);
    return references.length > 0 ? references : drawn(node, input);
  }

  return {
    nodes,
    edges,
    cyclic: [...all.values()].filter((node) => !isMade(node)),
    source: (node, input) => sources(node, input)[0],
    sources,
    isOnlyDrawn: (node, input) => named(node, input).length === 0 && drawn(node, input).length > 0,
    before: (node) => (sourcesOf.get(node.id) ?? []).filter(isMade),
    reference(inner) {
      const read = readReference(inner);
      const node = nodes.get(read?.id ?? "");
      return node && read && { node, path: read.path };
    },
    endings: findEndings([...nodes.values()], sourcesOf),
  };
}

/** Whether an edge leaves from that output of its component. */
export function leavesFrom({ source, sourceHandle }: ClassicEdge, output: string): boolean {
  return sourceHandle === output || sourceHandle.startsWith(`${source}-output-${output}-`);
}

const answering = new Set(["Chains", "Agents", "Engine"]);

function findEndings(
  nodes: readonly ClassicNode[],
  sourcesOf: ReadonlyMap<string, readonly ClassicNode[]>,
): ClassicNode[] {
  const used = new Set([...sourcesOf.values()].flat().map(({ id }) => id));
  const last = nodes.filter(({ id }) => !used.has(id));
  const endings = last.filter(({ name, category, output }) => {
    return answering.has(category) || (name === "customFunction" && output === "EndingNode");
  });
  return endings.length > 0 ? endings : last.filter(isStore);
}

/** Whether a component keeps passages: at the end of a chatflow that answers nothing, it is what an upsert fills. */
export function isStore({ category }: ClassicNode): boolean {
  return category === "Vector Stores";
}

/** A variable is read after it was set, whatever the edges say. */
function orderVariables(sourcesOf: Map<string, ClassicNode[]>, all: ReadonlyMap<string, ClassicNode>): void {
  const setters = Map.groupBy(
    [...all.values()].filter(({ name }) => name === "setVariable"),
    ({ inputs }) => inputs.variableName,
  );
  for (const { id, name, inputs } of all.values()) {
    if (name === "getVariable") sourcesOf.get(id)?.push(...(setters.get(inputs.variableName) ?? []));
  }
}

/** Components in the order in which they are made: breadth-first from those that use nothing. */
function sort(
  all: ReadonlyMap<string, ClassicNode>,
  sourcesOf: ReadonlyMap<string, readonly ClassicNode[]>,
): Map<string, ClassicNode> {
  const waits = new Map([...sourcesOf].map(([id, sources]) => [id, sources.length]));
  const users = new Map<string, string[]>();
  for (const [id, sources] of sourcesOf) {
    for (const source of sources) users.set(source.id, [...(users.get(source.id) ?? []), id]);
  }
  const ready = [...all.keys()].filter((id) => waits.get(id) === 0);
  const sorted = new Map<string, ClassicNode>();
  for (const id of ready) {
    const node = all.get(id);
    if (node) sorted.set(id, node);
    for (const user of users.get(id) ?? []) {
      const left = (waits.get(user) ?? 0) - 1;
      waits.set(user, left);
      if (left === 0) ready.push(user);
    }
  }
  return sorted;
}

/** Ids in references that are a whole value, alone or in lists. */
function wholeReferences(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(wholeReferences);
  const text = textOrEmpty(value).trim();
  const isWhole = text.startsWith("{{") && text.endsWith("}}");
  const read = isWhole ? readReference(text.slice(2, -2)) : undefined;
  return read === undefined ? [] : [read.id];
}

/** Ids in references anywhere in the values. */
function referencesIn(inputs: JsonObject): string[] {
  const inner = [...JSON.stringify(inputs).matchAll(/\{\{([^{}]*)\}\}/g)].map(([, text]) => text ?? "");
  return inner.flatMap((text) => readReference(text)?.id ?? []);
}

const instance = ".data.instance";

function readReference(inner: string): { id: string; path: string[] } | undefined {
  const text = inner.trim();
  const at = text.indexOf(instance);
  if (at <= 0) return undefined;
  const path = text.slice(at + instance.length).split(".");
  return path[0] === "" && !path.slice(1).includes("") ? { id: text.slice(0, at), path: path.slice(1) } : undefined;
}

function toNode(entry: JsonObject): ClassicNode | undefined {
  const data = toJsonObject(entry.data);
  const id = textOrEmpty(entry.id) || textOrEmpty(data.id);
  const name = textOrEmpty(data.name);
  if (id === "" || name === "") return undefined;
  const credential = textOrEmpty(data.credential);
  const inputs = toJsonObject(data.inputs);
  return {
    id,
    name,
    label: textOrEmpty(data.label) || name,
    category: textOrEmpty(data.category),
    inputs: credential === "" ? inputs : { ...inputs, credential },
    output: textOrEmpty(toJsonObject(data.outputs).output),
    params: toObjects(data.inputParams).map((param) => textOrEmpty(param.name)),
    outputs: toJsonList(data.outputAnchors).flatMap((anchor) =>
      toObjects(toJsonObject(anchor).options).map(({ id: handle, name: output, label }) => ({
        handle: textOrEmpty(handle),
        name: textOrEmpty(output),
        label: textOrEmpty(label),
      })),
    ),
  };
}

function toEdge(edge: JsonObject): ClassicEdge {
  return {
    source: textOrEmpty(edge.source),
    sourceHandle: textOrEmpty(edge.sourceHandle),
    target: textOrEmpty(edge.target),
    targetHandle: textOrEmpty(edge.targetHandle),
  };
}
