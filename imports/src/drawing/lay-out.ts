import { Graph, layout } from "@dagrejs/dagre";
import type { FlowDocument, FlowNode } from "@weft/schema";

/** About what the builder draws a node as, in pixels. */
const nodeSize = { width: 260, height: 110 };
const gap = { x: 90, y: 50 };
/** The frame of an iteration, above and beside the steps in it. */
const frame = { top: 70, side: 40 };
/** More nodes of one level take dagre longer than a person waits: they are placed without sorting their branches. */
const maxSorted = 400;

/** The flow drawn from left to right, each iteration around its steps. Positions inside it are relative to it. */
export function layOut(flow: FlowDocument): FlowDocument {
  const placed = new Map<string, FlowNode>();
  placeLevel(flow, undefined, placed);
  return { ...flow, nodes: flow.nodes.map((node) => placed.get(node.id) ?? node) };
}

type Size = { width: number; height: number };
type Box = Size & { x: number; y: number };
type Ends = { source: string; target: string };

/** Places the nodes of one level, those inside of them first, and returns how large the level is. */
function placeLevel(flow: FlowDocument, parent: string | undefined, placed: Map<string, FlowNode>): Size {
  const members = flow.nodes.filter((node) => node.parent === parent);
  if (members.length === 0) return nodeSize;
  const sizes = new Map(
    members.map(({ id, type, size }) => [
      id,
      type === "iteration" ? withFrame(placeLevel(flow, id, placed)) : (size ?? nodeSize),
    ]),
  );
  const edges = flow.edges.filter(({ source, target }) => sizes.has(source) && sizes.has(target));
  const boxes = members.length > maxSorted ? placeInRanks(sizes, edges) : placeSorted(sizes, edges);
  const offset = parent === undefined ? { x: 0, y: 0 } : { x: frame.side, y: frame.top };
  for (const member of members) {
    const { x, y, ...size } = boxes.get(member.id) ?? { ...nodeSize, x: 0, y: 0 };
    const position = { x: Math.round(x + offset.x), y: Math.round(y + offset.y) };
    placed.set(member.id, { ...member, position, ...(member.type === "iteration" ? { size } : {}) });
  }
  const all = [...boxes.values()];
  return {
    width: Math.max(...all.map(({ x, width }) => x + width)),
    height: Math.max(...all.map(({ y, height }) => y + height)),
  };
}

function placeSorted(sizes: ReadonlyMap<string, Size>, edges: readonly Ends[]): Map<string, Box> {
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", ranksep: gap.x, nodesep: gap.y });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [id, size] of sizes) graph.setNode(id, { ...size });
  for (const { source, target } of edges) graph.setEdge(source, target);
  layout(graph);
  return new Map(
    [...sizes].map(([id, size]) => {
      const { x, y } = graph.node(id);
      return [id, { ...size, x: x - size.width / 2, y: y - size.height / 2 }];
    }),
  );
}

/** Each node right of all that lead to it, under those that came before it there. */
function placeInRanks(sizes: ReadonlyMap<string, Size>, edges: readonly Ends[]): Map<string, Box> {
  const targets = Map.groupBy(edges, ({ source }) => source);
  const waits = new Map<string, number>();
  for (const { target } of edges) waits.set(target, (waits.get(target) ?? 0) + 1);
  const left = new Map<string, number>();
  const ready = [...sizes.keys()].filter((id) => !waits.has(id));
  const boxes = new Map<string, Box>();
  const heights = new Map<number, number>();
  for (const id of ready) {
    const size = sizes.get(id) ?? nodeSize;
    const x = left.get(id) ?? 0;
    const y = heights.get(x) ?? 0;
    boxes.set(id, { ...size, x, y });
    heights.set(x, y + size.height + gap.y);
    for (const { target } of targets.get(id) ?? []) {
      left.set(target, Math.max(left.get(target) ?? 0, x + size.width + gap.x));
      const open = (waits.get(target) ?? 0) - 1;
      waits.set(target, open);
      if (open === 0) ready.push(target);
    }
  }
  return boxes;
}

function withFrame({ width, height }: Size): Size {
  return { width: width + 2 * frame.side, height: height + frame.top + frame.side };
}
