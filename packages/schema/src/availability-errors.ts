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
