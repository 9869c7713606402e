import { type JsonObject, WeftError } from "@weft/schema";
import type { EffectInfo, NodeContext } from "../node-type.ts";
import type { AgentCall, ChildRunRequest, ChildRunResult } from "../ports/child-runs.ts";
import type { ToolContext } from "../ports/tool.ts";

/** The tool context of a call that a node makes inside an effect. */
export function toToolContext(context: NodeContext, { signal, idempotencyKey }: EffectInfo): ToolContext {
  const { http, sql, sandbox, people } = context.services;
  const { agentId, chatId, chatOwner: owner, depth } = context.run;
  return {
    signal,
    idempotencyKey,
    http,
    sql,
    sandbox,
    vars: context.vars,
    flow: flowFactsOf(context),
    callAgent: (call) => callAgent(context, call, { signal, idempotencyKey }),
    ...(depth === 0 && { askForPerson: (reason) => people.askForPerson({ agentId, chatId, owner }, reason) }),
  };
}

/** The facts about the run that user code reads as `$flow`. */
export function flowFactsOf(context: NodeContext): JsonObject {
  const { run } = context;
  return {
    chatflowId: run.agentId,
    chatId: run.chatId,
    sessionId: run.sessionId,
    executionId: run.runId,
    input: run.input.question ?? run.input.form ?? "",
    state: context.state,
  };
}

/** Maximum depth of flows calling flows; a client's run has depth 0. */
export const maxFlowDepth = 5;

/** Runs another agent on behalf of a node, inside one of its effects. Throws `flow-limit` if nested too deeply. */
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
