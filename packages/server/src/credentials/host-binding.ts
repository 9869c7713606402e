import { readFlow } from "@weft/dialects";
import { ifFound, type Route } from "@weft/http";
import { type Identity, isGranted } from "@weft/http/identity";
import { listServers, searchProviders } from "@weft/integrations";
import { parseSpeechToText } from "@weft/providers";
import {
  type Assistant,
  coversHost,
  type Finding,
  isJsonObject,
  type Json,
  type JsonObject,
  type OwnStore,
  parseJson,
  toBoundHost,
} from "@weft/schema";
import type { CredentialService } from "./credential.service.ts";
import { hostsOfProvider, type OperatorAddresses } from "./credential-types.ts";

/** What of an agent decides where credentials go. */
type AgentSettings = { flowData: string; apiConfig?: string; speechToText?: string };

/** Where settings send credentials. */
export type CredentialUses = {
  usesOfAgent(agent: AgentSettings): Promise<(CredentialUse & { nodeId: string | null })[]>;
  usesOfSettings(settings: Json | readonly OwnStore[]): Promise<CredentialUse[]>;
};

export type HostBinding = CredentialUses & {
  /** Adds the hosts that can be read to the credentials. For callers who may change credentials. */
  bind(uses: readonly CredentialUse[]): Promise<void>;
  /** What of an agent would be refused, or cannot be told before it runs. */
  check(agent: AgentSettings): Promise<Finding[]>;
};

export type CredentialUsesDeps = { variables: { all(): Promise<JsonObject> }; operator: OperatorAddresses };

export type HostBindingDeps = CredentialUsesDeps & { credentials: CredentialService };

export function createCredentialUses({ variables, operator }: CredentialUsesDeps): CredentialUses {
  /** Nothing overrides variables outside agents. */
  async function contextOf(apiConfig: string): Promise<UseContext> {
    const values = await variables.all();
    const overridable = overridableVariables(apiConfig);
    return {
      hostsOfProvider: (name) => hostsOfProvider(name, operator),
      resolve: (text) =>
        text.replaceAll(/\{\{\s*\$vars\.(\w+)\s*\}\}/g, (reference, name: string) => {
          const value = values[name];
          const isFixed = !overridable.has(name) && (typeof value === "string" || typeof value === "number");
          return isFixed ? String(value) : reference;
        }),
    };
  }

  async function usesOfAgent({ flowData, apiConfig = "{}", speechToText = "{}" }: AgentSettings) {
    const context = await contextOf(apiConfig);
    const { flow, stores = [] } = readFlow(flowData);
    const inFlow = flow.nodes.map(async ({ id: nodeId, type, config }) =>
      (await usesIn({ type, config }, context)).map((use) => ({ ...use, nodeId })),
    );
    const inStores = usesIn(stores, context);
    const speech = parseSpeechToText(speechToText);
    const inSpeech = await usesIn(
      speech?.credentialId === undefined
        ? {}
        : { provider: speech.provider, credential: speech.credentialId, baseUrl: speech.baseUrl ?? "" },
      context,
    );
    const ofNoNode = [...(await inStores), ...inSpeech].map((use) => ({ ...use, nodeId: null }));
    return [...(await Promise.all(inFlow)).flat(), ...ofNoNode];
  }

  return { usesOfAgent, usesOfSettings: async (settings) => usesIn(settings, await contextOf("{}")) };
}

export function createHostBinding({ credentials, ...deps }: HostBindingDeps): HostBinding {
  const { usesOfAgent, usesOfSettings } = createCredentialUses(deps);

  async function checkUse({ credential: id, hosts, unreadable, nodeId }: CredentialUse & { nodeId: string | null }) {
    const credential = await ifFound(credentials.get(id));
    if (credential === undefined) return [];
    const bound = [...credential.hosts, ...credential.impliedHosts];
    const unbound = hosts.filter((host) => !coversHost(bound, host));
    return [
      ...unbound.map(
        (host): Finding => ({ ...unboundFinding(credential.name, host), nodeId, bind: { credential: id, host } }),
      ),
      ...unreadable.map(
        (address): Finding => ({ ...unreadableFinding({ name: credential.name, address, bound }), nodeId }),
      ),
    ];
  }

  return {
    usesOfAgent,
    usesOfSettings,
    async bind(uses) {
      const hostsOf = Map.groupBy(uses, (use) => use.credential);
      for (const [id, of] of hostsOf) {
        const hosts = of.flatMap((use) => use.hosts);
        if (hosts.length > 0) await credentials.addHosts(id, hosts);
      }
    },
    async check(agent) {
      return (await Promise.all((await usesOfAgent(agent)).map(checkUse))).flat();
    },
  };
}

