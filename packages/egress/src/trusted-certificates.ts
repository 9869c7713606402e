import { getCACertificates } from "node:tls";

/**
 * Certificates that TLS trusts here, for a process without this one's environment. Undefined: only those of Node
 * itself.
 */
export function trustedCertificates(): readonly string[] | undefined {
  return getCACertificates("extra").length === 0 ? undefined : getCACertificates("default");
}
