import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type {
  Client,
  Tool as McpTool,
  PriorDiscovery,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { Sleeper, WallClock } from "@weft/engine/ports/clock";
import { WeftError } from "@weft/schema";
import { LRUCache } from "lru-cache";
import { type CommandServers, createCommandConnections } from "./command-connections.ts";
import { createClient, loadMcpSdk, type McpConnection, noLimitMs, revisionOf, untilAborted } from "./mcp-sdk.ts";

/** Access to MCP servers, with what is cached between runs. */
export type McpServers = {
  http(server: HttpServer): McpConnection;
  /** `name` must be one of `commandNames`. */
  command(name: string): McpConnection;
  readonly commandNames: readonly string[];
  listTools: ListTools;
};

export type McpDeps = { clock: WallClock & Sleeper; fetch: Fetch; commandServers: CommandServers };

export function createMcpServers({ clock, fetch, commandServers }: McpDeps): McpServers {
  return {
    http: createHttpConnections(fetch, clock),
    command: createCommandConnections(commandServers),
    commandNames: commandServers.names,
    listTools: createToolLists(clock),
  };
}

/** Lists the tools of a server; a list is cached for a minute. */
type ListTools = (connection: McpConnection, signal: AbortSignal) => Promise<readonly McpTool[]>;

const keptMs = 60_000;
const maxLists = 200;

function createToolLists(clock: WallClock): ListTools {
  const lists = new LRUCache<string, { tools: readonly McpTool[]; at: number }>({ max: maxLists });
  return async (connection, signal) => {
    const known = lists.get(connection.key);
    if (known && clock.now() - known.at < keptMs) return known.tools;
    const { tools } = await connection.use(signal, (client) => client.listTools({}, { signal, timeout: noLimitMs }));
    lists.set(connection.key, { tools, at: clock.now() });
    return tools;
  };
}

type HttpServer = { url: string; headers: Record<string, string> };

/** Limit for telling a server that a session has ended. */
const leaveLimitMs = 2_000;

/** Limits of the pause before a broken stream is resumed, whatever `retry` the server sends. */
const [minPauseMs, maxPauseMs] = [1_000, 30_000];

/**
 * Connections over streamable HTTP, each for one use. Remembers the revision of a server, so that one of the current
 * revision receives only the call itself.
 */
function createHttpConnections(egressFetch: Fetch, clock: Sleeper): (server: HttpServer) => McpConnection {
  const fetch = createMcpFetch(egressFetch);
  const revisions = new LRUCache<string, PriorDiscovery>({ max: 1_000 });

  return ({ url, headers }) => {
    const key = createHash("sha256")
      .update(JSON.stringify([url, headers]))
      .digest("base64");
    return {
      name: new URL(url).origin,
      key,
      async use(signal, work) {
        const sdk = await loadMcpSdk();
        const left = new AbortController();
        const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
          fetch: endingWith(left.signal, fetch),
          requestInit: { headers },
          reconnectionScheduler(resume, delayMs) {
            const pauseMs = Math.min(Math.max(delayMs, minPauseMs), maxPauseMs);
            clock.sleep(pauseMs, left.signal).then(resume, () => undefined);
          },
        });
        const client = createClient(sdk, noLimitMs);
        const prior = revisions.get(key);
        const connectAndWork = async () => {
          await client.connect(transport, { signal, timeout: noLimitMs, ...(prior && { prior }) });
          revisions.set(key, revisionOf(client));
          return work(client);
        };
        try {
          return await untilAborted(signal, connectAndWork());
        } catch (cause) {
          revisions.delete(key);
          throw cause;
        } finally {
          await leave(client, transport);
          left.abort(new Error("The use of the connection is over."));
        }
      },
    };
  };
}

/** The library leaves requests open that it no longer awaits: a server that never ends one would hold its socket. */
function endingWith(signal: AbortSignal, fetch: Fetch): Fetch {
  return (input, init) =>
    fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal });
}

async function leave(client: Client, transport: StreamableHTTPClientTransport): Promise<void> {
  const told = transport.terminateSession().catch(() => undefined);
  await Promise.race([told, sleep(leaveLimitMs, undefined, { ref: false })]);
  await client.close().catch(() => undefined);
  // A client that is still probing the server's revision does not know its transport yet.
  await transport.close().catch(() => undefined);
}

/** The egress client's `fetch`: every request and redirect of a connection goes through it. */
type Fetch = typeof globalThis.fetch;

/** Maximum decompressed bytes of a response. */
const maxAnswerBytes = 10 * 1024 * 1024;

/**
 * `fetch` for a connection that lasts one call: limits responses, and does not open the stream for unsolicited messages
 * of a server of the older revision. A stream that is resumed after a break is opened.
 */
function createMcpFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const isUnasked = init?.method === "GET" && !new Headers(init.headers).has("last-event-id");
    if (isUnasked) return new Response(null, { status: 405 });
    const answer = await fetch(input, init);
    if (answer.body === null) return answer;
    const { status, statusText, headers } = answer;
    return new Response(answer.body.pipeThrough(createLimit(new URL(String(input)))), { status, statusText, headers });
  };
}

function createLimit({ origin }: URL): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= maxAnswerBytes) controller.enqueue(chunk);
      else controller.error(new WeftError("egress-too-large", { params: { url: origin, limit: maxAnswerBytes } }));
    },
  });
}
