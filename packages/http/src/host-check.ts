import { isIP } from "node:net";
import { WeftError } from "@weft/schema";

/** The operator's settings for the names of the server. */
export type HostSettings = {
  host: string;
  /** The URL for browsers; empty if not configured. */
  publicUrl: string;
  /** Hosts, with or without a port, in lower case. Empty: no list. */
  allowedHosts: readonly string[];
  trustedProxyHops: number;
};

export type HostCheck = (request: { host: string | null; authorization: string | null }) => boolean;

/**
 * Keeps pages of other sites from reaching a server on the visitor's own machine by a name of theirs (DNS rebinding).
 * While the server listens on a loopback address and the operator has configured no hosts, address or proxy, a request
 * without credentials must name an IP address or localhost. With `allowedHosts` it must name one of those, the host of
 * `publicUrl`, an IP address or localhost, wherever the server listens. Source: contract "Identity".
 */
export function createHostCheck(settings: HostSettings): HostCheck {
  const { host, publicUrl, allowedHosts, trustedProxyHops } = settings;
  const isClosed = isLoopback(host) && publicUrl === "" && trustedProxyHops === 0;
  if (!isClosed && allowedHosts.length === 0) return () => true;
  const named = new Set(publicUrl === "" ? allowedHosts : [...allowedHosts, new URL(publicUrl).hostname]);
  return (request) => {
    if (request.host === null || request.authorization !== null) return true;
    const given = request.host.toLowerCase();
    const name = withoutPort(given);
    return name === "localhost" || isIP(name) !== 0 || named.has(given) || named.has(name);
  };
}

export function unknownHost(host: string): WeftError {
  return new WeftError("host-unknown", { params: { host: host.slice(0, 200) } });
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** The name or address in a Host header (RFC 9110, 7.2), without brackets. */
function withoutPort(host: string): string {
  return /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1] ?? host.replace(/:\d*$/, "");
}
