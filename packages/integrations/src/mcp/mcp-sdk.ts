import type { Client, jsonSchemaValidator, PriorDiscovery } from "@modelcontextprotocol/client";

/** The protocol's library. Loaded by the first agent that has such tools. */
export type McpSdk = typeof import("@modelcontextprotocol/client");

export const loadMcpSdk = (): Promise<McpSdk> => import("@modelcontextprotocol/client");

/** For the library's own clocks, where a signal is the only one. */
export const noLimitMs = 2_147_483_647;

/**
 * A client that speaks the current revision where the server does, and the one before it elsewhere.
 * `probeTimeoutMs`: how long a server may say nothing when it is asked which.
 */
export function createClient({ Client: SdkClient }: McpSdk, probeTimeoutMs: number): Client {
  return new SdkClient(
    { name: "weft", version: "1" },
    {
      versionNegotiation: { mode: "auto", probe: { timeoutMs: probeTimeoutMs } },
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: acceptAll,
    },
  );
}

/** Results are read by a model. Checking them against a schema that anybody may have written protects nobody. */
const acceptAll: jsonSchemaValidator = {
  getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
};

/** Which revision a connected client speaks, so that the next one need not ask. */
export function revisionOf(client: Client): PriorDiscovery {
  const discover = client.getDiscoverResult();
  return discover === undefined ? { kind: "legacy" } : { kind: "modern", discover };
}

/** The way to one MCP server. */
export type McpConnection = {
  /** How messages name the server; never a secret. */
  readonly name: string;
  /** The same for everybody who sees the same tools. */
  readonly key: string;
  /** Connects, does the work and leaves. Rejects with the signal's reason when it is aborted. */
  use<T>(signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T>;
};

/** The outcome of `work`, or at once the signal's reason when it is aborted before. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
