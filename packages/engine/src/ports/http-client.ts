/** A request that leaves the process. */
export type HttpRequest = {
  method: string;
  /** Absolute http(s) URL. */
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From the call to the last byte. Default 30,000. */
  timeoutMs?: number;
  /** Reading stops with `egress-too-large` above this. Default 256 KiB. */
  maxBytes?: number;
  /** With `truncate`, reading stops at `maxBytes` without an error. Default `error`. */
  onTooLarge?: "error" | "truncate";
  /** Default 5; each hop is checked again, credentials are dropped across origins. */
  maxRedirects?: number;
  signal?: AbortSignal;
};

/** Header names are lower case; repeated headers are joined by `, `. */
export type HttpResponse = {
  status: number;
  statusText: string;
  headers: Record<string, string>;
  body: Uint8Array;
  /** Whether the body was cut at `maxBytes`. */
  truncated: boolean;
  /** Address that answered, after redirects. */
  url: string;
};

/**
 * The one HTTP client that leaves the process. Any status is an answer.
 * Rejects with `egress-refused`, `egress-failed`, `egress-timeout` or `egress-too-large`, or with the signal's reason.
 */
export type HttpClient = { request(request: HttpRequest): Promise<HttpResponse> };
