import { type CompiledFlow, whyNotRunnable } from "@weft/engine";
import { WeftError } from "@weft/schema";
import type { RunnableAgent } from "../agents/agent-reader.ts";

/** An agent that may be asked, and its flow, checked. */
export type AdmittedAgent = RunnableAgent & { flow: CompiledFlow };

export type AdmitDeps = {
  getForRun(agentId: string): Promise<RunnableAgent>;
  compile(versionId: string, flowData: string): CompiledFlow;
};

/** Who asks. */
export type Caller = {
  /** Ids of the keys that the request carries, as bearer or as `X-API-Key`. */
  apiKeyIds(): Promise<readonly string[]>;
  /** Somebody who logged in and tries the agent out: needs no key of the agent. */
  isAuthor?: boolean;
  /** Nobody is known to ask: chats and sessions need ids that cannot be guessed. */
  isAnonymous?: boolean;
};

/**
 * Lets a request through to an agent. Rejects with `not-found`, with `api-key-wrong` when the agent is bound to a key
 * that the request does not carry, and with `flow-invalid` when its flow cannot run.
 */
export async function admit(deps: AdmitDeps, agentId: string, caller: Caller): Promise<AdmittedAgent> {
  const runnable = await deps.getForRun(agentId);
  await assertKey(runnable, caller);
  const flow = deps.compile(runnable.versionId, runnable.flowData);
  const reason = whyNotRunnable(flow.findings);
  if (reason !== undefined) throw new WeftError("flow-invalid", { params: { reason } });
  return { ...runnable, flow };
}

/** Throws `api-key-wrong` when the agent is bound to a key that the request does not carry. */
export async function assertKey({ agent: { apikeyid } }: RunnableAgent, caller: Caller): Promise<void> {
  if (apikeyid === "" || caller.isAuthor) return;
  if (!(await caller.apiKeyIds()).includes(apikeyid)) throw new WeftError("api-key-wrong");
}
