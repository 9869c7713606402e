import type { RunnableAgent } from "@weft/agents";
import {
  type ChatClientAccess,
  forbiddenOrigin,
  type Gate,
  type Limits,
  type RateLimit,
  type RateStanding,
  type Sender,
  toNetwork,
} from "@weft/http";
import { WeftError } from "@weft/schema";

type AgentSettings = RunnableAgent["agent"];

declare module "@weft/http" {
  interface Visited {
    agent: AgentSettings;
  }
}

type ChatClientGateDeps = {
  limits: Limits;
  policies: AgentPolicies;
  /** Origins whose pages may use the whole API, in lower case; `*`: all. */
  corsOrigins: readonly string[];
};

/** Reads allowed per write: a page that opens a chat reads several resources, then its images. */
const readsForWrite = 10;

/** The gate for chat clients: enforces an agent's settings on every request to it. */
export type ChatClientGate = Gate & {
  /** Whether pages of an origin may use an agent; undefined: all agents. */
  isOpenTo(origin: string, agentId: string | undefined): Promise<boolean>;
};

export function createChatClientGate({ limits, policies, corsOrigins }: ChatClientGateDeps): ChatClientGate {
  function trusts(origin: string): boolean {
    return corsOrigins.includes("*") || corsOrigins.includes(origin.toLowerCase());
  }

  async function admit(policy: AgentPolicy, access: ChatClientAccess, sender: Sender): Promise<void> {
    const { origin, headers } = sender;
    if (origin !== null && !allowsOrigin(policy, origin)) throw forbiddenOrigin(origin, policy.originMessage);
    const limit = limitOf(policy, access, sender);
    if (limit === undefined) return;
    const standing = await limits.take(limit.name, limit);
    Object.assign(headers, toHeaders(standing));
    if (standing.waitMs > 0) throw rateLimited(standing, limit.message);
  }

  function limitOf(
    { predictionLimit, agentId }: AgentPolicy,
    access: ChatClientAccess,
    { isAnonymous, clientAddress }: Sender,
  ): NamedLimit | undefined {
    if (access.counts === "prediction" && predictionLimit !== undefined)
      return { ...predictionLimit, name: `${agentId} ${toNetwork(clientAddress())}` };
    const { openLimit } = policies;
    if (access.permission === "open" || !isAnonymous || openLimit === undefined) return undefined;
    const network = toNetwork(clientAddress());
    if (access.counts !== "read") return { ...openLimit, name: network };
    return { ...openLimit, requests: openLimit.requests * readsForWrite, name: `reads ${network}` };
  }

  return {
    trusts,
    visit(access, request) {
      const findAgentId = once(async () => access.agentOf(request));
      let known: AgentPolicy | undefined;
      const findPolicy = once(async () => {
        const agentId = await findAgentId();
        known = agentId === undefined ? undefined : await policies.find(agentId);
        return known;
      });
      return {
        isOpen: async () => (await findPolicy())?.isOpen ?? false,
        async admit(sender) {
          if (!sender.isAnonymous && sender.origin === null && access.counts !== "prediction") return;
          const policy = await findPolicy();
          if (policy !== undefined) await admit(policy, access, sender);
        },
        check: assertOwnChat,
        visited: () => known?.agent && { agent: known.agent },
        async isReadBy(origin) {
          try {
            const policy = await findPolicy();
            return policy === undefined ? (await findAgentId()) !== undefined : sharesWith(policy, origin);
          } catch {
            return false;
          }
        },
        isUndecided: async () => (await findAgentId()) === undefined && (await policies.allowOpenAgents()),
      };
    },
    async isOpenTo(origin, agentId) {
      if (trusts(origin)) return true;
      const policy = agentId === undefined ? undefined : await policies.find(agentId).catch(() => undefined);
      return policy !== undefined && sharesWith(policy, origin);
    },
  };
}

/** Memoises a lookup, made on first use. */
function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => {
    found ??= find();
    return found;
  };
}

/** Without credentials, knowing a chat's id grants access to it, so every id in the request is checked. */
function assertOwnChat(parts: Readonly<Record<string, unknown>>): void {
  for (const part of Object.values(parts)) {
    if (typeof part === "object" && part !== null && "chatId" in part) assertUnguessable("chatId", part.chatId);
  }
}

/**
 * The agent lets the origin read its answers: by name, or because it is open and names no origins. Any page may read
 * that an agent does not exist, so that it can say so.
 */
function sharesWith(policy: AgentPolicy, origin: string): boolean {
  return policy.allowedHosts.length === 0 ? policy.isOpen : allowsOrigin(policy, origin);
}

type NamedLimit = RateLimit & { name: string; message?: string | undefined };

function rateLimited({ waitMs }: RateStanding, message: string | undefined): WeftError {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  return new WeftError("rate-limited", { params: { retryAfterSeconds }, ...(message !== undefined && { message }) });
}

/** Header names that existing API clients read; `Reset` is in seconds since the epoch. */
function toHeaders({ limit, remaining, resetAtMs }: RateStanding): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(Math.ceil(resetAtMs / 1_000)),
  };
}

/** An agent's settings for the requests of chat clients. */
export type AgentPolicy = {
  agentId: string;
  agent?: AgentSettings;
  /** It may be used without credentials. */
  isOpen: boolean;
  /** Hosts whose pages may use it, such as `example.com:8080`. Empty: all. */
  allowedHosts: readonly string[];
  /** Every host is explicitly allowed, so it may also frame the agent's chat page. Default false. */
  allowsEveryHost?: boolean;
  /** Error text for other pages, in place of the catalogue's. */
  originMessage?: string | undefined;
  /** Predictions that one client may request. `message`: the error text beyond that. */
  predictionLimit?: (RateLimit & { message?: string | undefined }) | undefined;
};

export type AgentPolicies = {
  /** Undefined for an unknown agent. */
  find(agentId: string): Promise<AgentPolicy | undefined>;
  /** Whether any agent may be open. */
  allowOpenAgents(): Promise<boolean>;
  /**
   * How often one client may write to open agents without credentials; reads are allowed ten times as often and counted
   * separately. Undefined: unlimited.
   */
  openLimit?: RateLimit | undefined;
};

/** Whether pages of an origin may use the agent. Schemes are ignored, as existing settings expect. */
export function allowsOrigin({ allowedHosts }: AgentPolicy, origin: string): boolean {
  return allowedHosts.length === 0 || (URL.canParse(origin) && allowedHosts.includes(new URL(origin).host));
}

/** A uuid, optionally after a prefix of the client's own, such as `customer-7+0198a1b2-…`. */
const unguessable = /(^|[^0-9a-f-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Visitors without credentials prove nothing but the id of a chat or session, so it must be impossible to guess. Throws
 * `validation-failed` for one that is not a UUID and does not end in one. The server generates an absent one.
 */
export function assertUnguessable(path: string, id: unknown): void {
  if (id === undefined || id === null || id === "" || (typeof id === "string" && unguessable.test(id))) return;
  throw new WeftError("validation-failed", {
    params: { reason: `without credentials ${path} must be a uuid, or end in one, so that it cannot be guessed` },
    errors: [{ path, message: "must be a uuid, or end in one" }],
  });
}
