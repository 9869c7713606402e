import type { Client, jsonSchemaValidator, PriorDiscovery } from "@modelcontextprotocol/client";

/** The protocol's library, loaded by the first agent with such tools. */
export type McpSdk = typeof import("@modelcontextprotocol/client");

export const loadMcpSdk = (): Promise<McpSdk> => import("@modelcontextprotocol/client");

/** Disables the library's own timeouts: only the signal counts. */
export const noLimitMs = 2_147_483_647;

/**
 * A client for the current revision if the server supports it, otherwise for the previous one. `probeTimeoutMs`: how
 * long to wait for the server's answer to the probe.
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

/** A model reads the results. Validating them against an untrusted schema protects nobody. */
const acceptAll: jsonSchemaValidator = {
  getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
};

/** The revision of a connected client, so that the next one need not probe. */
export function revisionOf(client: Client): PriorDiscovery {
  const discover = client.getDiscoverResult();
  return discover === undefined ? { kind: "legacy" } : { kind: "modern", discover };
}

/** Access to one MCP server. */
export type McpConnection = {
  /** Name of the server in messages; never a secret. */
  readonly name: string;
  /** Equal for everybody who sees the same tools. */
  readonly key: string;
  /** Connects, runs the work and disconnects. Rejects with the signal's reason if aborted. */
  use<T>(signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T>;
};

/** The outcome of `work`, or the signal's reason as soon as it aborts. */
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
