import type { HttpClient } from "@weft/engine";
import { WeftError } from "@weft/schema";

/**
 * The bytes at an address that a client named. They go to the model and never back to the client, and only an address
 * that the egress client lets pass is called. A string is the reason why there are none.
 */
export async function fetchBytes(
  http: HttpClient,
  url: string,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<Uint8Array | string> {
  try {
    const { status, body } = await http.request({ method: "GET", url, maxBytes, timeoutMs, maxRedirects: 3, signal });
    return status === 200 ? body : `its address answered with the status ${status}.`;
  } catch (error) {
    if (error instanceof WeftError) return error.message;
    throw error;
  }
}

const timeoutMs = 15_000;
