import type { ResponseHeaders } from "./destination.ts";

/**
 * The caller's headers in lower case, without those that belong to the connection (RFC 9110, section 7.6.1) or that the
 * client writes itself: a caller's `Host` would choose another site behind a checked address.
 * Adds `Accept-Encoding` and `User-Agent` if the caller gave none.
 */
export function toRequestHeaders(entries: Iterable<readonly [string, string]>, userAgent: string) {
  const headers: Record<string, string> = { "accept-encoding": "gzip, br", "user-agent": userAgent };
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    if (!connectionHeaders.has(lower)) headers[lower] = value;
  }
  return headers;
}

/** Headers of an answer, a repeated one joined by `, `. */
export function joinHeaders(headers: ResponseHeaders): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined && name !== "__proto__") joined[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return joined;
}

const connectionHeaders = new Set([
  "__proto__",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
