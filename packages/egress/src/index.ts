export * from "./allow-list.ts";
export * from "./egress-client.ts";
export type { EgressDefaults } from "./egress-defaults.ts";
export type { Fetch } from "./fetch.ts";
export type { ResolveHost } from "./resolve-host.ts";
