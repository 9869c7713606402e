import type { Client, PriorDiscovery, Transport } from "@modelcontextprotocol/client";
import { WeftError } from "@weft/schema";
import { createClient, loadMcpSdk, type McpConnection, type McpSdk, revisionOf, untilAborted } from "./mcp-sdk.ts";

type Shared = { ready: Promise<Client>; users: number; idle?: NodeJS.Timeout };

/** Limit from a command's start to its first answer. */
const startLimitMs = 60_000;
/** After this it is probed with the older revision. */
const probeTimeoutMs = 10_000;

/**
 * Connections to commands. All users of a command share one process: the first use starts it, as does any use after it
 * has ended; it is terminated after `idleMs` without use.
 */
export function createCommandConnections(
  servers: CommandServers,
  { idleMs = 300_000 }: { idleMs?: number } = {},
): (name: string) => McpConnection {
  const running = new Map<string, Shared>();
  const revisions = new Map<string, PriorDiscovery>();

  async function connect(name: string, prior: PriorDiscovery | undefined): Promise<Client> {
    const sdk = await loadMcpSdk();
    const client = createClient(sdk, probeTimeoutMs);
    await client.connect(createCommandTransport(sdk, servers, name), {
      timeout: startLimitMs,
      ...(prior && { prior }),
    });
    revisions.set(name, revisionOf(client));
    return client;
  }

  /** Some commands of the older revision exit when probed for the current one. */
  async function start(name: string): Promise<Client> {
    const known = revisions.get(name);
    revisions.delete(name);
    try {
      return await connect(name, known);
    } catch (cause) {
      if (known !== undefined || cause instanceof WeftError) throw cause;
      return connect(name, { kind: "legacy" });
    }
  }

  function open(name: string): Shared {
    const shared: Shared = { ready: start(name), users: 0 };
    const forget = () => {
      if (running.get(name) === shared) running.delete(name);
    };
    running.set(name, shared);
    shared.ready.then((client) => {
      client.onclose = forget;
    }, forget);
    return shared;
  }

  function leave(name: string, shared: Shared): void {
    shared.users -= 1;
    if (shared.users > 0 || running.get(name) !== shared) return;
    shared.idle = setTimeout(() => {
      running.delete(name);
      shared.ready.then((client) => client.close()).catch(() => undefined);
    }, idleMs).unref();
  }

  return (name) => ({
    name,
    key: `command:${name}`,
    async use(signal, work) {
      const shared = running.get(name) ?? open(name);
      shared.users += 1;
      clearTimeout(shared.idle);
      try {
        const client = await untilAborted(signal, shared.ready);
        return await untilAborted(signal, work(client));
      } finally {
        leave(name, shared);
      }
    },
  });
}

/** A transport of the protocol's library, over a command. Skips lines that are not messages. */
function createCommandTransport(sdk: McpSdk, servers: CommandServers, name: string): Transport {
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

/** The library uses these to distinguish a local command, which may be silent, from a broken server. */
const likeProcess = { stderr: null, pid: null };

/**
 * MCP servers that run as commands beside the platform: only those that its operator configured. A message is a line of
 * JSON in either direction. Source: MCP 2026-07-28, "stdio".
 */
export type CommandServers = {
  readonly names: readonly string[];
  /** Starts the command of one of `names`. If it cannot be started, it ends at once. */
  start(name: string, events: CommandEvents): CommandProcess;
};

export type CommandEvents = {
  line(text: string): void;
  /** Called once, when the process has ended. */
  ended(): void;
};

export type CommandProcess = {
  write(line: string): void;
  /** Resolves when the process has ended. */
  end(): Promise<void>;
};
