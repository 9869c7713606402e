import type { Json, JsonObject } from "@weft/schema";

/** A node as an export holds it: what gives it meaning, without its looks. */
export type ForeignNode = {
  id: string;
  /** Name of its component, such as `llmAgentflow`. */
  name: string;
  label: string;
  /** Id of the iteration that it stands in. */
  parent: string | undefined;
  position: { x: number; y: number };
  inputs: JsonObject;
  /** Id of the node's own credential; exports leave it out. */
  credential: string | undefined;
};

export type ForeignEdge = { id: string; source: string; sourceHandle: string; target: string };

export type ForeignFlow = { nodes: ForeignNode[]; edges: ForeignEdge[] };

/** Reads what can be read; entries that are no nodes and edges are left out. Of two nodes with one id the first counts. */
export function toForeignFlow(document: JsonObject): ForeignFlow {
  const nodes = new Map<string, ForeignNode>();
  for (const entry of toObjects(document.nodes)) {
    const node = toForeignNode(entry);
    if (node && !nodes.has(node.id)) nodes.set(node.id, node);
  }
  const edges = toObjects(document.edges).map((edge, index) => ({
    id: toText(edge.id) || `edge_${index}`,
    source: toText(edge.source),
    sourceHandle: toText(edge.sourceHandle),
    target: toText(edge.target),
  }));
  return { nodes: [...nodes.values()], edges };
}

/** The objects of a list; none of anything else. */
export function toObjects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toForeignNode(entry: JsonObject): ForeignNode | undefined {
  const data = isObject(entry.data) ? entry.data : {};
  const id = toText(entry.id) || toText(data.id);
  const name = toText(data.name);
  if (id === "" || name === "") return undefined;
  const position = isObject(entry.position) ? entry.position : {};
  return {
    id,
    name,
    label: toText(data.label),
    parent: toText(entry.parentNode) || undefined,
    position: { x: toCoordinate(position.x), y: toCoordinate(position.y) },
    inputs: isObject(data.inputs) ? data.inputs : {},
    credential: toText(data.credential) || undefined,
  };
}

function toText(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function toCoordinate(value: Json | undefined): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
