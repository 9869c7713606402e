import type { FlowEdge, FlowNode } from "@weft/schema";

const stepWidth = 344;
const stepHeight = 160;
/** Below the title of the step around it. */
const firstInside = { x: 24, y: 112 };

/** Places steps that `placed` lacks: right of those that lead to them, below what stands there. */
export function placeSteps(
  all: readonly FlowNode[],
  edges: readonly FlowEdge[],
  placed: readonly FlowNode[],
): FlowNode[] {
  const positions = new Map(placed.map(({ id, position }) => [id, position]));
  const waiting = all.filter(({ id }) => !positions.has(id));
  for (const node of inOrder(waiting, edges)) {
    const before = edges.flatMap(({ source, target }) => (target === node.id ? (positions.get(source) ?? []) : []));
    const level = all.filter(({ id, parent }) => positions.has(id) && parent === node.parent);
    const first = node.parent === undefined ? { x: 0, y: 0 } : firstInside;
    const x = before.length > 0 ? Math.max(...before.map((one) => one.x)) + stepWidth : first.x;
    let y = before[0]?.y ?? first.y;
    const isTaken = () => level.some(({ id }) => isNear(positions.get(id), { x, y }));
    while (isTaken()) y += stepHeight;
    positions.set(node.id, { x, y });
  }
  return all.map((node) => ({ ...node, position: positions.get(node.id) ?? node.position }));
}

function isNear(one: { x: number; y: number } | undefined, other: { x: number; y: number }): boolean {
  return one !== undefined && Math.abs(one.x - other.x) < stepWidth - 40 && Math.abs(one.y - other.y) < stepHeight;
}

/** Each step after those that lead to it. */
function inOrder(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): FlowNode[] {
  const left = new Map(nodes.map((node) => [node.id, node]));
  const ordered: FlowNode[] = [];
  while (left.size > 0) {
    const free = [...left.values()].filter(
      ({ id }) => !edges.some(({ source, target }) => target === id && left.has(source)),
    );
    // A stored flow may hold a circle; its steps come as they stand.
    for (const node of free.length > 0 ? free : [...left.values()]) {
      left.delete(node.id);
      ordered.push(node);
    }
  }
  return ordered;
}
