import { WeftError } from "@weft/schema";
import type { ResponseHeaders } from "./destination.ts";

export type EgressDefaults = {
  /** Of `request`, from the call to the last byte. Default 30,000. */
  timeoutMs: number;
  /** Decompressed bytes that `request` reads. Default 256 KiB. */
  maxBytes: number;
  /** Decompressed bytes that a body of `fetch` may have. Default 50 MiB. */
  fetchMaxBytes: number;
  /** Of `fetch`, from the call to the last byte. Default 15 minutes. */
  fetchTimeoutMs: number;
  /** Between two pieces of a body of `fetch`, while its reader waits. Default 2 minutes. */
  fetchIdleMs: number;
  /** Of one line of an event stream. Default 4 MiB. */
  maxLineBytes: number;
  /** Of one event stream. Default a million. */
  maxLines: number;
  /** Default 5. */
  maxRedirects: number;
  /** Sent if the caller gives none. Default `weft`. */
  userAgent: string;
};

export const standardDefaults: EgressDefaults = {
  timeoutMs: 30_000,
  maxBytes: 256 * 1024,
  fetchMaxBytes: 50 * 1024 * 1024,
  fetchTimeoutMs: 900_000,
  fetchIdleMs: 120_000,
  maxLineBytes: 4 * 1024 * 1024,
  maxLines: 1_000_000,
  maxRedirects: 5,
  userAgent: "weft",
};

/** Rejects text that is not an absolute URL with `egress-failed`. The text itself is omitted: it may hold a key. */
export function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null) return url;
  throw new WeftError("egress-failed", {
    params: { url: "The address", reason: "it is not an absolute http or https URL" },
    retryable: false,
  });
}

/** A signal that aborts after `ms` or with another signal, whichever is first. `end` must be called: it frees both. */
type Deadline = { signal: AbortSignal; end(): void };

/**
 * Like `AbortSignal.any([signal, AbortSignal.timeout(ms)])`, without leaving a listener on a long-lived signal.
 * `createReason` makes the reason of a timeout.
 */
export function startDeadline(ms: number, signal: AbortSignal | undefined, createReason: () => unknown): Deadline {
  const controller = new AbortController();
  const forward = () => controller.abort(signal?.reason);
  // The limited call holds a connection, which keeps the process alive as long as it must.
  const timer = setTimeout(() => controller.abort(createReason()), ms).unref();
  signal?.addEventListener("abort", forward, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", forward);
    },
  };
}

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
