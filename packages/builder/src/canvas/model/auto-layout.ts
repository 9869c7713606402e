import { Graph, layout } from "@dagrejs/dagre";
import type { FlowNode } from "@weft/schema";
import { type Point, type Size, sizeOf, subFlowHeaderPx, subFlowPaddingPx, toGrid } from "./box.ts";
import type { FlowModel } from "./flow-model.ts";
import type { NodeCatalogue } from "./node-catalogue.ts";

const betweenRanksPx = 96;
const betweenNodesPx = 40;

/**
 * Positions of all steps for a flow that reads from left to right. Sub-flows are laid out first because the layout
 * around them depends on their size. Notes stay in place.
 */
export function layoutFlow(model: FlowModel, catalogue: NodeCatalogue): Map<string, Point> {
  const positions = new Map<string, Point>();
  const levels = Map.groupBy(model.nodes.values(), ({ parent }) => parent);
  const placeLevel = (parent: string | undefined): void => {
    const nodes = (levels.get(parent) ?? []).filter((node) => !catalogue.isNote(node));
    for (const { id } of nodes) if (id !== parent && levels.has(id)) placeLevel(id);
    const laidOut = applyPositions(model, positions);
    const sizes = new Map(nodes.map((node) => [node.id, sizeOf(node, laidOut, catalogue)]));
    const origin =
      parent === undefined ? originOf(nodes) : { x: subFlowPaddingPx, y: subFlowHeaderPx + subFlowPaddingPx };
    for (const [id, point] of placeNodes(model, sizes, origin)) positions.set(id, point);
  };
  placeLevel(undefined);
  return positions;
}

function placeNodes(model: FlowModel, sizes: ReadonlyMap<string, Size>, origin: Point): Map<string, Point> {
  if (sizes.size === 0) return new Map();
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", ranksep: betweenRanksPx, nodesep: betweenNodesPx });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [id, size] of sizes) graph.setNode(id, { ...size });
  for (const { source, target } of model.edges.values()) {
    if (sizes.has(source) && sizes.has(target)) graph.setEdge(source, target);
  }
  layout(graph);
  const corners = [...sizes].map(([id, { width, height }]) => {
    const { x = 0, y = 0 } = graph.node(id) as Partial<Point>;
    return { id, x: x - width / 2, y: y - height / 2 };
  });
  const left = Math.min(...corners.map(({ x }) => x));
  const top = Math.min(...corners.map(({ y }) => y));
  return new Map(corners.map(({ id, x, y }) => [id, toGrid({ x: x - left + origin.x, y: y - top + origin.y })]));
}

/** The flow stays where it is on the canvas. */
function originOf(nodes: readonly FlowNode[]): Point {
  if (nodes.length === 0) return { x: 0, y: 0 };
  return {
    x: Math.min(...nodes.map(({ position }) => position.x)),
    y: Math.min(...nodes.map(({ position }) => position.y)),
  };
}

function applyPositions(model: FlowModel, positions: ReadonlyMap<string, Point>): FlowModel {
  const nodes = new Map(model.nodes);
  for (const [id, position] of positions) {
    const node = nodes.get(id);
    if (node) nodes.set(id, { ...node, position });
  }
  return { ...model, nodes };
}
