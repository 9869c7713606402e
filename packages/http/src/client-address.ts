import { isIP } from "node:net";

/** What a connection says about who is at its other end. */
export type AddressFacts = {
  /** Address of the socket's other end; undefined without a socket. */
  remoteAddress?: string | undefined;
  /** The X-Forwarded-For header: each proxy appends the address that it was called from. */
  forwardedFor: string | null;
  /** Proxies before this server that append to the header truthfully; see `TRUST_PROXY`. */
  trustedHops: number;
};

/**
 * The address of the client: the socket's, unless proxies are trusted; then the one that the outermost trusted proxy
 * was called from. Of a header with fewer entries the first counts. Empty without a socket.
 */
export function toClientAddress({ remoteAddress = "", forwardedFor, trustedHops }: AddressFacts): string {
  const socketAddress = toAddress(remoteAddress) ?? "";
  if (trustedHops === 0 || forwardedFor === null) return socketAddress;
  const hops = forwardedFor.split(",");
  const address = hops[Math.max(0, hops.length - trustedHops)];
  return toAddress(address ?? "") ?? socketAddress;
}

/** What one client can have many of counts as one: the first 64 bits of an IPv6 address. */
export function toNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  return expand(address).slice(0, 4).join(":");
}

/** An address without port, brackets and zone; IPv4 in IPv6 clothes as IPv4. Undefined when it is none. */
function toAddress(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase();
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  const address = /^::ffff:([\d.]+)$/.exec(bare)?.[1] ?? bare.replace(/%.*$/, "");
  return isIP(address) === 0 ? undefined : address;
}

/** The eight groups of an IPv6 address, without leading zeros; an IPv4 tail counts as two. */
function expand(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const groupsOf = (part: string) => part.split(":").filter((group) => group !== "");
  const first = groupsOf(head);
  const last = groupsOf(tail ?? "");
  const width = last.at(-1)?.includes(".") ? last.length + 1 : last.length;
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - width) }, () => "0");
  return [...first, ...zeros, ...last].map((group) => group.replace(/^0+(?=.)/, ""));
}
