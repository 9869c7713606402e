import { BlockList, isIP } from "node:net";

/**
 * Why an IP address must not be connected to, in words that follow "it is …", or undefined if it may be.
 * IPv4: everything the IANA special-purpose registry (RFC 6890) calls not globally reachable, multicast, and known
 * metadata servers. IPv6: only global unicast (2000::/3) passes, less what tunnels to or stands for an IPv4 address
 * (6to4, Teredo; mapped, compatible and NAT64 forms lie outside 2000::/3) and the documentation ranges.
 */
export function describeRefusedAddress(address: string): string | undefined {
  const bare = address.split("%", 1)[0] ?? "";
  const family = isIP(bare);
  if (family === 4) return describeIn(refusedIpv4, bare, "ipv4");
  if (family === 6) return describeIpv6(bare);
  return "no IP address";
}

type Range = { list: BlockList; description: string };

const ipv4Ranges = {
  "the unspecified address": ["0.0.0.0/8"],
  "a loopback address": ["127.0.0.0/8"],
  "a private address": ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"],
  "a carrier-grade NAT address": ["100.64.0.0/10"],
  "a link-local or metadata address": ["169.254.0.0/16"],
  "a metadata address": ["168.63.129.16/32", "192.0.0.0/24"],
  "a reserved address": [
    "192.0.2.0/24",
    "192.88.99.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "240.0.0.0/4",
  ],
  "a multicast address": ["224.0.0.0/4"],
};

const ipv6Ranges = {
  "the unspecified address": ["::/128"],
  "a loopback address": ["::1/128"],
  "an IPv4 address in IPv6 form": ["::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"],
  "a 6to4 tunnel address": ["2002::/16"],
  "a Teredo tunnel address": ["2001::/32"],
  "a reserved address": ["2001::/23", "2001:db8::/32", "3fff::/20"],
  "a private address": ["fc00::/7", "fec0::/10"],
  "a link-local address": ["fe80::/10"],
  "a multicast address": ["ff00::/8"],
};

const refusedIpv4 = toRanges(ipv4Ranges, "ipv4");
const refusedIpv6 = toRanges(ipv6Ranges, "ipv6");
const globalUnicast = toBlockList(["2000::/3"], "ipv6");

function describeIpv6(address: string): string | undefined {
  const description = describeIn(refusedIpv6, address, "ipv6");
  if (description !== undefined) return description;
  return globalUnicast.check(address, "ipv6") ? undefined : "a reserved address";
}

function describeIn(ranges: readonly Range[], address: string, family: "ipv4" | "ipv6"): string | undefined {
  return ranges.find((range) => range.list.check(address, family))?.description;
}

function toRanges(table: Record<string, readonly string[]>, family: "ipv4" | "ipv6"): Range[] {
  return Object.entries(table).map(([description, subnets]) => ({ list: toBlockList(subnets, family), description }));
}

function toBlockList(subnets: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = "", prefix = ""] = subnet.split("/");
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
