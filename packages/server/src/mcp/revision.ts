import type { Json, JsonObject } from "@weft/schema";
import { type McpError, type McpMessage, rpcCodes } from "./json-rpc.ts";

/** The revision whose requests stand for themselves. */
export const currentRevision = "2026-07-28";
/** Revisions that begin with `initialize`, the newest first. What is served of them here is the same in all. */
export const earlierRevisions = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;

/** How a message is to be read; or why it is refused, with status 400. */
export type Reading = { revision: "current" | "earlier" } | { refusal: McpError };

const versionKey = "io.modelcontextprotocol/protocolVersion";
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

/**
 * Reads by which revision a message speaks, and checks that headers say the same as the message.
 * Source: MCP 2026-07-28, "Versioning" and "Streamable HTTP", Server Validation.
 */
export function readRevision(message: McpMessage, headers: Headers): Reading {
  const claimed = headers.get("mcp-protocol-version");
  const meta = (message.params?._meta ?? {}) as JsonObject;
  const version = meta[versionKey];
  if (version === undefined && claimed !== currentRevision) {
    const isKnown = claimed === null || earlierRevisions.some((known) => known === claimed);
    return isKnown ? { revision: "earlier" } : { refusal: unsupported(claimed) };
  }
  if (message.id === undefined) return { revision: "current" };
  const mismatch = findMismatch(message, headers, version);
  if (mismatch) return { refusal: { code: rpcCodes.headerMismatch, message: `Header mismatch: ${mismatch}` } };
  if (version !== currentRevision) return { refusal: unsupported(version ?? null) };
  if (typeof meta[capabilitiesKey] === "object" && meta[capabilitiesKey] !== null) return { revision: "current" };
  return { refusal: { code: rpcCodes.invalidParams, message: `params._meta needs ${capabilitiesKey}, an object.` } };
}

/** The revision to speak with a client that begins with `initialize`: the one it asks for, else the newest of these. */
export function negotiateRevision(requested: Json | undefined): string {
  return earlierRevisions.find((known) => known === requested) ?? earlierRevisions[0];
}

function unsupported(requested: Json): McpError {
  const supported = [currentRevision, ...earlierRevisions];
  return { code: rpcCodes.unsupportedVersion, message: "Unsupported protocol version", data: { supported, requested } };
}

function findMismatch({ method, params }: McpMessage, headers: Headers, version: Json | undefined): string | undefined {
  const mirrored: [string, string | null, Json | undefined][] = [
    ["MCP-Protocol-Version", headers.get("mcp-protocol-version"), version],
    ["Mcp-Method", headers.get("mcp-method"), method],
  ];
  if (method === "tools/call") mirrored.push(["Mcp-Name", decode(headers.get("mcp-name")), params?.name]);
  const [name] = mirrored.find(([, header, value]) => header !== value) ?? [];
  return name && `the header ${name} must be sent, with the value of the message`;
}

/** Values that a header cannot hold come as `=?base64?…?=`. */
function decode(value: string | null): string | null {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value ?? "")?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString();
}
