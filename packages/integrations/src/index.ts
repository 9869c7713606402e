export * from "./define-integration.ts";
export * from "./registry.ts";
export * from "./tool-name.ts";
export * from "./tool-resolver.ts";
