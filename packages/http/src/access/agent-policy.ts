import type { RateLimit } from "./rate-limiter.ts";

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
