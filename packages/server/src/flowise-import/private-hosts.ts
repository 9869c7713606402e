/**
 * Hosts, as `host:port`, of addresses in a text that are only reachable in a private network: flows may call them if
 * `EGRESS_ALLOW` lists them.
 */
export function findPrivateHosts(text: string): string[] {
  const addresses = text.match(/(?:https?|postgres(?:ql)?|mysql|mariadb):\/\/(?:[^\s"'/@]*@)?[\w.[\]:-]+/gi) ?? [];
  const hosts = addresses.flatMap((address) => {
    const url = URL.parse(address);
    return url !== null && isPrivate(url.hostname) ? [`${url.hostname}:${url.port || standardPort(url)}`] : [];
  });
  return [...new Set(hosts)];
}

function standardPort({ protocol }: URL): string {
  if (protocol.startsWith("postgres")) return "5432";
  if (/^(mysql|mariadb):$/.test(protocol)) return "3306";
  return protocol === "https:" ? "443" : "80";
}

/** By its spelling, without a lookup. A name without a dot belongs to a private network. */
function isPrivate(hostname: string): boolean {
  if (/^(?:127|10)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\./.test(hostname)) return true;
  if (/^\[(?:::1|f[cd][0-9a-f]{2}:|fe80:)/i.test(hostname)) return true;
  return /\.(?:local|internal|lan|home|docker)$/i.test(hostname) || /^[a-z][\w-]*$/i.test(hostname);
}
