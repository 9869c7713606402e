export * from "./allow-list.ts";
export type { ResolveHost } from "./destination.ts";
export * from "./egress-client.ts";
export type { EgressDefaults } from "./egress-defaults.ts";
export type { Fetch } from "./fetch.ts";
export { createRedactor, type Redactor } from "./redactor.ts";
export { type BoundSecret, createSecretVault, type SecretVault } from "./secret-vault.ts";
