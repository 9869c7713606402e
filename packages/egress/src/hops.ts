import { Buffer } from "node:buffer";
import { type AllowList, checkDestination } from "./destination.ts";
import { EgressFailure, toEgressError } from "./failure.ts";
import { type Encode, fillBytes, type SecretVault } from "./secret-vault.ts";
import type { Hop, Received } from "./wire.ts";

/** How to treat redirects: follow up to a limit, answer with the first one, or fail. */
export type RedirectPolicy = { mode: "follow"; limit: number } | { mode: "manual" } | { mode: "error" };

/** The answer after redirects. `hop`: the request with placeholders, `sent`: with secrets. */
export type Final<Body> = { hop: Hop; sent: Hop; received: Received<Body>; redirected: boolean };

type Walk<Body, Result> = {
  allowList: AllowList;
  vault: SecretVault;
  redirects: RedirectPolicy;
  signal: AbortSignal;
  send(hop: Hop): Promise<Received<Body>>;
  /** Frees the connection of a redirect. */
  drain(body: Body): void;
  finish(final: Final<Body>): Result;
};

/**
 * Sends a request and follows redirects; each hop is checked, and gets its own secrets.
 * Rejects with an `egress-*` error that names the hop, or with the signal's reason.
 */
export async function followHops<Body, Result>(first: Hop, walk: Walk<Body, Result>): Promise<Result> {
  let hop = first;
  for (let taken = 0; ; taken += 1) {
    try {
      checkDestination(hop.url, walk.allowList);
      const sent = fillHop(walk.vault, hop);
      const received = await walk.send(sent);
      const location = toLocation(received.headers.location);
      const next = followRedirect(hop, received.statusCode, location && walk.vault.hide(location));
      if (next === undefined || walk.redirects.mode === "manual") {
        return walk.finish({ hop, sent, received, redirected: taken > 0 });
      }
      walk.drain(received.body);
      checkRedirect(hop, next, walk.redirects, taken);
      hop = next;
    } catch (error) {
      throw walk.signal.aborted ? walk.signal.reason : toEgressError(error, hop.url);
    }
  }
}

function checkRedirect(hop: Hop, next: Hop, policy: RedirectPolicy, redirects: number): void {
  if (policy.mode === "error") throw new EgressFailure("it answered with a redirect");
  if (policy.mode === "follow" && redirects >= policy.limit) {
    throw new EgressFailure(`it redirected more than ${policy.limit} times`);
  }
  if (next.body !== undefined && !isReplayable(hop)) {
    throw new EgressFailure("it redirected a streamed request, which cannot be sent twice");
  }
}

/** The first value counts. Non-ASCII bytes are read as UTF-8, as in browsers. */
function toLocation(value: string | string[] | undefined): string | undefined {
  const location = Array.isArray(value) ? value[0] : value;
  return location === undefined ? undefined : Buffer.from(location, "latin1").toString("utf8");
}

function isReplayable(hop: Hop): boolean {
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

/**
 * The request as sent: with secrets in place of their placeholders, each escaped for its place. Throws `credential-host`
 * if one is not bound to the host. A streamed body is sent as it is.
 */
function fillHop(vault: SecretVault, hop: Hop): Hop {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(hop.headers)) headers[name] = fillHeader(vault, hop.headers[name] ?? "", hop.url);
  return { ...hop, url: fillUrl(vault, hop.url), headers, ...fillBody(vault, hop) };
}

function fillUrl(vault: SecretVault, url: URL): URL {
  if (!vault.holds(url.href)) return url;
  const filled = new URL(url);
  filled.pathname = vault.fill(url.pathname, url, encodeURIComponent);
  filled.search = vault.fill(url.search, url, encodeURIComponent);
  return filled;
}

/** Surrounding space cannot be sent (RFC 9110, section 5.5). */
function fillHeader(vault: SecretVault, value: string, url: URL): string {
  const trimmed: Encode = (secret) => secret.trim();
  const [, scheme = "", encoded = ""] = /^(Basic )([A-Za-z0-9+/=]+)$/i.exec(value) ?? [];
  const decoded = scheme === "" ? "" : Buffer.from(encoded, "base64").toString();
  if (!vault.holds(decoded)) return vault.fill(value, url, trimmed);
  return scheme + Buffer.from(vault.fill(decoded, url)).toString("base64");
}

function fillBody(vault: SecretVault, { body, headers, url }: Hop) {
  if (typeof body === "string") {
    return vault.holds(body) ? { body: vault.fill(body, url, encoderOf(headers["content-type"] ?? "")) } : {};
  }
  if (!(body instanceof Uint8Array)) return {};
  return { body: fillBytes(vault, body, url, encoderOf(headers["content-type"] ?? "")) };
}

function encoderOf(contentType: string): Encode | undefined {
  if (/json/i.test(contentType)) return (value) => JSON.stringify(value).slice(1, -1);
  return /x-www-form-urlencoded/i.test(contentType) ? encodeURIComponent : undefined;
}
