import { WeftError } from "@weft/schema";
import { loadMcpSdk } from "./mcp-sdk.ts";

/** What went wrong with a server. `isAnswered`: it said so itself, so nothing is on its way any more. */
export type McpFailure = { message: string; isAnswered: boolean };

/** The failure as a sentence for a model or a flow's author. `name` is the server's. */
export async function describeFailure(name: string, cause: unknown): Promise<McpFailure> {
  const { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } = await loadMcpSdk();
  const known = weftErrorIn(cause);
  if (known)
    return { message: known.message, isAnswered: known.code === "egress-refused" || known.code === "credential-host" };
  if (cause instanceof ProtocolError) {
    return { message: `${name} refused the call: ${cause.message.slice(0, 500)}`, isAnswered: true };
  }
  const status = cause instanceof SdkHttpError ? cause.data.status : undefined;
  if (status === 401 || status === 403) {
    return { message: `${name} refused the credential (status ${status}). Correct it.`, isAnswered: true };
  }
  if (status !== undefined) {
    const hint = status < 500 ? " Check the address of its MCP endpoint." : "";
    return { message: `${name} answered with the status ${status}.${hint}`, isAnswered: status < 500 };
  }
  const code = cause instanceof SdkError ? cause.code : undefined;
  if (code === SdkErrorCode.ConnectionClosed) return { message: `${name} ended the connection.`, isAnswered: false };
  if (code === SdkErrorCode.UnsupportedResultType || code === SdkErrorCode.CapabilityNotSupported) {
    return { message: `${name} wants something of its user that an agent cannot give.`, isAnswered: true };
  }
  return { message: `${name} did not answer as an MCP server does.`, isAnswered: false };
}

/** The library wraps what its `fetch` rejects with. */
function weftErrorIn(cause: unknown): WeftError | undefined {
  if (cause instanceof WeftError) return cause;
  return cause instanceof Error && cause.cause !== undefined ? weftErrorIn(cause.cause) : undefined;
}
