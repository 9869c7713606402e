import { type FlowEdge, type FlowNode, isSameJson } from "@weft/schema";
import type { Change, FlowModel } from "../../../canvas/index.ts";

/** One thing that a proposal would do: to a step, or to the connections between steps that it leaves alone. */
export type ProposedItem =
  | { id: string; kind: "added" | "changed" | "removed"; node: FlowNode }
  | { id: typeof connectionsId; kind: "connections"; count: number };

export const connectionsId = " connections";

export type Proposal = {
  items: readonly ProposedItem[];
  /**
   * The changes of the chosen items, for the flow as it is now. What someone changed since the proposal was asked for is
   * left alone: `isStale`.
   */
  choose(chosen: ReadonlySet<string>, now: FlowModel): { changes: Change[]; isStale: boolean };
};

/** @param proposed The changes from the flow that the proposal was asked for. */
export function toProposal(proposed: readonly Change[]): Proposal {
  const all = proposed.filter(({ before, after }) => !isSame(before, after));
  const steps = all.filter((change) => change.kind === "node");
  const kinds = new Map(steps.map(({ id, before, after }) => [id, kindOf(before, after)]));
  const ownersOf = (edge: FlowEdge) => {
    const ends = [edge.source, edge.target];
    const strict = ends.filter((id) => kinds.has(id) && kinds.get(id) !== "changed");
    if (strict.length > 0) return strict;
    return kinds.has(edge.source) ? [edge.source] : [connectionsId];
  };
  const isChosen = (change: Change, chosen: ReadonlySet<string>) => {
    if (change.kind === "node") return chosen.has(change.id);
    const { before, after } = change;
    if (after !== undefined) return ownersOf(after).every((id) => chosen.has(id));
    return before !== undefined && ownersOf(before).some((id) => chosen.has(id));
  };
  const free = all.filter(
    (change) =>
      change.kind === "edge" &&
      [change.before ?? change.after].some((edge) => edge && ownersOf(edge)[0] === connectionsId),
  );
  const items = steps.flatMap(({ id, before, after }): ProposedItem[] => {
    const node = after ?? before;
    return node === undefined ? [] : [{ id, kind: kindOf(before, after), node }];
  });
  return {
    items: free.length === 0 ? items : [...items, { id: connectionsId, kind: "connections", count: free.length }],
    choose(chosen, now) {
      const wanted = all.filter((change) => isChosen(change, chosen));
      const changes = wanted.filter((change) => isSame(partOf(now, change), change.before));
      return { changes, isStale: changes.length < wanted.length };
    },
  };
}

function kindOf(before: FlowNode | undefined, after: FlowNode | undefined): "added" | "changed" | "removed" {
  if (before === undefined) return "added";
  return after === undefined ? "removed" : "changed";
}

function partOf(model: FlowModel, { kind, id }: Change): FlowNode | FlowEdge | undefined {
  return kind === "node" ? model.nodes.get(id) : model.edges.get(id);
}

/** Whatever the order of their fields. */
function isSame(one: FlowNode | FlowEdge | undefined, other: FlowNode | FlowEdge | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return isSameJson(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}
