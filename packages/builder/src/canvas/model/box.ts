import { Graph, layout } from "@dagrejs/dagre";
import type { FlowEdge, FlowNode } from "@weft/schema";
import { childrenOf, type FlowModel } from "./flow-model.ts";
import type { NodeCatalogue } from "./node-catalogue.ts";

export type Point = { x: number; y: number };
export type Size = { width: number; height: number };
export type Box = Point & Size;

/** Grid of the canvas, in pixels. Node sizes follow from the flow, so the layout needs no measuring. */
export const gridPx = 8;
const nodeWidthPx = 248;
export const nodeHeaderPx = 64;
export const portRowPx = 28;
const portsPaddingPx = 8;
export const subFlowHeaderPx = 64;
const subFlowPaddingPx = 24;
const smallestSubFlow: Size = { width: 400, height: 216 };
const noteSize: Size = { width: 248, height: 128 };

/** Ports are listed if there is more than one. */
export function listsPorts(portCount: number): boolean {
  return portCount > 1;
}

/** Size of a drawn node. A node with a sub-flow is as large as its contents need. */
export function sizeOf(node: FlowNode, model: FlowModel, catalogue: NodeCatalogue): Size {
  if (catalogue.isNote(node)) return node.size ?? noteSize;
  if (catalogue.hasSubFlow(node)) return subFlowSize(node, model, catalogue);
  const ports = catalogue.portsOf(node).length;
  const height = nodeHeaderPx + (listsPorts(ports) ? ports * portRowPx + portsPaddingPx : 0);
  return { width: nodeWidthPx, height };
}

/** The top-level nodes with their positions. */
export function boxesOf(model: FlowModel, catalogue: NodeCatalogue, parent?: string): Box[] {
  return [...model.nodes.values()]
    .filter((node) => node.parent === parent)
    .map((node) => ({ ...node.position, ...sizeOf(node, model, catalogue) }));
}

/** The absolute position of a node on the canvas. */
export function absolutePosition({ nodes }: FlowModel, node: FlowNode): Point {
  let { x, y } = node.position;
  const seen = new Set<string>();
  for (let parent = node.parent; parent !== undefined && !seen.has(parent); ) {
    seen.add(parent);
    const around = nodes.get(parent);
    x += around?.position.x ?? 0;
    y += around?.position.y ?? 0;
    parent = around?.parent;
  }
  return { x, y };
}

/** The smallest box around boxes, with a margin; undefined if there are none. */
export function boundsOf(boxes: readonly Box[], marginPx = 0): Box | undefined {
  if (boxes.length === 0) return undefined;
  const left = Math.min(...boxes.map(({ x }) => x)) - marginPx;
  const top = Math.min(...boxes.map(({ y }) => y)) - marginPx;
  const right = Math.max(...boxes.map(({ x, width }) => x + width)) + marginPx;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + marginPx;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export function overlaps(a: Box, b: Box, marginPx = 0): boolean {
  return (
    a.x < b.x + b.width + marginPx &&
    b.x < a.x + a.width + marginPx &&
    a.y < b.y + b.height + marginPx &&
    b.y < a.y + a.height + marginPx
  );
}

export function contains(box: Box, { x, y }: Point): boolean {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}

export function toGrid({ x, y }: Point): Point {
  return { x: Math.round(x / gridPx) * gridPx, y: Math.round(y / gridPx) * gridPx };
}

function subFlowSize(node: FlowNode, model: FlowModel, catalogue: NodeCatalogue): Size {
  const inside = childrenOf(model, node.id).map((child) => ({ ...child.position, ...sizeOf(child, model, catalogue) }));
  const right = Math.max(0, ...inside.map(({ x, width }) => x + width));
  const bottom = Math.max(0, ...inside.map(({ y, height }) => y + height));
  return {
    width: Math.max(smallestSubFlow.width, right + subFlowPaddingPx),
    height: Math.max(smallestSubFlow.height, bottom + subFlowPaddingPx),
  };
}

export const gapPx = 96;
const marginPx = 24;

/** The position right of a node, for the next step. */
export function besideOf({ x, y, width, height }: Box, size: Size): Point {
  return { x: x + width + gapPx, y: y + (height - size.height) / 2 };
}

/** The position closest below the wanted one at which a box of that size overlaps no other. */
export function freePlace(wanted: Point, size: Size, others: readonly Box[]): Point {
  let place = toGrid(wanted);
  for (;;) {
    const hit = others.find((other) => overlaps({ ...place, ...size }, other, marginPx));
    if (!hit) return place;
    const below = Math.ceil((hit.y + hit.height + marginPx) / gridPx) * gridPx;
    place = { x: place.x, y: Math.max(below, place.y + gridPx) };
  }
}

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
    const edges = inPortOrder(model, catalogue);
    for (const [id, point] of placeNodes({ edges, sizes, origin })) positions.set(id, point);
  };
  placeLevel(undefined);
  return positions;
}

