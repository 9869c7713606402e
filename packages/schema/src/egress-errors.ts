/** The part of the catalogue about credentials and calls to other hosts; see `errorCatalogue`. */
export const egressErrors = {
  "credential-unreadable": {
    status: 500,
    title: "Credential cannot be read",
    message: "The stored values of the credential {id} could not be decrypted: {reason}. Enter them again.",
  },

  "egress-refused": {
    status: 500,
    title: "Address not allowed",
    message: "{url} is not allowed: {reason}. The operator can allow it with EGRESS_ALLOW.",
  },
  "credential-host": {
    status: 500,
    title: "Credential not allowed for this host",
    message: "Nothing was sent to {url}: the credential {name} may be sent to {hosts}. {remedy}",
  },
  "egress-failed": {
    status: 500,
    title: "Call failed",
    message: "The call to {url} failed: {reason}.",
    retryable: true,
  },
  "egress-timeout": {
    status: 500,
    title: "Call timed out",
    message: "{url} did not answer within {limitMs} ms.",
    retryable: true,
  },
  "egress-too-large": {
    status: 500,
    title: "Response too large",
    message: "The response from {url} is larger than {limit} bytes.",
  },
} as const;
