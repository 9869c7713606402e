export * from "./custom-tool/create-custom-tool.ts";
export type { StoredTool, StoredTools } from "./custom-tool/stored-tool.ts";
export * from "./define-integration.ts";
export type { CommandEvents, CommandProcess, CommandServers } from "./mcp/command-servers.ts";
export * from "./registry.ts";
export * from "./tool-name.ts";
export * from "./tool-resolver.ts";
