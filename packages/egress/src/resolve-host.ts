import { lookup } from "node:dns/promises";

/** All IP addresses of a host name, best first. Rejects with an error whose `code` is as `dns.lookup` gives it. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** Asks the operating system, as `dns.lookup` does. */
export const resolveBySystem: ResolveHost = async (hostname) => {
  const found = await lookup(hostname, { all: true, order: "verbatim" });
  return found.map((entry) => entry.address);
};
