import { WeftError } from "@weft/schema";
import type { NodeContext } from "../node-type.ts";
import type { AgentCall, ChildRunRequest, ChildRunResult } from "../ports/child-runs.ts";

/** How deep flows may call flows; a client's run is at depth 0. */
export const maxFlowDepth = 5;

/** Runs another agent on behalf of a node, inside one of its effects. Throws `flow-limit` when it is too deep. */
export async function callAgent(
  context: NodeContext,
  call: AgentCall,
  { signal, idempotencyKey }: Pick<ChildRunRequest, "signal" | "idempotencyKey">,
): Promise<ChildRunResult> {
  const depth = context.run.depth + 1;
  if (depth > maxFlowDepth) {
    throw new WeftError("flow-limit", { params: { reason: `agents call agents more than ${maxFlowDepth} deep` } });
  }
  return context.services.childRuns.run({ ...call, parent: context.run, depth, idempotencyKey, signal });
}
