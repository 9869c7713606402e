import type { JsonObject } from "@weft/schema";
import type { EffectInfo, NodeContext } from "../node-type.ts";
import type { ToolContext } from "../ports/tool.ts";
import { callAgent } from "./call-agent.ts";

/** What a tool call gets that a node makes inside an effect. */
export function toToolContext(context: NodeContext, { signal, idempotencyKey }: EffectInfo): ToolContext {
  const { http, sandbox } = context.services;
  return {
    signal,
    idempotencyKey,
    http,
    sandbox,
    vars: context.vars,
    flow: flowFactsOf(context),
    callAgent: (call) => callAgent(context, call, { signal, idempotencyKey }),
  };
}

/** What user code may read of the run as `$flow`. */
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
