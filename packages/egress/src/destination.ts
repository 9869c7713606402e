import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { describeRefusedAddress } from "./address-policy.ts";
import { type AllowList, portOf } from "./allow-list.ts";
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
