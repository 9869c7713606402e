export { createCustomTool, type StoredTools } from "./custom-tool/create-custom-tool.ts";
export type { IntegrationRegistry } from "./define-integration.ts";
export type { CommandEvents, CommandProcess, CommandServers } from "./mcp/command-connections.ts";
export { listServers } from "./openapi/read-source.ts";
export { integrationCredentialTypes, integrations } from "./registry.ts";
export { reviewSettings, reviewTool } from "./review-tool.ts";
export { searchProviders } from "./search-services.ts";
export { createToolResolver } from "./tool-resolver.ts";
