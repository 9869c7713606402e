import { type CompiledFlow, whyNotRunnable } from "@weft/engine";
import { ifFound, type Reach, reachesAgent } from "@weft/http";
import { WeftError } from "@weft/schema";
import type { AgentService, RunnableAgent } from "../agents/index.ts";
import type { AssistantService } from "../assistants/assistant.service.ts";

/** An agent that may be asked, and its flow, checked. */
export type AdmittedAgent = RunnableAgent & { flow: CompiledFlow };

export type AdmitDeps = {
  getForRun(agentId: string): Promise<RunnableAgent>;
  compile(versionId: string, flowData: string): CompiledFlow;
};

/** An API key, and the agents that it is limited to. */
export type CarriedKey = { id: string; agents: Reach["agents"] };

/** The caller. `createCaller` makes it from a request. */
export type Caller = {
  /** `account:<id>`, `client:<id>` (the client of an API key) or `anonymous`. */
  owner: string;
  /** How people know it; absent for visitors. */
  name?: string | undefined;
  /** Of a visitor: what counts as one, where visitors share something. */
  network?: string;
  /** Whose chats it goes on with, by their ids, where it has none of that id of its own; in this order. */
  adopts: readonly string[];
  /** Which agents it may ask, and whose runs it may answer. */
  reach: Reach;
  /** The keys that the request carries, as bearer or as `X-API-Key`. */
  apiKeys(): Promise<readonly CarriedKey[]>;
  /** Somebody who logged in and tries the agent out: needs no key of the agent. */
  isAuthor?: boolean;
  /** Somebody who logged in, so may edit every agent: overrides are not held to what the agent's settings enable. */
  mayEdit?: boolean;
  /** Nobody is known to ask: chats and sessions need ids that cannot be guessed. */
  isAnonymous?: boolean;
};

/**
 * Lets a request through to an agent. Rejects with `not-found`, also for one that the caller does not reach, with `api-key-wrong` when the agent is bound to a key
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

/**
 * Throws `not-found` for an agent that the caller's key does not reach, and `api-key-wrong` when the agent is bound to a
 * key that the request does not carry.
 */
export async function assertKey({ agent: { id, apikeyid } }: RunnableAgent, caller: Caller): Promise<void> {
  if (!reachesAgent(caller.reach, id)) throw new WeftError("not-found", { params: { resource: "agent", id } });
  if (apikeyid === "" || caller.isAuthor) return;
  if (!opens(await caller.apiKeys(), { id, apikeyid })) throw new WeftError("api-key-wrong");
}

/** Whether some of the keys opens an agent, as far as it is bound to one. A key opens none beyond those that it is limited to. */
export function opens(keys: readonly CarriedKey[], { id, apikeyid }: { id: string; apikeyid: string }): boolean {
  return apikeyid === "" || keys.some((key) => key.id === apikeyid && reachesAgent(key, id));
}

/** Everything that a prediction can be sent to: agents, and assistants as the agents they amount to. */
export type Runnables = Pick<AgentService, "exists" | "findSettings" | "flowOfVersion" | "getForRun">;

export function createRunnables(agents: AgentService, assistants: AssistantService): Runnables {
  return {
    flowOfVersion: agents.flowOfVersion,
    findSettings: agents.findSettings,
    exists: async (tx, id) => (await agents.exists(tx, id)) || assistants.exists(tx, id),
    async getForRun(id) {
      const found = (await ifFound(agents.getForRun(id))) ?? (await ifFound(assistants.getForRun(id)));
      if (found === undefined) throw new WeftError("not-found", { params: { resource: "agent", id } });
      return found;
    },
  };
}
