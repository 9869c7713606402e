import { isJsonObject, type Json, type JsonObject, textOrEmpty, toJsonObject } from "@weft/schema";

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
    id: textOrEmpty(edge.id) || `edge_${index}`,
    source: textOrEmpty(edge.source),
    sourceHandle: textOrEmpty(edge.sourceHandle),
    target: textOrEmpty(edge.target),
  }));
  return { nodes: [...nodes.values()], edges };
}

/** The objects of a list; none of anything else. */
export function toObjects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function toForeignNode(entry: JsonObject): ForeignNode | undefined {
  const data = toJsonObject(entry.data);
  const id = textOrEmpty(entry.id) || textOrEmpty(data.id);
  const name = textOrEmpty(data.name);
  if (id === "" || name === "") return undefined;
  const position = toJsonObject(entry.position);
  return {
    id,
    name,
    label: textOrEmpty(data.label),
    parent: textOrEmpty(entry.parentNode) || undefined,
    position: { x: toCoordinate(position.x), y: toCoordinate(position.y) },
    inputs: toJsonObject(data.inputs),
    credential: textOrEmpty(data.credential) || undefined,
  };
}

function toCoordinate(value: Json | undefined): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
