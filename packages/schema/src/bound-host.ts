/**
 * Parses a host that a credential may be sent to, into the one form that lists store: `api.example.com` and `[::1]`
 * over https at its own port, `api.example.com:8443` at that port, `*.example.com` for every name under it, and
 * `http://intranet.example.com` also without TLS. A URL stands for its origin. Undefined for anything else, and for a
 * pattern that spans a whole top-level domain.
 */
export function parseBoundHost(text: string): string | undefined {
  const [, wildcard = "", rest = ""] = /^(\*\.)?(.*)$/s.exec(text.trim()) ?? [];
  const address = /^https?:\/\//i.test(rest) && wildcard === "" ? rest : `https://${rest}`;
  if (rest.includes("*") || (address !== rest && /[/?#@\\\s]/.test(rest))) return undefined;
  const url = URL.parse(address);
  if (url === null || url.hostname === "" || url.username !== "" || url.password !== "") return undefined;
  if (wildcard !== "" && !/^[^[.]+(\.[^.]+)+$/.test(url.hostname)) return undefined;
  if (wildcard !== "" && /^[\d.]+$/.test(url.hostname)) return undefined;
  return wildcard + toBoundHost(url);
}

/** The entry that permits calls to a URL. */
export function toBoundHost(url: URL): string {
  return (url.protocol === "http:" ? plain : "") + nameOf(url);
}

/** Whether any of the entries covers the URL. `allowsPlain`: accepts a URL without TLS regardless of the entries. */
export function coversUrl(hosts: readonly string[], url: URL, allowsPlain = false): boolean {
  const host = nameOf(url);
  const mustBePlain = url.protocol === "http:" && !allowsPlain;
  return hosts.some((entry) => {
    const name = entry.startsWith(plain) ? entry.slice(plain.length) : entry;
    if (mustBePlain && name === entry) return false;
    return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
  });
}

/** Whether the entries cover everything that the given entry covers. */
export function coversHost(hosts: readonly string[], entry: string, allowsPlain = false): boolean {
  if (hosts.includes(entry)) return true;
  if (entry.startsWith("*.")) return false;
  return coversUrl(hosts, new URL(entry.startsWith(plain) ? entry : `https://${entry}`), allowsPlain);
}

/** An entry as a URL, to show or to call. Not for patterns. */
export function toDestination(entry: string): string {
  return entry.startsWith(plain) ? entry : `https://${entry}`;
}

const plain = "http://";

/** Omits the scheme's default port. */
function nameOf({ hostname, port }: URL): string {
  return port === "" ? hostname : `${hostname}:${port}`;
}
