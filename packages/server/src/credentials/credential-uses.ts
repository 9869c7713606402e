import type { Reference } from "@weft/engine";
import { listServers } from "@weft/integrations";
import {
  type Destination,
  isJsonObject,
  type Json,
  type JsonObject,
  parseBoundHost,
  parseJson,
  toBoundHost,
} from "@weft/schema";
import type { StoredReference } from "../references/index.ts";
import { hostsOfProvider, type OperatorAddresses } from "./credential-types.ts";

/** Where settings send a credential: hosts that can be read from them, or a text that only a run can resolve. */
export type CredentialUse = {
  credential: string;
  /** Entries as `parseBoundHost` makes them. */
  hosts: string[];
  unreadable: string[];
};

/** A use by a step of a flow; `nodeId` is null outside of flows. */
export type PlacedUse = CredentialUse & { nodeId: string | null };

/** The destinations to which stored settings send credentials. `apiConfig`: of the agent that names them. */
export type CredentialUses = (references: readonly StoredReference[], apiConfig?: string) => Promise<PlacedUse[]>;

export function createCredentialUses(
  variables: { all(): Promise<JsonObject> },
  operator: OperatorAddresses,
): CredentialUses {
  return async (references, apiConfig = "{}") => {
    const credentials = references.filter(({ kind, id }) => kind === "credential" && !id.includes("{{"));
    if (credentials.length === 0) return [];
    const values = await variables.all();
    const overridable = overridableVariables(apiConfig);
    const context: UseContext = {
      hostsOfProvider: (name) => hostsOfProvider(name, operator),
      resolve: (text) =>
        text.replaceAll(/\{\{\s*\$vars\.(\w+)\s*\}\}/g, (reference, name: string) => {
          const value = values[name];
          const isFixed = !overridable.has(name) && (typeof value === "string" || typeof value === "number");
          return isFixed ? String(value) : reference;
        }),
    };
    return Promise.all(credentials.map(async ({ nodeId, ...use }) => ({ ...(await toUse(use, context)), nodeId })));
  };
}

/** Names of the variables that callers may override. */
function overridableVariables(apiConfig: string): Set<string> {
  const config = parseJson(apiConfig);
  const override = isJsonObject(config) ? config.overrideConfig : undefined;
  if (!isJsonObject(override) || override.status !== true || !Array.isArray(override.variables)) return new Set();
  const enabled = override.variables.filter(isJsonObject).filter((variable) => variable.enabled === true);
  return new Set(enabled.map(({ name }) => String(name)));
}

type UseContext = {
  /** The text with the values of variables that no caller may override. */
  resolve(text: string): string;
  /** The hosts of a provider whose settings hold no address. */
  hostsOfProvider(name: string): string[];
};

/** A destination's addresses, as in the settings, or its hosts. */
type Said = { addresses: string[]; port?: number } | { hosts: string[] };

/** The first applicable destination counts. */
async function toUse(reference: Reference, context: UseContext): Promise<CredentialUse> {
  const use: CredentialUse = { credential: reference.id, hosts: [], unreadable: [] };
  for (const destination of reference.goesTo ?? []) {
    const said = await whatSays(destination, reference, context);
    const isSilent = "hosts" in said ? said.hosts.length === 0 : said.addresses.length === 0;
    if (isSilent) continue;
    if ("hosts" in said) return { ...use, hosts: [...new Set(said.hosts)] };
    for (const address of said.addresses) {
      const host = hostOf(context.resolve(address), said.port);
      if (host === undefined) use.unreadable.push(address.slice(0, 200));
      else use.hosts.push(host);
    }
    return { ...use, hosts: [...new Set(use.hosts)] };
  }
  return use;
}

async function whatSays(
  destination: Destination,
  { beside, component }: Reference,
  context: UseContext,
): Promise<Said> {
  if ("address" in destination) {
    const { address, ...port } = destination;
    return { addresses: given(beside[address]), ...port };
  }
  if ("host" in destination) return databaseHost(destination, beside);
  if ("provider" in destination) {
    const [name = component] = destination.provider === null ? [] : given(beside[destination.provider]);
    return { hosts: context.hostsOfProvider(name) };
  }
  if ("by" in destination) {
    const [name = destination.otherwise] = given(beside[destination.by]);
    return { hosts: [...(Object.hasOwn(destination.hosts, name) ? (destination.hosts[name] ?? []) : [])] };
  }
  return "hosts" in destination ? { hosts: [...destination.hosts] } : { addresses: await openApiServers(beside) };
}

function given(value: Json | undefined): string[] {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? [] : [text];
}

type DatabaseDestination = Extract<Destination, { host: string }>;

function databaseHost({ host: hostField, port: portField, ...rest }: DatabaseDestination, beside: JsonObject): Said {
  const [host] = given(beside[hostField]);
  if (host === undefined) return { hosts: [] };
  const system = "system" in rest ? (given(beside[rest.system])[0] ?? rest.otherwise) : "";
  const usual = "system" in rest ? (rest.usual[system] ?? 0) : rest.usual;
  const entry = parseBoundHost(`${host}:${String(beside[portField] ?? usual)}`);
  return entry === undefined ? { addresses: [host] } : { hosts: [entry] };
}

async function openApiServers(beside: JsonObject): Promise<string[]> {
  const isDescribed = ["openApiFile", "yamlFile", "openApiLink"].some((field) => given(beside[field]).length > 0);
  if (!isDescribed) return [];
  const servers = await listServers(beside as Parameters<typeof listServers>[0]).catch(() => undefined);
  return servers ?? ["its OpenAPI link"];
}

/** The entry for an address with a literal host; undefined if a template may still choose it. */
function hostOf(address: string, port?: number): string | undefined {
  const [, origin = ""] = /^\s*(https?:\/\/[^/?#{}\s\\]+)(?=[/?#]|\s*$)/i.exec(address) ?? [];
  const url = URL.parse(origin);
  if (url === null || url.username !== "" || url.password !== "") return undefined;
  if (port !== undefined && !/:\d+$/.test(origin)) url.port = String(port);
  return toBoundHost(url);
}
