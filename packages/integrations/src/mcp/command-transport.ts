import type { Transport } from "@modelcontextprotocol/client";
import type { CommandProcess, CommandServers } from "./command-servers.ts";
import type { McpSdk } from "./mcp-sdk.ts";

/** What the protocol's library calls a transport, over a command. Lines that are no messages are skipped. */
export function createCommandTransport(sdk: McpSdk, servers: CommandServers, name: string): Transport {
  let process: CommandProcess | undefined;
  const transport: Transport = {
    async start() {
      process = servers.start(name, { line: receive, ended: () => transport.onclose?.() });
    },
    async send(message) {
      process?.write(JSON.stringify(message));
    },
    close: async () => process?.end(),
  };

  function receive(line: string): void {
    if (line.trim() === "") return;
    try {
      transport.onmessage?.(sdk.deserializeMessage(line));
    } catch (cause) {
      transport.onerror?.(cause as Error);
    }
  }

  return Object.assign(transport, likeProcess);
}

/** By these the library tells a local command, which may be silent, from a server that is out of order. */
const likeProcess = { stderr: null, pid: null };
