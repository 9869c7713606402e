import type { NodeRegistry, NodeType } from "@weft/engine/node";
import { templateRoots } from "@weft/engine/template";
import {
  errorPort,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  isJsonObject,
  type Json,
  type JsonObject,
  removedSecret,
  toJsonObject,
} from "@weft/schema";
import { placeSteps } from "./place-steps.ts";

/** An edit that was not made, with a sentence that tells its author what to do instead. */
export class EditRefused extends Error {}

type End = { step: string; port?: string | undefined };
type Leading = { step: string; port: string };

type NewStep = {
  /** Default: made from the label. */
  id?: string | undefined;
  type: string;
  label: string;
  config: JsonObject;
  /** The step, and the port of it, that leads to the new one. */
  after?: End | undefined;
  /** The step whose sub-flow it belongs to. */
  inside?: string | undefined;
};

/**
 * A flow under construction. Every edit is checked against the node types before it is made, so that the flow is one
 * the builder can open at any time; those that cannot be made throw `EditRefused`.
 */
export type FlowEdits = {
  flow(): FlowDocument;
  labelOf(step: string): string;
  /** Adds a step; answers with its id. */
  add(step: NewStep): string;
  /** Sets values at dotted paths of a step's settings; null removes one. */
  set(step: string, fields: JsonObject): void;
  rename(step: string, label: string): void;
  /** Removes a step with the steps inside it and its edges. */
  remove(step: string): void;
  connect(from: End, to: string): void;
  disconnect(from: End, to: string): void;
};

const mostSteps = 200;
const mostEdges = 600;
const mostLabelCharacters = 120;
/** Of the settings of one step, as JSON. */
const mostConfigCharacters = 200_000;

/** @param starting The flow to change. Its steps keep their ids and places. */
export function createFlowEdits(registry: NodeRegistry, starting: FlowDocument): FlowEdits {
  const nodes = new Map(starting.nodes.map((node) => [node.id, node]));
  const { nodeAt, typeAt, assertTakesSteps, isStart, portsAt, portOf } = createLookup(registry, nodes);
  let edges: readonly FlowEdge[] = starting.edges;

  /** Whether edges lead from one step to the other. */
  function leadsTo(from: string, to: string): boolean {
    const seen = new Set([from]);
    for (const id of seen) {
      if (id === to) return true;
      for (const { source, target } of edges) if (source === id) seen.add(target);
    }
    return false;
  }

  /** The end of an edge into a new step. */
  function leadingFrom(end: End, inside: string | undefined): Leading {
    assertSameLevel(nodeAt(end.step).parent, inside);
    return { step: end.step, port: portOf(end) };
  }

  return {
    labelOf: (step) => nodeAt(step).label,

    flow: () => ({ ...starting, nodes: placeSteps([...nodes.values()], edges, starting.nodes), edges: [...edges] }),

    add({ id: chosen, type: name, label, config, after, inside }) {
      if (nodes.size >= mostSteps) throw new EditRefused(`A draft has at most ${mostSteps} steps.`);
      const type = typeAt(name);
      if (type.group === "start" && [...nodes.values()].some(isStart)) {
        throw new EditRefused("The flow has its start step. Change that one with set_fields.");
      }
      checkConfig(type, config);
      if (inside !== undefined) assertTakesSteps(nodeAt(inside));
      const leading = after && leadingFrom(after, inside);
      const shown = shorten(label.trim() || type.title);
      const id = newId(chosen ?? shown.toLowerCase(), nodes);
      const node = { id, type: name, version: type.version, label: shown, position: { x: 0, y: 0 }, config };
      nodes.set(id, inside === undefined ? node : { ...node, parent: inside });
      if (leading !== undefined) edges = [...edges, toEdge(leading.step, leading.port, id)];
      return id;
    },

    set(step, fields) {
      const node = nodeAt(step);
      const config = Object.entries(fields).reduce(withField, node.config);
      checkConfig(typeAt(node.type), config, fields);
      nodes.set(step, { ...node, config });
      const ports = portsAt({ ...node, config });
      edges = edges.filter(({ source, sourcePort }) => source !== step || ports.includes(sourcePort));
    },

    rename(step, label) {
      nodes.set(step, { ...nodeAt(step), label: shorten(label.trim()) });
    },

    remove(step) {
      if (isStart(nodeAt(step))) throw new EditRefused("A flow needs its start step.");
      const gone = new Set([step]);
      for (const id of gone) for (const { id: child, parent } of nodes.values()) if (parent === id) gone.add(child);
      for (const id of gone) nodes.delete(id);
      edges = edges.filter(({ source, target }) => !gone.has(source) && !gone.has(target));
    },

    connect(from, to) {
      const port = portOf(from);
      const target = nodeAt(to);
      if (isStart(target)) throw new EditRefused("Nothing leads to the start step.");
      assertSameLevel(nodeAt(from.step).parent, target.parent);
      if (leadsTo(to, from.step))
        throw new EditRefused("That would be a circle. To go back, add a step of the kind loop.");
      if (edges.some((edge) => isBetween(edge, { step: from.step, port }, to))) return;
      if (edges.length >= mostEdges) throw new EditRefused(`A draft has at most ${mostEdges} connections.`);
      edges = [...edges, toEdge(from.step, port, to)];
    },

    disconnect(from, to) {
      const kept = edges.filter((edge) => !isBetween(edge, from, to));
      if (kept.length === edges.length)
        throw new EditRefused(`No connection leads from ${show(from.step)} to ${show(to)}.`);
      edges = kept;
    },
  };
}

