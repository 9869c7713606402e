export type { EgressSocket } from "./connect.ts";
export { createAllowList, portOf, toAllowEntry } from "./destination.ts";
export { createEgressClient, type EgressClient, type EgressOptions } from "./egress-client.ts";
export { createSecretVault, type SecretVault, type TextRedaction } from "./secret-vault.ts";
export { trustedCertificates } from "./trusted-certificates.ts";
