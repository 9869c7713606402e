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
