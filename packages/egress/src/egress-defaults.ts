export type EgressDefaults = {
  /** Of `request`, from the call to the last byte. Default 30,000. */
  timeoutMs: number;
  /** Decompressed bytes that `request` reads. Default 256 KiB. */
  maxBytes: number;
  /** Decompressed bytes that a body of `fetch` may have. Default 50 MiB. */
  fetchMaxBytes: number;
  /** Default 5. */
  maxRedirects: number;
  /** Sent where the caller gives none. Default `weft`. */
  userAgent: string;
};

export const standardDefaults: EgressDefaults = {
  timeoutMs: 30_000,
  maxBytes: 256 * 1024,
  fetchMaxBytes: 50 * 1024 * 1024,
  maxRedirects: 5,
  userAgent: "weft",
};
