export { openCommandServers, type RunningCommands } from "./command-servers.ts";
export { readCommandSettings } from "./command-settings.ts";
export { type McpRouteDeps, mcpRoutes } from "./mcp.routes.ts";
export { createMcpService } from "./mcp.service.ts";
