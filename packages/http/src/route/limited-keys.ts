import { WeftError } from "@weft/schema";
import type { Route } from "./define-route.ts";
import type { Identity } from "./identity.ts";
import { isGranted, type Permission } from "./permissions.ts";
import { reachesAgent, reachOf } from "./reach.ts";

/** What a request for an agent beyond the reach of its API key is answered with, and nothing is handled. */
export type Unreached = { answer: unknown };

/**
 * Keeps API keys that are limited to agents to these. Undefined where the request may be handled. Throws `not-found` for
 * a foreign agent, as for an unknown one, and `forbidden` for operations that are not about one of the key's agents.
 */
export function keepToAgents(route: Route, identity: Identity | undefined, params: unknown): Unreached | undefined {
  const reach = reachOf(identity);
  if (reach.agents === "all" || route.agent === "reach") return undefined;
  if (route.agent === undefined) {
    if (!isAboutAgents(route)) return undefined;
    throw new WeftError("forbidden", { params: { permission: "" }, message: notAboutOne });
  }
  const { param, resource = "agent", unknown } = route.agent;
  const id = String((params as Record<string, unknown>)[param]);
  if (reachesAgent(reach, id)) return undefined;
  if (unknown === undefined) throw new WeftError("not-found", { params: { resource, id } });
  return { answer: unknown() };
}

function isAboutAgents({ permission: access }: Route): boolean {
  const permission = typeof access === "string" ? access : access.permission;
  return permission.startsWith("agents:") || permission.startsWith("assistants:");
}

const notAboutOne =
  "This API key is limited to agents, and this operation is not about one of them. Use a key without that limit.";

/** Finds who sends a request by its Authorization header. Throws `unauthenticated` when that proves nobody. */
export type Authenticate = (authorization: string | null) => Identity | Promise<Identity>;

export type AuthoriseRequest = {
  route: Route;
  authorization: string | null;
  authenticate: Authenticate;
  /** Whether the agent that a chat client asks for is open. Called for chat clients that send no credentials. */
  isAgentOpen(): Promise<boolean>;
};

/**
 * Who may go on with a request; undefined for somebody unknown on an open route. Whatever is not open needs a valid
 * bearer with the route's permission: throws `unauthenticated` or `forbidden`.
 */
export async function authorise(request: AuthoriseRequest): Promise<Identity | undefined> {
  const { permission: access } = request.route;
  if (access === "open") return undefined;
  if (access === "signed-in") return request.authenticate(request.authorization);
  if (typeof access === "string") return demand(access, request);
  if (access.permission === "open") return undefined;
  if (request.authorization === null && !access.needsBearer && (await request.isAgentOpen())) return undefined;
  return demand(access.permission, request);
}

async function demand(permission: Permission, { authorization, authenticate }: AuthoriseRequest): Promise<Identity> {
  const identity = await authenticate(authorization);
  if (!isGranted(identity.grants, permission)) throw new WeftError("forbidden", { params: { permission } });
  return identity;
}
