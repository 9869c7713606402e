import type { FlowNode } from "@weft/schema";
import { childrenOf, type FlowModel } from "./flow-model.ts";
import type { NodeCatalogue } from "./node-catalogue.ts";

export type Point = { x: number; y: number };
export type Size = { width: number; height: number };
export type Box = Point & Size;

/** How nodes are drawn, in pixels. Sizes follow from the flow, so that nothing needs to be measured to lay it out. */
export const gridPx = 8;
const nodeWidthPx = 248;
export const nodeHeaderPx = 64;
export const portRowPx = 28;
const portsPaddingPx = 8;
export const subFlowHeaderPx = 64;
export const subFlowPaddingPx = 24;
const smallestSubFlow: Size = { width: 400, height: 216 };
const noteSize: Size = { width: 248, height: 128 };

/** Ports are listed if there is more than one. */
export function listsPorts(portCount: number): boolean {
  return portCount > 1;
}

/** How large a node is drawn. What has a sub-flow is as large as the nodes in it need. */
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
