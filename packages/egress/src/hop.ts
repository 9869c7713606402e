import type { Readable } from "node:stream";

/** One request as sent. Header names are lower case. */
export type Hop = {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | Readable;
};

export function isReplayable(hop: Hop): boolean {
  return hop.body === undefined || typeof hop.body === "string" || hop.body instanceof Uint8Array;
}

/**
 * The request for a redirect, or undefined if the answer is not a redirect that can be followed.
 * 303 turns everything but GET and HEAD into GET; 301 and 302 turn POST into GET; 307 and 308 keep method and body (RFC
 * 9110, section 15.4). Across origins only headers that cannot identify the caller stay.
 */
export function followRedirect(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (!redirectStatuses.has(status) || location === undefined) return undefined;
  const url = URL.parse(location, hop.url.href);
  if (url === null) return undefined;
  const kept = url.origin === hop.url.origin ? hop.headers : pickHeaders(hop.headers, (name) => safeHeaders.has(name));
  if (!becomesGet(hop.method, status)) return { ...hop, url, headers: kept };
  return { method: "GET", url, headers: pickHeaders(kept, (name) => !name.startsWith("content-")) };
}

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Everything else (Authorization, Cookie, API key headers under any name) may be a credential. */
const safeHeaders = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-encoding",
  "content-language",
  "content-type",
  "if-modified-since",
  "range",
  "user-agent",
]);

function becomesGet(method: string, status: number): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD";
  return method === "POST" && (status === 301 || status === 302);
}

function pickHeaders(headers: Readonly<Record<string, string>>, keep: (name: string) => boolean) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => keep(name)));
}
