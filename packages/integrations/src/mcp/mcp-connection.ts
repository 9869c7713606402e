import type { Client } from "@modelcontextprotocol/client";

/** The way to one MCP server. */
export type McpConnection = {
  /** How messages name the server; never a secret. */
  readonly name: string;
  /** The same for everybody who sees the same tools. */
  readonly key: string;
  /** Connects, does the work and leaves. Rejects with the signal's reason when it is aborted. */
  use<T>(signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T>;
};
