import { type Identity, isGranted, type Route } from "@weft/http";
import type { Assistant, Json, JsonObject } from "@weft/schema";
import type { CredentialUse } from "./credential-uses.ts";
import type { AgentSettings, HostBinding } from "./host-binding.ts";

type Request = Parameters<Route["handle"]>[0];

/** Writes of agents bind credentials to the hosts that the saved agent names, for callers who may change credentials. */
export function bindingAgents(routes: Route[], binding: HostBinding): Route[] {
  return afterWrite(routes, binding, (agent) => binding.usesOfAgent(agent as AgentSettings));
}

/** As `bindingAgents`, for assistants. */
export function bindingAssistants(routes: Route[], binding: HostBinding): Route[] {
  return afterWrite(routes, binding, (result) => {
    const { credential, details } = result as Assistant;
    return binding.usesOfSettings({ credential, provider: details.provider ?? "" });
  });
}

/** Settings that a request brings are bound before it is handled: some are used at once. `settingsOf` finds them in its body. */
export function bindingSettings(
  routes: Route[],
  binding: HostBinding,
  settingsOf: (body: JsonObject) => Json | undefined = (body) => body,
): Route[] {
  return wrapWrites(routes, (handle) => async (request) => {
    const settings = settingsOf((request.body ?? {}) as JsonObject);
    if (mayBind(request)) await binding.bind(await binding.usesOfSettings(settings ?? {}));
    return handle(request);
  });
}

/** An upsert that is asked of an agent saves the loader that its `overrideConfig` brings. */
export function bindingOverrides(routes: Route[], binding: HostBinding): Route[] {
  return bindingSettings(routes, binding, ({ overrideConfig }) => overrideConfig);
}

function afterWrite(
  routes: Route[],
  binding: HostBinding,
  usesOf: (result: unknown) => Promise<CredentialUse[]>,
): Route[] {
  return wrapWrites(routes, (handle) => async (request) => {
    const result = await handle(request);
    if (mayBind(request)) await binding.bind(await usesOf(result));
    return result;
  });
}

function wrapWrites(routes: Route[], wrap: (handle: Route["handle"]) => Route["handle"]): Route[] {
  return routes.map((route) =>
    route.method === "POST" || route.method === "PUT" ? { ...route, handle: wrap(route.handle) } : route,
  );
}

function mayBind({ identity }: Request): boolean {
  return isGranted((identity as Identity).grants, "credentials:write");
}
