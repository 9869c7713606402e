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
      "This server listens on this machine alone and does not know the host {host}. It refuses unknown names so that pages of other sites cannot reach it through their own. Open it as localhost, set PUBLIC_URL or ALLOWED_HOSTS to the names it is reached by, or set TRUST_PROXY if it is behind a proxy.",
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
