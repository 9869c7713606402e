import type { EffectInfo, NodeContext } from "../node-type.ts";
import type { ToolContext } from "../ports/tool.ts";
import { callAgent } from "./call-agent.ts";
import { flowFactsOf } from "./flow-facts.ts";

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