/** The steps and their kinds, with refusals for what is not there. */
function createLookup(registry: NodeRegistry, nodes: ReadonlyMap<string, FlowNode>) {
  function nodeAt(id: string): FlowNode {
    const node = nodes.get(id);
    if (node === undefined)
      throw new EditRefused(`There is no step ${show(id)}. The steps are: ${listed(nodes.keys())}.`);
    return node;
  }

  function typeAt(name: string): NodeType {
    const type = Object.hasOwn(registry, name) ? registry[name] : undefined;
    if (type !== undefined) return type;
    throw new EditRefused(`There is no kind of step ${show(name)}. The kinds are: ${listed(Object.keys(registry))}.`);
  }

  function assertTakesSteps({ id, type }: FlowNode): void {
    if (!typeAt(type).hasSubFlow) throw new EditRefused(`The step ${show(id)} takes no steps inside it.`);
  }

  function isStart({ type }: FlowNode): boolean {
    return Object.hasOwn(registry, type) && registry[type]?.group === "start";
  }

  /** Those that its settings give it, and the one for errors, last. */
  function portsAt({ type, config }: FlowNode): string[] {
    const { ports, config: schema } = typeAt(type);
    // Defaults count: they may give it ports.
    return [...ports(schema.safeParse(config).data ?? config).map(({ id }) => id), errorPort];
  }

  /** The port that is meant: the only one of the step where none is named. */
  function portOf({ step, port }: End): string {
    const ports = portsAt(nodeAt(step));
    const meant = port ?? (ports.length === 2 ? ports[0] : undefined);
    if (meant === undefined) throw new EditRefused(`Name the port of the step ${show(step)}: ${listed(ports)}.`);
    if (!ports.includes(meant)) {
      throw new EditRefused(`The step ${show(step)} has no port ${show(meant)}. It has: ${listed(ports)}.`);
    }
    return meant;
  }

  return { nodeAt, typeAt, assertTakesSteps, isStart, portsAt, portOf };
}

/** `written`: the part of the settings that the author of the edit wrote. */
function checkConfig(type: NodeType, config: JsonObject, written: JsonObject = config): void {
  if (JSON.stringify(written).includes(removedSecret)) {
    throw new EditRefused(
      `${removedSecret} stands for a secret that you cannot see. Leave that setting as it is, or choose a credential.`,
    );
  }
  if (JSON.stringify(config).length > mostConfigCharacters) {
    throw new EditRefused(`The settings are longer than ${mostConfigCharacters} characters.`);
  }
  const { success, error } = type.config.safeParse(config);
  if (success) return;
  const problems = error.issues.slice(0, 5).map(({ path, message }) => `${path.join(".") || "settings"}: ${message}`);
  throw new EditRefused(
    `The settings do not fit a step of the kind ${type.type}: ${problems.join("; ")}. See describe_steps.`,
  );
}

function assertSameLevel(one: string | undefined, other: string | undefined): void {
  if (one === other) return;
  throw new EditRefused("Steps of a sub-flow and steps outside it are not connected with each other.");
}

function isBetween({ source, sourcePort, target }: FlowEdge, { step, port }: End, to: string): boolean {
  return source === step && target === to && (port === undefined || port === sourcePort);
}

function toEdge(source: string, sourcePort: string, target: string): FlowEdge {
  return { id: `${source}-${sourcePort}-${target}`.slice(0, 400), source, sourcePort, target };
}

const deepestPath = 20;

function withField(config: JsonObject, [path, value]: [string, Json]): JsonObject {
  const names = path.split(".", deepestPath + 1);
  if (names.length > deepestPath || names.includes("__proto__")) {
    throw new EditRefused(`There is no setting ${show(path)}.`);
  }
  return toJsonObject(setAt(config, names, value));
}

/** `value` at a path; lists and objects on the way are made where they are missing. Null removes. */
function setAt(at: Json | undefined, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value;
  const isRemoved = rest.length === 0 && value === null;
  if (at === undefined && /^\d+$/.test(name)) return setAt([], [name, ...rest], value);
  if (Array.isArray(at)) {
    const index = Number(name);
    if (!Number.isInteger(index) || index < 0 || index > at.length) {
      throw new EditRefused(`A list of ${at.length} entries has no place ${show(name)}.`);
    }
    return isRemoved ? at.toSpliced(index, 1) : at.toSpliced(index, 1, setAt(at[index], rest, value));
  }
  const { [name]: inner, ...others } = isJsonObject(at) ? at : {};
  return isRemoved ? others : { ...others, [name]: setAt(inner, rest, value) };
}

/** An id that templates can name: the letters and digits of a text, with a number if it is taken. */
function newId(text: string, taken: { has(id: string): boolean }): string {
  const words = text.normalize("NFKD").match(/[A-Za-z0-9]+/g) ?? ["step"];
  const stem = words.join("_").slice(0, 40);
  const isFree = (id: string) => !taken.has(id) && !reserved.has(id);
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem : `${stem}_${number}`;
    if (isFree(id)) return id;
  }
}

/** A step of such a name could not be read. */
const reserved = new Set<string>(templateRoots);

function shorten(label: string): string {
  return label.slice(0, mostLabelCharacters);
}

/** A name that someone made up, in a sentence. */
function show(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

function listed(names: Iterable<string>): string {
  return [...names].slice(0, 60).join(", ");
}
