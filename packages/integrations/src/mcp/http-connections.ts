import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, PriorDiscovery, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { boundedMap } from "./bounded-map.ts";
import type { McpConnection } from "./mcp-connection.ts";
import { createMcpFetch, type Fetch } from "./mcp-fetch.ts";
import { createClient, loadMcpSdk, noLimitMs, revisionOf } from "./mcp-sdk.ts";
import { untilAborted } from "./until-aborted.ts";

export type HttpServer = { url: string; headers: Record<string, string> };

/** How long a server may take to hear that a session is over. */
const leaveLimitMs = 2_000;

/**
 * Connections over streamable HTTP, each made for one use and closed after it. Which revision a server speaks is
 * remembered, so that one of the current revision is asked nothing but the call itself.
 */
export function createHttpConnections(egressFetch: Fetch): (server: HttpServer) => McpConnection {
  const fetch = createMcpFetch(egressFetch);
  const revisions = boundedMap<PriorDiscovery>(1_000);

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

/** The library leaves requests open that it no longer waits for: a server that never ends one would hold its socket. */
function endingWith(signal: AbortSignal, fetch: Fetch): Fetch {
  return (input, init) =>
    fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal });
}

async function leave(client: Client, transport: StreamableHTTPClientTransport): Promise<void> {
  const told = transport.terminateSession().catch(() => undefined);
  await Promise.race([told, sleep(leaveLimitMs, undefined, { ref: false })]);
  await client.close().catch(() => undefined);
  // A client that is still asking which revision a server speaks knows nothing of its transport yet.
  await transport.close().catch(() => undefined);
}
