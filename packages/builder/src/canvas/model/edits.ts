import type { NodeType } from "@weft/client";
import type { FlowEdge, FlowNode, Json, JsonObject, Refusal } from "@weft/schema";
import { absolutePosition, type Point, type Size } from "./box.ts";
import type { Connection } from "./connection-rules.ts";
import { type FlowModel, withDescendants } from "./flow-model.ts";
import type { NodeCatalogue } from "./node-catalogue.ts";

// Each function returns the changes of one edit, which FlowEditor.edit applies.

export function addElements(nodes: readonly FlowNode[], edges: readonly FlowEdge[] = []): Change[] {
  return [
    ...nodes.map((node) => ({ kind: "node" as const, id: node.id, before: undefined, after: node })),
    ...edges.map((edge) => ({ kind: "edge" as const, id: edge.id, before: undefined, after: edge })),
  ];
}

/** Removes nodes with their descendants and their edges, and separate edges. */
export function removeElements(model: FlowModel, nodeIds: Iterable<string>, edgeIds: Iterable<string> = []): Change[] {
  const nodes = withDescendants(model, nodeIds);
  const chosen = new Set(edgeIds);
  const edges = [...model.edges.values()].filter(
    ({ id, source, target }) => chosen.has(id) || nodes.has(source) || nodes.has(target),
  );
  return [...edges.map(removeEdge), ...[...nodes].flatMap((id) => replaceNode(model, id, () => undefined))];
}

/** Positions are relative to the parent node, as everywhere. */
export function moveNodes(model: FlowModel, positions: ReadonlyMap<string, Point>): Change[] {
  return [...positions].flatMap(([id, position]) =>
    replaceNode(model, id, (node) =>
      node.position.x === position.x && node.position.y === position.y ? node : { ...node, position },
    ),
  );
}

export function resizeNode(model: FlowModel, id: string, box: Point & Size): Change[] {
  const { x, y, width, height } = box;
  return replaceNode(model, id, (node) => ({ ...node, position: { x, y }, size: { width, height } }));
}

export function labelNode(model: FlowModel, id: string, label: string): Change[] {
  return replaceNode(model, id, (node) => (node.label === label ? node : { ...node, label }));
}

/** Dismisses a part that an import could not carry over to a step. */
export function dismissRefusal(model: FlowModel, id: string, done: Refusal): Change[] {
  return replaceNode(model, id, ({ refused = [], ...node }) => {
    const left = refused.filter(({ code, message }) => code !== done.code || message !== done.message);
    return left.length === 0 ? node : { ...node, refused: left };
  });
}

/** Sets one value of a config, at a dotted path. Does not create missing lists and objects on the way. */
export function withValueAt(config: JsonObject, path: string, value: Json): JsonObject {
  const [name = "", ...rest] = path.split(".");
  return { ...config, [name]: setAt(config[name], rest, value) };
}

function setAt(at: Json | undefined, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value;
  if (Array.isArray(at)) return at.map((item, index) => (String(index) === name ? setAt(item, rest, value) : item));
  if (at === null || typeof at !== "object") return at ?? null;
  return { ...at, [name]: setAt(at[name], rest, value) };
}

/** Replaces a config and removes edges from ports that it no longer has. */
export function configureNode(
  model: FlowModel,
  catalogue: NodeCatalogue,
  { id, config }: { id: string; config: JsonObject },
): Change[] {
  const node = model.nodes.get(id);
  if (!node) return [];
  const after = { ...node, config };
  const lost = [...model.edges.values()].filter(
    ({ source, sourcePort }) =>
      source === id && catalogue.hasPort(node, sourcePort) && !catalogue.hasPort(after, sourcePort),
  );
  return [...lost.map(removeEdge), { kind: "node", id, before: node, after }];
}

export function connect(model: FlowModel, connection: Connection): Change[] {
  return addElements([], [{ id: newEdgeId(connection, model.edges), ...connection }]);
}

/**
 * Moves a node into another one's sub-flow, or (`parent` undefined) out of it, without changing its place on the
 * canvas. Removes edges that would cross the boundary.
 */
