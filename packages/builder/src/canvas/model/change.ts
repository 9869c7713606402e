import type { FlowEdge, FlowNode } from "@weft/schema";
import type { FlowModel } from "./flow-model.ts";

type Replacement<T> = { readonly id: string; readonly before: T | undefined; readonly after: T | undefined };

/** One node or edge that is added (no `before`), removed (no `after`) or replaced. Its inverse is itself turned round. */
export type Change =
  | ({ readonly kind: "node" } & Replacement<FlowNode>)
  | ({ readonly kind: "edge" } & Replacement<FlowEdge>);

export function applyChanges(model: FlowModel, changes: readonly Change[]): FlowModel {
  if (changes.length === 0) return model;
  const nodes = new Map(model.nodes);
  const edges = new Map(model.edges);
  for (const change of changes) {
    if (change.kind === "node") put(nodes, change);
    else put(edges, change);
  }
  return { nodes, edges };
}

/** The inverse changes, last first. */
export function invertChanges(changes: readonly Change[]): Change[] {
  return changes.toReversed().map((change) => ({ ...change, before: change.after, after: change.before }) as Change);
}

/** Merges two steps: the state before the first and after the second. Changes that cancel out are omitted. */
export function mergeChanges(first: readonly Change[], second: readonly Change[]): Change[] {
  const merged = new Map<string, Change>();
  for (const change of [...first, ...second]) {
    const key = `${change.kind} ${change.id}`;
    const earlier = merged.get(key);
    merged.set(key, earlier ? ({ ...change, before: earlier.before } as Change) : change);
  }
  return [...merged.values()].filter(({ before, after }) => before !== after);
}

function put<T>(into: Map<string, T>, { id, after }: Replacement<T>): void {
  if (after === undefined) into.delete(id);
  else into.set(id, after);
}
