import type { Clock } from "@weft/engine";
import { createCommandConnections } from "./command-connections.ts";
import type { CommandServers } from "./command-servers.ts";
import { createHttpConnections, type HttpServer } from "./http-connections.ts";
import { createToolLists, type ListTools } from "./list-tools.ts";
import type { McpConnection } from "./mcp-connection.ts";
import type { Fetch } from "./mcp-fetch.ts";

/** The ways to MCP servers, and what is remembered of them between runs. */
export type McpServers = {
  http(server: HttpServer): McpConnection;
  /** `name` must be one of `commandNames`. */
  command(name: string): McpConnection;
  readonly commandNames: readonly string[];
  listTools: ListTools;
};

export type McpDeps = { clock: Pick<Clock, "now">; fetch: Fetch; commandServers: CommandServers };

export function createMcpServers({ clock, fetch, commandServers }: McpDeps): McpServers {
  return {
    http: createHttpConnections(fetch),
    command: createCommandConnections(commandServers),
    commandNames: commandServers.names,
    listTools: createToolLists(clock),
  };
}
