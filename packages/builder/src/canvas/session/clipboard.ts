import {
  type FlowEdge,
  type FlowNode,
  flowEdgeSchema,
  flowNodeSchema,
  type Json,
  type JsonObject,
  type JsonSchema,
  parseJsonObject,
} from "@weft/schema";
import { absolutePosition, type Point } from "../model/box.ts";
import { newEdgeId, newLabel, newNodeId } from "../model/edits.ts";
import { type FlowModel, labelsOf, parentsFirst, withDescendants } from "../model/flow-model.ts";
import type { NodeCatalogue } from "../model/node-catalogue.ts";

/** Part of a flow, as copied and pasted. */
type FlowPart = { nodes: FlowNode[]; edges: FlowEdge[] };

/**
 * The selected nodes with their descendants and the edges between them, as text for the system clipboard. It can be
 * pasted into any agent, and its format differs from that of a whole flow.
 */
export function copyToText(model: FlowModel, nodeIds: Iterable<string>): string {
  const chosen = withDescendants(model, nodeIds);
  const nodes = parentsFirst(model.nodes)
    .filter(({ id }) => chosen.has(id))
    .map((node) => (node.parent === undefined || chosen.has(node.parent) ? node : lifted(model, node)));
  const edges = [...model.edges.values()].filter(({ source, target }) => chosen.has(source) && chosen.has(target));
  return JSON.stringify({ weftPart: 1, nodes, edges });
}

/** Reads what `copyToText` wrote, or a whole native flow; undefined for any other text. */
export function parsePart(text: string): FlowPart | undefined {
  const document = parseJsonObject(text);
  if (document?.weftPart !== 1 && document?.weft !== 1) return undefined;
  const nodes = flowNodeSchema.array().safeParse(document.nodes);
  const edges = flowEdgeSchema.array().safeParse(document.edges);
  return nodes.success && edges.success ? { nodes: nodes.data, edges: edges.data } : undefined;
}

type PasteOptions = {
  /** Offset from the copied positions. */
  offset: Point;
  /** The node whose sub-flow receives the outermost nodes; undefined for the top level. */
  parent?: string | undefined;
};

/**
 * The copied part with new ids. References to a copied node, in templates or as the target of a loop, point to its
 * copy. A second start node is omitted.
 */
export function freshPart(
  model: FlowModel,
  catalogue: NodeCatalogue,
  part: FlowPart,
  { offset, parent }: PasteOptions,
): FlowPart {
  const hasStart = [...model.nodes.values()].some((node) => catalogue.typeOf(node)?.group === "start");
  const copied = part.nodes.filter((node) => !hasStart || catalogue.typeOf(node)?.group !== "start");
  const ids = freshIds(model, copied);
  const labels = labelsOf(model);
  const nodes = copied.map(({ parent: before, ...node }): FlowNode => {
    const label = newLabel(node.label, labels);
    labels.push(label);
    const inside = before === undefined ? undefined : ids.get(before);
    const around = inside ?? parent;
    return {
      ...node,
      id: ids.get(node.id) ?? node.id,
      label,
      position: inside === undefined ? add(node.position, offset) : node.position,
      config: renameInConfig(node.config, catalogue.typeOf(node)?.config, ids),
      ...(around === undefined ? {} : { parent: around }),
    };
  });
  return { nodes, edges: freshEdges(model, part.edges, ids) };
}

function freshIds(model: FlowModel, nodes: readonly FlowNode[]): Map<string, string> {
  const taken = new Set(model.nodes.keys());
  const ids = new Map<string, string>();
  for (const { id, type } of nodes) {
    const fresh = newNodeId(type, taken);
    taken.add(fresh);
    ids.set(id, fresh);
  }
  return ids;
}

function freshEdges(model: FlowModel, edges: readonly FlowEdge[], ids: ReadonlyMap<string, string>): FlowEdge[] {
  const taken = new Set(model.edges.keys());
  return edges.flatMap(({ sourcePort, ...edge }) => {
    const source = ids.get(edge.source);
    const target = ids.get(edge.target);
    if (source === undefined || target === undefined) return [];
    const connection = { source, sourcePort, target };
    const id = newEdgeId(connection, taken);
    taken.add(id);
    return [{ id, ...connection }];
  });
}

function lifted(model: FlowModel, node: FlowNode): FlowNode {
  const { parent: _left, ...rest } = node;
  return { ...rest, position: absolutePosition(model, node) };
}

function add(a: Point, b: Point): Point {
  return { x: a.x + b.x, y: a.y + b.y };
}

type FieldSchema = {
  widget?: string;
  properties?: Record<string, FieldSchema>;
  items?: FieldSchema;
};

/**
 * A config with node ids replaced: in the templates of its texts, and in fields whose schema declares a node id.
 */
function renameInConfig(
  config: JsonObject,
  schema: JsonSchema | undefined,
  ids: ReadonlyMap<string, string>,
): JsonObject {
  return renameMembers(config, schema ?? {}, ids);
}

function rename(value: Json, schema: FieldSchema, ids: ReadonlyMap<string, string>): Json {
  if (typeof value === "string") {
    return schema.widget === "node" ? (ids.get(value) ?? value) : renameReferences(value, ids);
  }
  if (Array.isArray(value)) return value.map((item) => rename(item, schema.items ?? {}, ids));
  if (value === null || typeof value !== "object") return value;
  return renameMembers(value, schema, ids);
}

function renameMembers(value: JsonObject, { properties }: FieldSchema, ids: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, rename(item, properties?.[key] ?? {}, ids)]),
  );
}

/** `{{ name` of a reference: the text before the first dot, bracket or space. */
const reference = /(\{\{\s*)([^\s{}.[\]]+)(?=[^{}]*\}\})/g;

/** A text whose references to the nodes in `ids` are replaced by their mapped ids. */
export function renameReferences(text: string, ids: ReadonlyMap<string, string>): string {
  if (!text.includes("{{")) return text;
  return text.replaceAll(reference, (whole, open: string, name: string) => {
    const renamed = ids.get(name);
    return renamed === undefined ? whole : `${open}${renamed}`;
  });
}