/** The flow unchanged if nothing overlaps; otherwise laid out. Other builders draw steps smaller. */
export function withoutOverlaps(model: FlowModel, catalogue: NodeCatalogue): FlowModel {
  const levels = Map.groupBy(
    [...model.nodes.values()].filter((node) => !catalogue.isNote(node)),
    ({ parent }) => parent,
  );
  const hasOverlap = [...levels.values()].some((nodes) => {
    const boxes = nodes.map((node) => ({ ...node.position, ...sizeOf(node, model, catalogue) }));
    return boxes.some((box, index) => boxes.slice(index + 1).some((other) => overlaps(box, other)));
  });
  return hasOverlap ? applyPositions(model, layoutFlow(model, catalogue)) : model;
}

/** In the order of the outputs they leave from. */
function inPortOrder({ nodes, edges }: FlowModel, catalogue: NodeCatalogue): FlowEdge[] {
  const rankOf = ({ source, sourcePort }: FlowEdge) => {
    const node = nodes.get(source);
    const index = node ? catalogue.portsOf(node).findIndex(({ id }) => id === sourcePort) : -1;
    return index < 0 ? Number.MAX_SAFE_INTEGER : index;
  };
  return [...edges.values()].toSorted((a, b) => rankOf(a) - rankOf(b));
}

type Level = { edges: readonly FlowEdge[]; sizes: ReadonlyMap<string, Size>; origin: Point };

/**
 * The layout keeps the order of its input where no crossing prevents it, from the top or from the bottom: uses the one
 * of the two that keeps more branches in order.
 */
function placeNodes({ edges, sizes, origin }: Level): Map<string, Point> {
  if (sizes.size === 0) return new Map();
  const inside = edges.filter(({ source, target }) => sizes.has(source) && sizes.has(target));
  const drawn = [inside, inside.toReversed()].map((order) => arrange(order, sizes));
  const [best = []] = drawn.toSorted((a, b) => inversionsOf(inside, a) - inversionsOf(inside, b));
  const left = Math.min(...best.map(([, { x }]) => x));
  const top = Math.min(...best.map(([, { y }]) => y));
  return new Map(best.map(([id, { x, y }]) => [id, toGrid({ x: x - left + origin.x, y: y - top + origin.y })]));
}

type Corners = [id: string, corner: Point][];

function arrange(edges: readonly FlowEdge[], sizes: Level["sizes"]): Corners {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", ranksep: betweenRanksPx, nodesep: betweenNodesPx });
  graph.setDefaultEdgeLabel(() => ({}));
  const targets = new Set(edges.map(({ target }) => target));
  const ids = new Set([...[...sizes.keys()].filter((id) => !targets.has(id)), ...targets]);
  for (const id of ids) graph.setNode(id, { ...sizes.get(id) });
  for (const { source, target } of edges) graph.setEdge(source, target);
  layout(graph);
  return [...sizes].map(([id, { width, height }]) => {
    const { x = 0, y = 0 } = graph.node(id);
    return [id, { x: x - width / 2, y: y - height / 2 }];
  });
}

/** Counts pairs of a step's branches in inverted order. */
function inversionsOf(edges: readonly FlowEdge[], corners: Corners): number {
  const yOf = new Map(corners.map(([id, { y }]) => [id, y]));
  let count = 0;
  for (const branches of Map.groupBy(edges, ({ source }) => source).values()) {
    const ys = branches.map(({ target }) => yOf.get(target) ?? 0);
    for (const [index, y] of ys.entries()) count += ys.slice(index + 1).filter((later) => later < y).length;
  }
  return count;
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
