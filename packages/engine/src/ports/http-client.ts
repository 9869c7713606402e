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
  /** The body was cut at `maxBytes`. */
  truncated: boolean;
  /** URL that answered, after redirects. */
  url: string;
};

/**
 * The only HTTP client that leaves the process. Any status counts as an answer.
 * Rejects with `egress-refused`, `egress-failed`, `egress-timeout` or `egress-too-large`, or with the signal's reason.
 */
export type HttpClient = { request(request: HttpRequest): Promise<HttpResponse> };

/** A request whose answer is consumed as it arrives. Header names are lower case. */
export type ExchangeRequest = {
  method: string;
  /** Absolute http(s) URL. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  signal: AbortSignal;
};

/**
 * An answer whose body is still arriving, decompressed. Call exactly one of `text` and `read`, once and without delay.
 */
export type ExchangeAnswer = {
  status: number;
  statusText: string;
  /** As in `HttpResponse`. */
  headers: Record<string, string>;
  /**
   * The whole body as UTF-8, without a byte order mark. `count` sees each piece as it arrives, including the secrets
   * that `text` leaves out; an exception it throws ends the exchange and rejects unchanged.
   */
  text(count?: (piece: Uint8Array) => void): Promise<string>;
  /**
   * Passes on each piece in the tick in which it arrives. An exception from `take` ends the exchange and rejects
   * unchanged.
   */
  read(take: (piece: Uint8Array) => void): Promise<void>;
};

/**
 * The leanest form of the client, for adapters that are called often. Any status counts as an answer. Both promises
 * reject as `HttpClient` does, and with `egress-timeout` for a stalled body.
 */
export type HttpExchange = (request: ExchangeRequest) => Promise<ExchangeAnswer>;
