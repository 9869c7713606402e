import { type FlowEdge, type FlowNode, isSameJson, type Json, toJsonObject } from "@weft/schema";
import type { FlowModel } from "../../../canvas/index.ts";

/** What two versions of a node differ in: one of its settings, or its label, its type or the node around it. */
export type FieldDifference = {
  of: "settings" | "step";
  /** From the outermost name. */
  path: readonly string[];
  before: Json | undefined;
  after: Json | undefined;
};

export type NodeDifference =
  | { type: "added" | "removed"; node: FlowNode }
  | { type: "changed"; node: FlowNode; earlier: FlowNode; fields: FieldDifference[] };

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
    if (fields.length > 0 || !isSameJson(restOf(earlier), restOf(node)))
      difference.nodes.push({ type: "changed", node, earlier, fields });
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
  return [
    ...diffValues(facts(before), facts(after)).map((each) => ({ of: "step" as const, ...each })),
    ...diffValues(before.config, after.config).map((each) => ({ of: "settings" as const, ...each })),
  ];
}

/** What no form names, such as its size, or what an import refused. */
function restOf({ position: _, config: __, type: ___, label: ____, parent: _____, ...rest }: FlowNode): Json {
  return toJsonObject(JSON.parse(JSON.stringify(rest)));
}

function diffValues(
  before: Json | undefined,
  after: Json | undefined,
  path: readonly string[] = [],
): Omit<FieldDifference, "of">[] {
  if (before === after) return [];
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => diffValues(before[key], after[key], [...path, key]));
  }
  return [{ path, before, after }];
}

function isContainer(value: Json | undefined): value is Record<string, Json> {
  return typeof value === "object" && value !== null;
}
