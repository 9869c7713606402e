import { type CompiledFlow, whyNotRunnable } from "@weft/engine";
import { WeftError } from "@weft/schema";
import type { RunnableAgent } from "../agents/agent-reader.ts";

/** An agent that may be asked, and its flow, checked. */
export type AdmittedAgent = RunnableAgent & { flow: CompiledFlow };

export type AdmitDeps = {
  getForRun(agentId: string): Promise<RunnableAgent>;
  compile(versionId: string, flowData: string): CompiledFlow;
};

/** Who asks. `apiKeyIds` are the keys that the request carries, as bearer or as `X-API-Key`. */
export type Caller = { apiKeyIds: readonly string[] };

/**
 * Lets a request through to an agent. Rejects with `not-found`, with `api-key-wrong` when the agent is bound to a key
 * that the request does not carry, and with `flow-invalid` when its flow cannot run.
 */
export async function admit(deps: AdmitDeps, agentId: string, caller: Caller): Promise<AdmittedAgent> {
  const runnable = await deps.getForRun(agentId);
  const { apikeyid, type } = runnable.agent;
  if (apikeyid !== "" && !caller.apiKeyIds.includes(apikeyid)) throw new WeftError("api-key-wrong");
  if (type === "CHATFLOW" && isClassic(runnable.flowData))
    throw new WeftError("flow-invalid", { params: { reason: classic } });
  const flow = deps.compile(runnable.versionId, runnable.flowData);
  const reason = whyNotRunnable(flow.findings);
  if (reason !== undefined) throw new WeftError("flow-invalid", { params: { reason } });
  return { ...runnable, flow };
}

const classic = "It is a classic chatflow. Draw it as an agent flow: a start node, then an agent or a model.";

function isClassic(flowData: string): boolean {
  return !/"weft"\s*:/.test(flowData) && /"nodes"/.test(flowData);
}
