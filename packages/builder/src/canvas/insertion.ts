import type { NodeType } from "@weft/client";
import type { FlowEdge, FlowNode } from "@weft/schema";
import { writtenTitle } from "../described/node-title.ts";
import { boxesOf, freePlace, gapPx, sizeOf } from "./model/box.ts";
import { waysOut } from "./model/connection-rules.ts";
import {
  addElements,
  applyChanges,
  type Change,
  connect,
  moveNodes,
  newConfig,
  newLabel,
  newNodeId,
  removeEdge,
} from "./model/edits.ts";
import { type FlowModel, labelsOf } from "./model/flow-model.ts";
import { type NodeCatalogue, searchNodeTypes } from "./model/node-catalogue.ts";

/** The types that can be inserted between two steps: their output keeps the next step reachable. */
export function insertableTypes(catalogue: NodeCatalogue, query: string): NodeType[] {
  return searchNodeTypes(catalogue.types, query).filter((type) => {
    const [way] = waysOut(nodeOf(type, ""), catalogue);
    return catalogue.hasInput(type) && way !== undefined && catalogue.portsOf(nodeOf(type, "")).length > 0;
  });
}

/**
 * Puts a new step between the two ends of an edge, connected to both by its first output. Following steps make room.
 * Undefined if the edge no longer exists.
 */
export function insertion(
  model: FlowModel,
  catalogue: NodeCatalogue,
  type: NodeType,
  edgeId: string,
): { id: string; changes: Change[] } | undefined {
  const edge = model.edges.get(edgeId);
  const source = edge && model.nodes.get(edge.source);
  const target = edge && model.nodes.get(edge.target);
  if (!edge || !source || !target) return undefined;
  const id = newNodeId(type.type, model.nodes);
  const plain = { ...nodeOf(type, id), label: newLabel(writtenTitle(type), labelsOf(model)) };
  const node: FlowNode = source.parent === undefined ? plain : { ...plain, parent: source.parent };
  const [way] = waysOut(node, catalogue);
  const size = sizeOf(node, model, catalogue);
  const after = source.position.x + sizeOf(source, model, catalogue).width + gapPx;
  const wanted = { x: after, y: (source.position.y + target.position.y) / 2 };
  const shift = Math.max(0, after + size.width + gapPx - target.position.x);
  const moved = shift === 0 ? [] : moveNodes(model, shifted(model, { edge, target }, shift));
  const cleared = applyChanges(model, [removeEdge(edge), ...moved]);
  const others = boxesOf(cleared, catalogue, source.parent);
  const added = addElements([{ ...node, position: freePlace(wanted, size, others) }]);
  const grown = applyChanges(cleared, added);
  const into = connect(grown, { source: source.id, sourcePort: edge.sourcePort, target: id });
  const onward = way ? connect(applyChanges(grown, into), { source: id, sourcePort: way.id, target: target.id }) : [];
  return { id, changes: [removeEdge(edge), ...moved, ...added, ...into, ...onward] };
}

function nodeOf(nodeType: NodeType, id: string): FlowNode {
  const { type, version } = nodeType;
  return { id, type, version, label: "", position: { x: 0, y: 0 }, config: newConfig(nodeType.config) };
}

/** Moves the target and the steps after it to the right. */
function shifted(model: FlowModel, { edge, target }: { edge: FlowEdge; target: FlowNode }, byPx: number) {
  const outgoing = Map.groupBy(model.edges.values(), ({ source }) => source);
  const positions = new Map<string, FlowNode["position"]>();
  const open = [target.id];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = model.nodes.get(id);
    // Steps reached by going back are left of the edge, and stay.
    if (!node || positions.has(id) || id === edge.source || node.position.x < target.position.x) continue;
    positions.set(id, { x: node.position.x + byPx, y: node.position.y });
    for (const next of outgoing.get(id) ?? []) open.push(next.target);
  }
  return positions;
}
