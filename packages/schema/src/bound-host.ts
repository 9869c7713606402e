/**
 * A host that a credential may be sent to, in the one form that lists keep: `api.example.com` and `[::1]` at the
 * scheme's own port, `api.example.com:8443` at that port, `*.example.com` for every name under it. A URL stands for its
 * host. Undefined for anything else, and for a pattern that spans a whole top-level domain.
 */
export function parseBoundHost(text: string): string | undefined {
  const [, wildcard = "", rest = ""] = /^(\*\.)?(.*)$/s.exec(text.trim()) ?? [];
  const address = /^https?:\/\//i.test(rest) && wildcard === "" ? rest : `http://${rest}`;
  if (rest.includes("*") || (address !== rest && /[/?#@\\\s]/.test(rest))) return undefined;
  const url = URL.parse(address);
  if (url === null || url.hostname === "" || url.username !== "" || url.password !== "") return undefined;
  if (wildcard !== "" && !/^[^[.]+(\.[^.]+)+$/.test(url.hostname)) return undefined;
  if (wildcard !== "" && /^[\d.]+$/.test(url.hostname)) return undefined;
  return wildcard + nameOf(url);
}

/** The entry that permits calls to a URL. */
export function toBoundHost(url: URL): string {
  return nameOf(url);
}

/** Whether any of the entries covers the URL. */
export function coversUrl(hosts: readonly string[], url: URL): boolean {
  const host = toBoundHost(url);
  return hosts.some((entry) => (entry.startsWith("*.") ? host.endsWith(entry.slice(1)) : host === entry));
}

/** Whether the entries cover whatever the given entry does. */
export function coversHost(hosts: readonly string[], entry: string): boolean {
  return hosts.includes(entry) || (!entry.startsWith("*.") && coversUrl(hosts, new URL(`http://${entry}`)));
}

/** The scheme's own port is left out. */
function nameOf({ hostname, port }: URL): string {
  return port === "" ? hostname : `${hostname}:${port}`;
}
