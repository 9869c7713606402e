import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { describeRefusedAddress } from "./address-policy.ts";
import { DestinationRefusedError, EgressFailure } from "./failure.ts";

/**
 * Checks what the URL alone shows; names are checked again by their addresses when connecting.
 * Throws an `EgressFailure` for schemes other than http(s) and for credentials in the URL, and a
 * `DestinationRefusedError` for destinations that the operator could allow and did not: `localhost` names, names that
 * end in a dot, and literal addresses (the URL parser has turned every decimal, octal, hexadecimal and full-width
 * spelling into dotted form).
 */
export function checkDestination(url: URL, allowList: AllowList): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new EgressFailure(`only http and https are possible, not ${url.protocol.slice(0, -1)}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new EgressFailure("it contains a user name or password; send them in an Authorization header");
  }
  if (!allowList.permits(url.hostname, portOf(url))) checkHostname(url.hostname);
}

/** Refuses the address of a host unless it is reachable over the public internet. */
export function checkAddress(address: string): void {
  const description = describeRefusedAddress(address);
  if (description !== undefined) throw new DestinationRefusedError(`its address is ${description}`);
}

/** Refuses names of this machine, names that end in a dot, and literal addresses as `checkAddress` does. */
export function checkHostname(hostname: string): void {
  const bare = withoutBrackets(hostname);
  if (isIP(bare) !== 0) checkAddress(bare);
  if (hostname.endsWith(".")) throw new DestinationRefusedError("its host name ends in a dot");
  if (hostname === "localhost" || hostname.endsWith(".localhost")) {
    throw new DestinationRefusedError("its host is this machine");
  }
}

/** `[::1]` → `::1`. */
function withoutBrackets(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/** All IP addresses of a host name, best first. Rejects with an error whose `code` is that of `dns.lookup`. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** Asks the operating system, as `dns.lookup` does. */
export const resolveBySystem: ResolveHost = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: "verbatim" });
  return found.map((entry) => entry.address);
};

/** Header values as received, names in lower case; a repeated header is a list. */
export type ResponseHeaders = Record<string, string | string[] | undefined>;

/** Whether the operator's configuration allows a destination. Host as in `URL.hostname`, port as a number. */
export type AllowList = { permits(hostname: string, port: number): boolean };

/** How the hosts of destinations are found, and which may be called whatever they resolve to. */
export type Destinations = { allowList: AllowList; resolve: ResolveHost };

/**
 * Parses `host:port` entries (IPv6 in brackets, `[::1]:5566`).
 * An entry permits exactly that host name, as written in a URL, at that port, whatever address it resolves to:
 * `localhost:5566` does not permit `127.0.0.1:5566`; list both if both are meant.
 * Throws a `RangeError` that names the entry if one is not `host:port`.
 */
export function createAllowList(entries: readonly string[]): AllowList {
  const permitted = new Set(entries.map(normalizeEntry));
  return { permits: (hostname, port) => permitted.has(`${hostname}:${port}`) };
}

/**
 * The `host:port` entry that permits calls to an address the operator configured, such as a model's base URL. Throws on
 * an invalid URL.
 */
export function toAllowEntry(url: string): string {
  const parsed = new URL(url);
  return `${parsed.hostname}:${portOf(parsed)}`;
}

/** The port of a URL, defaulting to the scheme's. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

function normalizeEntry(entry: string): string {
  const trimmed = entry.trim();
  const port = /^[^/@?#\\\s]+:(\d{1,5})$/.exec(trimmed)?.[1];
  if (port === undefined || !URL.canParse(`http://${trimmed}`)) {
    throw new RangeError(`"${trimmed}" is not host:port, such as localhost:11434.`);
  }
  return `${new URL(`http://${trimmed}`).hostname}:${Number(port)}`;
}
