import type { AgentReader, AssistantReader, RunnableAgent } from "@weft/agents";
import type { CompiledFlow } from "@weft/engine";
import { ifFound } from "@weft/http";
import {
  adoptedBy,
  type Identity,
  isAuthor,
  mayChangeAgents,
  nameOf,
  type Reach,
  reachesAgent,
  reachOf,
} from "@weft/http/identity";
import { isApiKey } from "@weft/identity";
import { askerOf } from "@weft/run-host";
import { type RunTrace, WeftError } from "@weft/schema";
import { readTraceparent } from "@weft/telemetry";
import { sql } from "kysely";

/** An API key, and the agents that it is limited to. */
export type CarriedKey = { id: string; agents: Reach["agents"] };

export type Caller = {
  /** `account:<id>`, `client:<id>` (the client of an API key) or `anonymous`. */
  owner: string;
  /** Display name; absent for visitors. */
  name?: string | undefined;
  /** A visitor's network, which counts as one visitor for shared limits. */
  network?: string;
  /** Owners whose chats it continues, by id, if it has none of that id of its own; in this order. */
  adopts: readonly string[];
  /** The agents it may ask, and the runs it may answer. */
  reach: Reach;
  /** The keys of the request, as bearer or as `X-API-Key`. */
  apiKeys(): Promise<readonly CarriedKey[]>;
  /** A logged-in person who tries the agent: needs no key of it. */
  isAuthor?: boolean;
  /** A person who may edit every agent: overrides are not restricted by the agent's settings. */
  mayEdit?: boolean;
  /** It may edit agents: it can run drafts. */
  mayRunDrafts?: boolean;
  /** The trace of the request. A visitor's is ignored: it would decide what is recorded. */
  trace?: RunTrace | undefined;
  /** The caller is unknown: chats and sessions need ids that cannot be guessed. */
  isAnonymous?: boolean;
};

export type CallerRights = Pick<Caller, "mayEdit" | "isAnonymous">;

export type CallerSource = {
  /** Undefined for an anonymous request. */
  identity: Identity | undefined;
  headers: Headers;
  clientAddress: string;
  /** The API key of that value; undefined if there is none. */
  findApiKey(key: string): Promise<CarriedKey | undefined>;
};

export function createCaller({ identity, headers, clientAddress, findApiKey }: CallerSource): Caller {
  return {
    ...askerOf(identity, clientAddress),
    name: nameOf(identity),
    adopts: adoptedBy(identity),
    reach: reachOf(identity),
    isAnonymous: identity === undefined,
    mayEdit: isAuthor(identity),
    mayRunDrafts: mayChangeAgents(identity),
    trace: identity && readTraceparent(headers.get("traceparent")),
    apiKeys: () => apiKeysOf(identity, headers, findApiKey),
  };
}

/**
 * The API keys of a request: its bearer, and `X-API-Key` beside it. In an anonymous request the bearer is only looked
 * up as an API key.
 */
async function apiKeysOf(
  identity: Identity | undefined,
  headers: Headers,
  findApiKey: CallerSource["findApiKey"],
): Promise<CarriedKey[]> {
  const find = async (key: string | undefined) =>
    key !== undefined && isApiKey(key) ? await findApiKey(key) : undefined;
  const bearer = headers.get("authorization")?.replace(/^Bearer\s+/i, "");
  const ofBearer = identity === undefined ? await find(bearer) : carriedBy(identity);
  return [ofBearer, await find(headers.get("x-api-key") ?? undefined)].filter((key) => key !== undefined);
}

function carriedBy(identity: Identity): CarriedKey | undefined {
  return identity.kind === "api-key" ? { id: identity.apiKeyId, agents: identity.agents } : undefined;
}

/**
 * Throws `not-found` for an agent that the caller's key does not reach, and `api-key-wrong` if the agent is bound to a
 * key that the request does not carry.
 */
export async function assertKey({ agent: { id, apikeyid } }: RunnableAgent, caller: Caller): Promise<void> {
  if (!reachesAgent(caller.reach.agents, id)) throw new WeftError("not-found", { params: { resource: "agent", id } });
  if (apikeyid === "" || caller.isAuthor) return;
  if (!opens(await caller.apiKeys(), { id, apikeyid })) throw new WeftError("api-key-wrong");
}

/** Whether some of the keys opens an agent, if it is bound to one. A limited key opens only its own agents. */
export function opens(keys: readonly CarriedKey[], { id, apikeyid }: { id: string; apikeyid: string }): boolean {
  return apikeyid === "" || keys.some((key) => key.id === apikeyid && reachesAgent(key.agents, id));
}

/** An agent that may be asked, and its checked flow. */
export type OpenAgent = RunnableAgent & { flow: CompiledFlow };

export type OpenAgentDeps = {
  getForRun(agentId: string): Promise<RunnableAgent>;
  compile(versionId: string, flowData: string): CompiledFlow;
};

export type AgentRequest = { agentId: string; caller: Caller; readAgent?(): Promise<RunnableAgent> };

/**
 * Admits a request to an agent. Rejects with `not-found`, also for one that the caller does not reach, with
 * `api-key-wrong` if the agent is bound to a key that the request does not carry, and with `flow-invalid` if its flow
 * cannot run.
 */
export async function openAgent(
  deps: OpenAgentDeps,
  { agentId, caller, readAgent = () => deps.getForRun(agentId) }: AgentRequest,
): Promise<OpenAgent> {
  const runnable = await readAgent();
  await assertKey(runnable, caller);
  const flow = deps.compile(runnable.versionId, runnable.flowData);
  if (flow.refusal !== undefined) throw new WeftError("flow-invalid", { params: { reason: flow.refusal } });
  return { ...runnable, flow };
}

/** Everything that a prediction can be sent to: agents, and assistants as their equivalent agents. */
export type Runnables = Omit<AgentReader, "listSettings" | "recallSettings">;

export function createRunnables(agents: AgentReader, assistants: AssistantReader): Runnables {
  return {
    flowOfVersion: agents.flowOfVersion,
    findSettings: agents.findSettings,
    toRunnable: agents.toRunnable,
    exists: async (tx, id) => (await agents.exists(tx, id)) || assistants.exists(tx, id),
    isThere: (id) => sql`(${agents.isThere(id)} or ${assistants.isThere(id)})`,
    hold: async (tx, id) => (await agents.hold(tx, id)) || assistants.exists(tx, id),
    async getForRun(id) {
      const found = (await ifFound(agents.getForRun(id))) ?? (await ifFound(assistants.getForRun(id)));
      if (found === undefined) throw new WeftError("not-found", { params: { resource: "agent", id } });
      return found;
    },
  };
}
