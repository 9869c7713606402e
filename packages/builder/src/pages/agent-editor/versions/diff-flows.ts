import type { FlowEdge, FlowNode, Json } from "@weft/schema";
import type { FlowModel } from "../../../canvas/index.ts";

/** One field that two versions of a node have different values in. `path` is dotted; `label` and `parent` count as fields. */
type FieldDifference = { path: string; before: Json | undefined; after: Json | undefined };

export type NodeDifference =
  | { type: "added" | "removed"; node: FlowNode }
  | { type: "changed"; node: FlowNode; fields: FieldDifference[] };

type EdgeDifference = { type: "added" | "removed"; edge: FlowEdge };

/** The differences between two versions of a flow. Of positions, only the number of moved nodes is reported. */
export type FlowDifference = { nodes: NodeDifference[]; edges: EdgeDifference[]; moved: number };

export function diffFlows(before: FlowModel, after: FlowModel): FlowDifference {
  const removed = [...before.nodes.values()].filter(({ id }) => !after.nodes.has(id));
  const difference: FlowDifference = {
    nodes: removed.map((node) => ({ type: "removed", node })),
    edges: diffEdges(before, after),
    moved: 0,
  };
  for (const node of after.nodes.values()) {
    const earlier = before.nodes.get(node.id);
    if (!earlier) {
      difference.nodes.push({ type: "added", node });
      continue;
    }
    const fields = diffNode(earlier, node);
    if (fields.length > 0) difference.nodes.push({ type: "changed", node, fields });
    if (earlier.position.x !== node.position.x || earlier.position.y !== node.position.y) difference.moved += 1;
  }
  return difference;
}

export function isEmptyDifference({ nodes, edges, moved }: FlowDifference): boolean {
  return nodes.length === 0 && edges.length === 0 && moved === 0;
}

/** By where they begin and end: the ids of edges mean nothing to people. */
function diffEdges(before: FlowModel, after: FlowModel): EdgeDifference[] {
  const keyOf = ({ source, sourcePort, target }: FlowEdge) => `${source} ${sourcePort} ${target}`;
  const beforeKeys = new Set([...before.edges.values()].map(keyOf));
  const afterKeys = new Set([...after.edges.values()].map(keyOf));
  return [
    ...[...before.edges.values()]
      .filter((edge) => !afterKeys.has(keyOf(edge)))
      .map((edge) => ({ type: "removed" as const, edge })),
    ...[...after.edges.values()]
      .filter((edge) => !beforeKeys.has(keyOf(edge)))
      .map((edge) => ({ type: "added" as const, edge })),
  ];
}

function diffNode(before: FlowNode, after: FlowNode): FieldDifference[] {
  const facts = ({ type, label, parent }: FlowNode) => ({ type, label, ...(parent === undefined ? {} : { parent }) });
  return [...diffValues(facts(before), facts(after), []), ...diffValues(before.config, after.config, [])];
}

function diffValues(before: Json | undefined, after: Json | undefined, path: readonly string[]): FieldDifference[] {
  if (before === after) return [];
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => diffValues(before[key], after[key], [...path, key]));
  }
  return [{ path: path.join("."), before, after }];
}

function isContainer(value: Json | undefined): value is Record<string, Json> {
  return typeof value === "object" && value !== null;
}
