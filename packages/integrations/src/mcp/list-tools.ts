import type { Tool as McpTool } from "@modelcontextprotocol/client";
import type { Clock } from "@weft/engine";
import { boundedMap } from "./bounded-map.ts";
import type { McpConnection } from "./mcp-connection.ts";
import { noLimitMs } from "./mcp-sdk.ts";

/** Lists the tools of a server; a list that was read within the last minute is not read again. */
export type ListTools = (connection: McpConnection, signal: AbortSignal) => Promise<readonly McpTool[]>;

const keptMs = 60_000;
const maxLists = 200;

export function createToolLists(clock: Pick<Clock, "now">): ListTools {
  const lists = boundedMap<{ tools: readonly McpTool[]; at: number }>(maxLists);
  return async (connection, signal) => {
    const known = lists.get(connection.key);
    if (known && clock.now() - known.at < keptMs) return known.tools;
    const { tools } = await connection.use(signal, (client) => client.listTools({}, { signal, timeout: noLimitMs }));
    lists.set(connection.key, { tools, at: clock.now() });
    return tools;
  };
}