function unboundFinding(name: string, host: string) {
  return {
    level: "error" as const,
    code: "credential-host-unbound",
    message: `Its credential ${name} may not be sent to ${host}, so the call will be refused. Add ${host} to the credential's hosts if it is meant for that host, or correct the address.`,
  };
}

function unreadableFinding({ name, address, bound }: { name: string; address: string; bound: readonly string[] }) {
  const list = bound.length === 0 ? "which has no hosts yet" : `which may be sent to ${bound.slice(0, 10).join(", ")}`;
  return {
    level: "warning" as const,
    code: "credential-host-unknown",
    message: `The host of ${address} is only known at run time, and it uses the credential ${name}, ${list}. Any other host is refused: add the intended hosts to the credential, or write the host in the address.`,
  };
}

/** Names of the variables that callers may give a value of their own. */
function overridableVariables(apiConfig: string): Set<string> {
  try {
    const { overrideConfig } = JSON.parse(apiConfig) as { overrideConfig?: { status?: unknown; variables?: unknown } };
    if (overrideConfig?.status !== true || !Array.isArray(overrideConfig.variables)) return new Set();
    const enabled = (overrideConfig.variables as { name?: unknown; enabled?: unknown }[]).filter(
      (variable) => variable?.enabled === true,
    );
    return new Set(enabled.map(({ name }) => String(name)));
  } catch {
    return new Set();
  }
}

type Request = Parameters<Route["handle"]>[0];

/** What of a write names credentials: a saved agent or assistant, the settings in the body, or its `overrideConfig`. */
export type Binding = "agents" | "assistants" | "settings" | "overrides";

/**
 * Writes bind credentials to the hosts that they name, for callers who may change credentials. Settings that a request
 * brings are bound before it is handled, since some are used at once; agents and assistants as they were saved.
 */
export function bindingHosts(routes: Route[], hosts: HostBinding, what: Binding): Route[] {
  switch (what) {
    case "agents":
      return afterWrite(routes, hosts, (agent) => hosts.usesOfAgent(agent as AgentSettings));
    case "assistants":
      return afterWrite(routes, hosts, (result) => {
        const { credential, details } = result as Assistant;
        return hosts.usesOfSettings({ credential, provider: details.provider ?? "" });
      });
    case "settings":
      return beforeWrite(routes, hosts, (body) => body);
    case "overrides":
      return beforeWrite(routes, hosts, ({ overrideConfig }) => overrideConfig ?? {});
  }
}

