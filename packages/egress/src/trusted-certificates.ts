import { getCACertificates } from "node:tls";

/**
 * Certificates that TLS trusts here, for a process without this one's environment. Undefined: those of Node itself, and no
 * others.
 */
export function trustedCertificates(): readonly string[] | undefined {
  return getCACertificates("extra").length === 0 ? undefined : getCACertificates("default");
}
