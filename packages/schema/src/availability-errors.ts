/** The part of the catalogue about servers that are full or stopping; see `errorCatalogue`. */
export const availabilityErrors = {
  "at-capacity": {
    status: 503,
    title: "At capacity",
    message: "The server has reached its limit of {limit} concurrent runs. Try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },
  "streams-at-capacity": {
    status: 503,
    title: "At capacity",
    message:
      "You have {count} streams open, and the server cannot open another. Close one, or try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },
  "sandbox-at-capacity": {
    status: 503,
    title: "At capacity",
    message: "Too many functions of this agent are waiting to run. Try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },
  "playground-at-capacity": {
    status: 503,
    title: "At capacity",
    message: "Too many models are being asked. Try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },
  "flow-drafts-at-capacity": {
    status: 503,
    title: "At capacity",
    message: "Too many flows are being drafted. Try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },
  "shutting-down": {
    status: 503,
    title: "Shutting down",
    message: "The server is stopping. Try again in a few seconds.",
    retryable: true,
  },
  "run-goes-on": {
    status: 503,
    title: "Run continues elsewhere",
    message: "The message was accepted; do not send it again. Get the answer from /api/v1/executions/{executionId}.",
  },
  "not-ready": { status: 503, title: "Not ready", message: "The server is not ready: {reason}.", retryable: true },
} as const;

/** The part of the catalogue about requests that no operation has read yet; see `errorCatalogue`. */
export const connectionErrors = {
  "request-malformed": {
    status: 400,
    title: "Malformed request",
    message: "The request is not valid HTTP: {reason}.",
  },
  "host-unknown": {
    status: 421,
    title: "Host not served",
    message:
      "This server only listens on this machine and does not recognise the host name {host}. It rejects unknown host names so that other websites cannot reach it by DNS rebinding. Open it as localhost, set PUBLIC_URL or ALLOWED_HOSTS to the names you reach it by, or set TRUST_PROXY if it runs behind a proxy.",
  },
  "request-timeout": {
    status: 408,
    title: "Request timed out",
    message: "The request did not arrive in time. Send it again on a new connection.",
  },
  "headers-too-large": {
    status: 431,
    title: "Headers too large",
    message: "The headers of the request are too large. Send fewer or shorter ones.",
  },
} as const;
