import { WeftError } from "@weft/schema";
import { completeHeaders } from "../answer/to-response.ts";
import type { Exchange } from "../route/exchange.ts";
import { readQuery } from "../route/read-query.ts";
import type { RouteTable } from "../route/route-table.ts";
import { type AgentPolicies, type AgentPolicy, allowsOrigin, forbiddenOrigin } from "./chat-client-gate.ts";

/**
 * Which pages of other origins may read the API. Credentials are never shared: there are no cookies.
 * Source: the Fetch standard, "CORS protocol".
 */
export type CorsDeps = {
  /** Origins whose pages may use the whole API, in lower case; `*`: all. Default none. */
  corsOrigins?: readonly string[];
  agentPolicies?: AgentPolicies;
};

const requestHeaders =
  "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-API-Key";
const responseHeaders =
  "ETag, X-Request-Id, Retry-After, Idempotent-Replayed, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";

/** How long a browser may remember the answer to a preflight: allowed origins can change. */
const maxAgeSeconds = 600;

/** Whether a browser asks if a page may send a request. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method");
}

/** Headers that let the page that sent a request read the answer; none for a page that may not. */
export async function toSharingHeaders(deps: CorsDeps, exchange: Exchange): Promise<Record<string, string>> {
  const origin = exchange.request.headers.get("origin");
  if (origin === null || !(await isShared(deps, exchange, origin))) return {};
  return { "Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": responseHeaders };
}

/**
 * The answer to a preflight. Throws `path-unknown`, and `forbidden-origin` for a page that may not send the request.
 * Where the body will say which agent it is for, the request itself is refused instead.
 */
export async function answerPreflight(deps: CorsDeps, table: RouteTable, exchange: Exchange): Promise<Response> {
  const { request, path } = exchange;
  const methods = table.allowedMethods(path);
  if (methods.length === 0) throw new WeftError("path-unknown", { params: { path: path.slice(0, 200) } });
  const method = request.headers.get("access-control-request-method") ?? "";
  const { route, params = {} } = table.find(method, path) ?? {};
  const access = typeof route?.permission === "object" ? route.permission : undefined;
  const raw = { method, params, query: readQuery(request.url), body: async () => undefined };
  const agentId = await access?.agentOf(raw);
  if (agentId !== undefined) {
    exchange.findPolicy = async () => {
      const policy = await deps.agentPolicies?.find(agentId);
      exchange.namesUnknownAgent = policy === undefined;
      return policy;
    };
  }
  const isDecidedLater = access !== undefined && agentId === undefined && deps.agentPolicies?.hasOpenAgents;
  const origin = request.headers.get("origin") ?? "";
  if (!isDecidedLater && !(await isShared(deps, exchange, origin))) throw forbiddenOrigin(origin);
  const headers = {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": requestHeaders,
    "Access-Control-Max-Age": String(maxAgeSeconds),
  };
  return completeHeaders(new Response(null, { status: 204, headers }), exchange.requestId);
}

/**
 * The operator lets the origin use everything, or the agent lets it: by name, or because it is open and names none. That
 * an agent does not exist any page may read, so that it can say so.
 */
export async function isShared(
  deps: CorsDeps,
  exchange: Pick<Exchange, "findPolicy" | "namesUnknownAgent">,
  origin: string,
): Promise<boolean> {
  const { corsOrigins = [] } = deps;
  if (corsOrigins.includes("*") || corsOrigins.includes(origin.toLowerCase())) return true;
  const policy: AgentPolicy | undefined = await exchange.findPolicy?.().catch(() => undefined);
  if (policy === undefined) return exchange.namesUnknownAgent === true;
  return policy.allowedHosts.length === 0 ? policy.isOpen : allowsOrigin(policy, origin);
}
