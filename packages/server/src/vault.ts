import { createAllowList, createSecretVault, portOf, type SecretVault } from "@weft/egress";
import { toDestination } from "@weft/schema";
import type { Config } from "./config.ts";

/** Hosts, as `host:port`, that every flow may call: those that the operator allows, and the demonstration API. */
export function hostsForFlows({ egressAllow, eventApiPort }: Config): string[] {
  const eventApi = eventApiPort === undefined ? [] : [`127.0.0.1:${eventApiPort}`, `localhost:${eventApiPort}`];
  return [...egressAllow, ...eventApi];
}

/** Whether credentials may go to a URL without TLS, whatever their destinations say: the operator named its host. */
export function createPlainRule(config: Config): (url: URL) => boolean {
  const { permits } = createAllowList(hostsForFlows(config));
  return (url) => permits(url.hostname, portOf(url));
}

/** The same for an entry as `parseBoundHost` makes it. */
export function allowsPlainEntry(allowsPlain: (url: URL) => boolean, entry: string): boolean {
  const url = URL.parse(toDestination(entry));
  return url !== null && allowsPlain(url);
}

export function openVault(config: Config): SecretVault {
  return createSecretVault({ allowsPlain: createPlainRule(config) });
}
