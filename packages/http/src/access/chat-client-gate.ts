import type { Clock } from "@weft/engine";
import { WeftError } from "@weft/schema";
import { toNetwork } from "../client-address.ts";
import type { ChatClientAccess } from "../route/define-route.ts";
import { createRateLimiter, type RateLimit, type RateStanding } from "./rate-limiter.ts";

/** A request for an agent by somebody who may make it. */
export type Visit = {
  access: ChatClientAccess;
  policy: AgentPolicy;
  /** Whether it came without credentials. */
  isAnonymous: boolean;
  /** The Origin header: the site of the page that sends the request. Other programs send none. */
  origin: string | null;
  clientAddress(): string;
  /** Where headers of the answer are left, for a refusal as well. */
  headers: Record<string, string>;
};

/** What holds for the chat clients of an agent, whoever sends the request. */
export type ChatClientGate = {
  /** Lets a request pass and counts it. Throws `forbidden-origin` and `rate-limited`. */
  admit(visit: Visit): void;
};

export function createChatClientGate(clock: Pick<Clock, "now">, openLimit: AgentPolicies["openLimit"]): ChatClientGate {
  const limiter = createRateLimiter(clock);

  function limitOf({ access, policy, isAnonymous, clientAddress }: Visit): NamedLimit | undefined {
    const { predictionLimit, agentId } = policy;
    if (access.counts === "prediction" && predictionLimit !== undefined)
      return { ...predictionLimit, name: `${agentId} ${toNetwork(clientAddress())}` };
    if (access.counts === "read" || access.permission === "open") return undefined;
    if (!isAnonymous || openLimit === undefined) return undefined;
    return { ...openLimit, name: toNetwork(clientAddress()) };
  }

  return {
    admit(visit) {
      const { policy, origin, headers } = visit;
      if (origin !== null && !allowsOrigin(policy, origin)) throw forbiddenOrigin(origin, policy.originMessage);
      const limit = limitOf(visit);
      if (limit === undefined) return;
      const standing = limiter.take(limit.name, limit);
      Object.assign(headers, toHeaders(standing));
      if (standing.waitMs > 0) throw rateLimited(standing, limit.message);
    },
  };
}

/** `message`: default the catalogue's. */
export function forbiddenOrigin(origin: string, message?: string): WeftError {
  return new WeftError("forbidden-origin", {
    params: { origin: origin.slice(0, 200) },
    ...(message !== undefined && { message }),
  });
}

type NamedLimit = RateLimit & { name: string; message?: string | undefined };

function rateLimited({ waitMs }: RateStanding, message: string | undefined): WeftError {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  return new WeftError("rate-limited", { params: { retryAfterSeconds }, ...(message !== undefined && { message }) });
}

/** The names that existing clients of the API read; `Reset` is in seconds since the epoch. */
function toHeaders({ limit, remaining, resetAtMs }: RateStanding): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(Math.ceil(resetAtMs / 1_000)),
  };
}

/** What the settings of an agent say about the requests of chat clients. */
export type AgentPolicy = {
  agentId: string;
  /** Whether it may be used without credentials. */
  isOpen: boolean;
  /** Hosts of the pages that may use it, as in `example.com:8080`. Empty: all. */
  allowedHosts: readonly string[];
  /** What other pages are told in place of the catalogue's words. */
  originMessage?: string | undefined;
  /** How many predictions one client may ask for. `message`: what is said beyond that. */
  predictionLimit?: (RateLimit & { message?: string | undefined }) | undefined;
};

/** What is known of all agents' chat clients. */
export type AgentPolicies = {
  /** Undefined for an unknown agent. */
  find(agentId: string): Promise<AgentPolicy | undefined>;
  /** Whether any agent can be open. */
  hasOpenAgents: boolean;
  /** How often one client may write to open agents without credentials; undefined: as often as it likes. */
  openLimit?: RateLimit | undefined;
};

/** Whether pages of an origin may use the agent. Schemes do not count, as existing settings expect. */
export function allowsOrigin({ allowedHosts }: AgentPolicy, origin: string): boolean {
  return allowedHosts.length === 0 || (URL.canParse(origin) && allowedHosts.includes(new URL(origin).host));
}
