import { listServers, searchProviders } from "@weft/integrations";
import { isJsonObject, type Json, type JsonObject, parseJson, toBoundHost } from "@weft/schema";

/** Where settings send a credential: hosts that can be read from them, or a text that only a run can tell. */
export type CredentialUse = {
  credential: string;
  /** Entries as `parseBoundHost` makes them. */
  hosts: string[];
  unreadable: string[];
};

export type UseContext = {
  /** The text with the values of variables that no caller may override. */
  resolve(text: string): string;
  /** Where a provider is asked when its settings hold no address. */
  hostsOfProvider(name: string): string[];
};

/**
 * Every pair of a credential and an address in settings of any kind: nodes, models, tools, loaders, embeddings, vector
 * stores. Both stand side by side in one object, whatever it belongs to; JSON text counts as what it holds.
 */
export async function usesIn(settings: Json, context: UseContext): Promise<CredentialUse[]> {
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

function visit(value: Json, { kind, depth }: Level, found: Found): void {
  if (depth > maxDepth) return;
  const inner = { kind, depth: depth + 1 };
  if (typeof value === "string") visitText(value, inner, found);
  else if (Array.isArray(value)) for (const item of value) visit(item, inner, found);
  else if (value !== null && typeof value === "object") visitObject(value, inner, found);
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
  if (host !== "") return [`http://${host}:${String(object.port ?? "5432")}`];
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
