/** Whether the operator's configuration allows a destination. Host as in `URL.hostname`, port as a number. */
export type AllowList = { permits(hostname: string, port: number): boolean };

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
