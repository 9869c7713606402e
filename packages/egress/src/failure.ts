import { WeftError } from "@weft/schema";

/** A destination that only the operator's allow list can open. `reason` follows "is not allowed: ". */
export class DestinationRefusedError extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = "DestinationRefusedError";
    this.reason = reason;
  }
}

/** A failure whose cause is in the answer or the request, so that it would happen again. */
export class EgressFailure extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = "EgressFailure";
    this.reason = reason;
  }
}

/**
 * The `egress-*` error for any failure while calling `url`; a `WeftError` stays what it is.
 * Of the URL only the origin is shown, or `shown` in its place: path and query may hold keys.
 */
export function toEgressError(error: unknown, url: URL, shown = describeOrigin(url)): WeftError {
  if (error instanceof WeftError) return error;
  if (error instanceof DestinationRefusedError) {
    return new WeftError("egress-refused", { params: { url: shown, reason: error.reason }, cause: error });
  }
  const code = errorCode(error);
  const limitMs = timeoutLimit(code);
  if (limitMs !== undefined) {
    return new WeftError("egress-timeout", { params: { url: shown, limitMs }, cause: error });
  }
  const { reason, retryable } = describeFailure(error, code);
  return new WeftError("egress-failed", { params: { url: shown, reason }, cause: error, retryable });
}

/** `https://host:port`, or only the scheme if there is no host to name. */
export function describeOrigin(url: URL): string {
  return url.origin === "null" ? `A ${url.protocol} address` : url.origin;
}

/** How long undici waits for a connection, for headers and between two pieces of a body. */
export const transportLimitsMs = { connect: 10_000, headers: 900_000, body: 900_000 };

type Description = { reason: string; retryable: boolean };

const reasons: Record<string, string> = {
  EAI_AGAIN: "the host name could not be resolved just now",
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection was reset",
  EHOSTUNREACH: "the host is unreachable",
  ENETUNREACH: "the network is unreachable",
  ENOTFOUND: "host name not found",
  EPIPE: "the connection was closed",
  UND_ERR_CLOSED: "the server is stopping",
  UND_ERR_DESTROYED: "the server is stopping",
  UND_ERR_SOCKET: "the connection was closed before the answer was complete",
};

const lastingReasons: Record<string, string> = {
  CERT_HAS_EXPIRED: "its TLS certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its TLS certificate is self-signed",
  ERR_TLS_CERT_ALTNAME_INVALID: "its TLS certificate is for another host",
  SELF_SIGNED_CERT_IN_CHAIN: "its TLS certificate is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its TLS certificate comes from an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its TLS certificate comes from an unknown authority",
  UND_ERR_HEADERS_OVERFLOW: "its response headers are too large",
  UND_ERR_INVALID_ARG: "the request has an invalid method, header or path",
};

function describeFailure(error: unknown, code: string): Description {
  if (error instanceof EgressFailure) return { reason: error.reason, retryable: false };
  const lasting = lastingReasons[code];
  if (lasting !== undefined) return { reason: lasting, retryable: false };
  return { reason: reasons[code] ?? describeByFamily(code), retryable: true };
}

function describeByFamily(code: string): string {
  if (/^(EPROTO|CERT_|ERR_SSL|ERR_TLS)/.test(code)) return "the TLS handshake failed";
  if (code.startsWith("HPE_")) return "its answer is not valid HTTP";
  if (/^(Z_|ERR_BROTLI|ERR_(_ERROR|_)|ERR_PADDING)/.test(code)) return "its answer is not validly compressed";
  return code === "" ? "the call failed" : `the call failed (${code})`;
}

function timeoutLimit(code: string): number | undefined {
  switch (code) {
    case "ETIMEDOUT":
    case "UND_ERR_CONNECT_TIMEOUT":
      return transportLimitsMs.connect;
    case "UND_ERR_HEADERS_TIMEOUT":
      return transportLimitsMs.headers;
    case "UND_ERR_BODY_TIMEOUT":
      return transportLimitsMs.body;
    default:
      return undefined;
  }
}

/** Node's and undici's errors carry a stable `code`, except for some of undici's parser. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.name === "HTTPParserError" ? "HPE_UNKNOWN" : "";
}