export function placeInside(model: FlowModel, id: string, parent: string | undefined): Change[] {
  const node = model.nodes.get(id);
  if (!node || node.parent === parent) return [];
  const around = parent === undefined ? undefined : model.nodes.get(parent);
  const origin = around ? absolutePosition(model, around) : { x: 0, y: 0 };
  const { x, y } = absolutePosition(model, node);
  const { parent: _left, ...rest } = node;
  const position = { x: x - origin.x, y: y - origin.y };
  const after: FlowNode = { ...rest, position, ...(parent === undefined ? {} : { parent }) };
  const crossing = [...model.edges.values()].filter(({ source, target }) => source === id || target === id);
  return [...crossing.map(removeEdge), { kind: "node", id, before: node, after }];
}

export function removeEdge(edge: FlowEdge): Change {
  return { kind: "edge", id: edge.id, before: edge, after: undefined };
}

function replaceNode(model: FlowModel, id: string, change: (node: FlowNode) => FlowNode | undefined): Change[] {
  const before = model.nodes.get(id);
  if (!before) return [];
  const after = change(before);
  return before === after ? [] : [{ kind: "node", id, before, after }];
}

/** The config of a new node: citations are on if the step supports them, which stored ones have only if they say so. */
export function newConfig({ properties }: NodeType["config"]): FlowNode["config"] {
  const isCiting = typeof properties === "object" && properties !== null && "citations" in properties;
  return isCiting ? { citations: true } : {};
}

/** A new node id: the type and the first free number, as in `llm_2`. */
export function newNodeId(type: string, taken: { has(id: string): boolean }): string {
  const stem = type.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  for (let number = 0; ; number += 1) {
    const id = `${stem}_${number}`;
    if (!taken.has(id)) return id;
  }
}

/** A new edge id, derived from the ends of the edge. */
export function newEdgeId({ source, sourcePort, target }: Omit<FlowEdge, "id">, taken: { has(id: string): boolean }) {
  const stem = `${source}-${sourcePort}-${target}`.slice(0, 380);
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? stem : `${stem}-${number}`;
    if (!taken.has(id)) return id;
  }
}

/** A unique node label: the title itself, or with the first free number from 2. */
export function newLabel(title: string, labels: Iterable<string>): string {
  const taken = new Set(labels);
  const stem = title.replace(/ \d+$/, "");
  for (let number = 1; ; number += 1) {
    const label = number === 1 ? stem : `${stem} ${number}`;
    if (!taken.has(label)) return label;
  }
}

type Replacement<Kind, T> = {
  readonly kind: Kind;
  readonly id: string;
  readonly before: T | undefined;
  readonly after: T | undefined;
};

/** One node or edge that is added (no `before`), removed (no `after`) or replaced. Its inverse swaps the two. */
export type Change = Replacement<"node", FlowNode> | Replacement<"edge", FlowEdge>;

export function applyChanges(model: FlowModel, changes: readonly Change[]): FlowModel {
  if (changes.length === 0) return model;
  const nodes = new Map(model.nodes);
  const edges = new Map(model.edges);
  for (const change of changes) {
    if (change.kind === "node") put(nodes, change);
    else put(edges, change);
  }
  return { nodes, edges };
}

/** The changes that turn one flow into the other. */
export function changesTo(model: FlowModel, next: FlowModel): Change[] {
  return [...differences("edge", model.edges, next.edges), ...differences("node", model.nodes, next.nodes)];
}

function differences<const Kind, T>(
  kind: Kind,
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): Replacement<Kind, T>[] {
  const isSame = (id: string) => JSON.stringify(before.get(id)) === JSON.stringify(after.get(id));
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((id) => !isSame(id));
  return changed.map((id) => ({ kind, id, before: before.get(id), after: after.get(id) }));
}

/** The inverse changes, last first. */
export function invertChanges(changes: readonly Change[]): Change[] {
  return changes.toReversed().map((change) => ({ ...change, before: change.after, after: change.before }) as Change);
}

/** Merges two steps: the state before the first and after the second. Changes that cancel out are omitted. */
export function mergeChanges(first: readonly Change[], second: readonly Change[]): Change[] {
  const merged = new Map<string, Change>();
  for (const change of [...first, ...second]) {
    const key = `${change.kind} ${change.id}`;
    const earlier = merged.get(key);
    merged.set(key, earlier ? ({ ...change, before: earlier.before } as Change) : change);
  }
  return [...merged.values()].filter(({ before, after }) => before !== after);
}

function put<T>(into: Map<string, T>, { id, after }: Replacement<unknown, T>): void {
  if (after === undefined) into.delete(id);
  else into.set(id, after);
}
