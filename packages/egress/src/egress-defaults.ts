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
  /** Sent where the caller gives none. Default `weft`. */
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