function beforeWrite(routes: Route[], binding: HostBinding, settingsOf: (body: JsonObject) => Json): Route[] {
  return wrapWrites(routes, (handle) => async (request) => {
    const settings = settingsOf((request.body ?? {}) as JsonObject);
    if (mayBind(request)) await binding.bind(await binding.usesOfSettings(settings));
    return handle(request);
  });
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

/** Where settings send a credential: hosts that can be read from them, or a text that only a run can tell. */
export type CredentialUse = {
  credential: string;
  /** Entries as `parseBoundHost` makes them. */
  hosts: string[];
  unreadable: string[];
};

type UseContext = {
  /** The text with the values of variables that no caller may override. */
  resolve(text: string): string;
  /** Where a provider is asked when its settings hold no address. */
  hostsOfProvider(name: string): string[];
};

/**
 * Every pair of a credential and an address in settings of any kind: nodes, models, tools, loaders, embeddings, vector
 * stores. Both stand side by side in one object, whatever it belongs to; JSON text counts as what it holds.
 */
async function usesIn(settings: unknown, context: UseContext): Promise<CredentialUse[]> {
  const found: Promise<CredentialUse>[] = [];
  const add: Found = (object, kind, credential) => found.push(toUse({ object, kind, credential }, context));
  visit(settings, { kind: "", depth: 0 }, add);
  return Promise.all(found);
}

const credentialKeys = ["credential", "FLOWISE_CREDENTIAL_ID", "credentialId"];
const addressKeys = ["url", "baseUrl", "basePath", "basepath", "qdrantServerUrl", "qdrantUrl", "serverUrl"];
/** Settings whose keys are somebody else's words. */
const foreign = new Set(["headers", "parameters", "query", "body", "overrides", "arguments", "overrideConfig"]);
const longestJsonText = 200_000;
const maxDepth = 64;

type Found = (object: JsonObject, kind: string, credential: string) => void;

/** `kind`: the type or name of what the value belongs to. */
type Level = { kind: string; depth: number };

function visit(value: unknown, { kind, depth }: Level, found: Found): void {
  if (depth > maxDepth) return;
  const inner = { kind, depth: depth + 1 };
  if (typeof value === "string") visitText(value, inner, found);
  else if (Array.isArray(value)) for (const item of value) visit(item, inner, found);
  else if (isJsonObject(value)) visitObject(value, inner, found);
}

/** A component keeps its credential beside its config, or in it. */
function visitObject(value: JsonObject, { kind, depth }: Level, found: Found): void {
  const own = textOf(value.type) || textOf(value.name) || kind;
  const { config, ...outer } = value;
  const isNested = isJsonObject(config);
  const whole = isNested ? { ...outer, ...config } : value;
  const credential = credentialKeys.map((key) => textOf(whole[key])).find((id) => id !== "" && !id.includes("{{"));
  if (credential !== undefined) found(whole, own, credential);
  for (const [name, setting] of Object.entries(credential === undefined ? value : whole)) {
    if (!foreign.has(name)) visit(setting, { kind: name === "config" ? own : name, depth }, found);
  }
}

function visitText(text: string, level: Level, found: Found): void {
  if (!/^\s*[[{]/.test(text) || text.length > longestJsonText) return;
  const parsed = parseJson(text);
  if (parsed !== undefined) visit(parsed, level, found);
}

type Place = { object: JsonObject; kind: string; credential: string };

async function toUse(place: Place, context: UseContext): Promise<CredentialUse> {
  const use: CredentialUse = { credential: place.credential, hosts: [], unreadable: [] };
  const addresses = await addressesOf(place);
  for (const address of addresses) {
    const host = hostOf(context.resolve(address), place.kind);
    if (host === undefined) use.unreadable.push(address.slice(0, 200));
    else use.hosts.push(host);
  }
  if (addresses.length === 0) use.hosts.push(...hostsWithoutAddress(place, context));
  return { ...use, hosts: [...new Set(use.hosts)] };
}

async function addressesOf({ object, kind }: Place): Promise<string[]> {
  const addresses = addressKeys.map((key) => textOf(object[key])).filter((text) => text !== "");
  if (kind !== "mcp-server" && textOf(object.server) !== "") addresses.push(textOf(object.server));
  if (addresses.length > 0) return addresses;
  const host = textOf(object.host);
  if (host !== "") return [`http://${host}:${String(object.port ?? (object.engine === "mysql" ? "3306" : "5432"))}`];
  if (!["openApiFile", "yamlFile", "openApiLink"].some((key) => textOf(object[key]) !== "")) return [];
  return (
    (await listServers(object as Parameters<typeof listServers>[0]).catch(() => undefined)) ?? ["its OpenAPI link"]
  );
}

function hostsWithoutAddress({ object, kind }: Place, { hostsOfProvider }: UseContext): string[] {
  if (kind === "web-search") {
    const name = textOf(object.provider) || "tavily";
    const service = Object.hasOwn(searchProviders, name)
      ? searchProviders[name as keyof typeof searchProviders]
      : undefined;
    return service?.baseUrl === undefined ? [] : [new URL(service.baseUrl).host];
  }
  return hostsOfProvider(textOf(object.provider) || kind);
}

/** The entry for an address whose host is spelt out; undefined when a template may still choose it. */
function hostOf(address: string, kind: string): string | undefined {
  const [, origin = ""] = /^\s*(https?:\/\/[^/?#{}\s\\]+)(?=[/?#]|\s*$)/i.exec(address) ?? [];
  const url = URL.parse(origin);
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  // Qdrant listens there, whatever the scheme's own port is.
  const usesOwnPort = kind === "qdrant" && !/:\d+$/.test(origin);
  return usesOwnPort ? `${url.hostname}:6333` : toBoundHost(url);
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}
