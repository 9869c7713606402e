import { WeftError } from "@weft/schema";
import type { Route } from "./define-route.ts";
import type { Identity } from "./identity.ts";
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
