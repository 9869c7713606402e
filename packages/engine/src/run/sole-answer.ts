import { errorPort } from "@weft/schema";
import { type GraphLevel, reachableFrom } from "../flow/graph-level.ts";
import { levelOf } from "./readiness.ts";
import type { Execution } from "./record-result.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Whether the node answers and no other leaf can still do so in its place: its text may be streamed as the answer.
 * Leaves that are reached only when it fails do not count: then it answers nothing.
 */
export function isSoleAnswer(run: RunContext, { node, nodeRun }: Pick<Execution, "node" | "nodeRun">): boolean {
  const scope = run.state.scopes.get(nodeRun.scope);
  if (nodeRun.scope !== "" || !scope || node.type.answers === "never") return false;
  const level = levelOf(run.graph, scope);
  if (!isLeaf(level, node.id)) return false;
  const behind = onlyBehind(level, node.id);
  return level.nodeIds.every((id) => {
    const other = run.graph.nodes.get(id)?.type.answers;
    if (behind.has(id) || !isLeaf(level, id) || other === "never") return true;
    const isReply = node.type.answers === "reply";
    if (isReply && other === "leaf") return true;
    const phase = scope.nodes.get(id)?.phase.type;
    return phase === "skipped" || phase === "failed" || (phase === "completed" && isReply);
  });
}

/** Whether nothing follows a node unless it fails. */
function isLeaf(level: GraphLevel, nodeId: string): boolean {
  return level.outgoing.get(nodeId)?.every((edge) => edge.sourcePort === errorPort) ?? false;
}

/** The node and what it leads to, where nothing else leads there as well. */
function onlyBehind(level: GraphLevel, nodeId: string): ReadonlySet<string> {
  const reached = reachableFrom(level, nodeId);
  const isOwn = [...reached].every(
    (id) => id === nodeId || level.incoming.get(id)?.every((edge) => reached.has(edge.source)),
  );
  return isOwn ? reached : new Set([nodeId]);
}
