/** The part of the catalogue about servers that take no more, or stop; see `errorCatalogue`. */
export const availabilityErrors = {
  "at-capacity": {
    status: 503,
    title: "At capacity",
    message: "The server runs as many flows as it may ({limit}). Try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },
  "streams-at-capacity": {
    status: 503,
    title: "At capacity",
    message:
      "You have {count} streams open, and there is no room for another one. Close one, or try again in {retryAfterSeconds} seconds.",
    retryable: true,
  },
  "sandbox-at-capacity": {
    status: 503,
    title: "At capacity",
    message: "Too many functions of this agent wait for their turn. Try again in {retryAfterSeconds} seconds.",
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
    title: "The run goes on elsewhere",
    message:
      "The message was accepted, and is not to be sent again: read its answer at /api/v1/executions/{executionId}.",
  },
  "not-ready": { status: 503, title: "Not ready", message: "The server is not ready: {reason}.", retryable: true },
} as const;
