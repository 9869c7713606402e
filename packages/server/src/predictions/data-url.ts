import type { HttpClient } from "@weft/engine";
import { WeftError } from "@weft/schema";
import { createPause } from "@weft/workers";

/** What a data URL in base64 holds; undefined when the text is none. A long one is read in turns. Source: RFC 2397. */
export async function parseDataUrl(text: string): Promise<{ mimeType: string; bytes: Uint8Array } | undefined> {
  const comma = text.slice(0, longestHeader).indexOf(",");
  const header = /^data:([^;,]*)(?:;[^;,]*)*;base64$/i.exec(text.slice(0, Math.max(comma, 0)));
  const bytes = header === null ? undefined : await decodeBase64(text, comma + 1);
  return bytes && { mimeType: header?.[1] ?? "", bytes };
}

/** The bytes from a place on; undefined if that is not base64. */
async function decodeBase64(text: string, start: number): Promise<Uint8Array | undefined> {
  const padding = /={0,2}$/.exec(text.slice(-2))?.[0].length ?? 0;
  const end = Math.max(start, text.length - padding);
  if ((text.length - start) % 4 === 1) return undefined;
  const bytes = Buffer.allocUnsafeSlow(Math.floor(((end - start) * 3) / 4));
  const pause = createPause();
  let length = 0;
  for (let at = start; at < end; at += pieceCharacters) {
    const piece = text.slice(at, Math.min(end, at + pieceCharacters));
    if (!/^[A-Za-z0-9+/_-]*$/.test(piece)) return undefined;
    length += bytes.write(piece, length, "base64");
    await pause();
  }
  return bytes.subarray(0, length);
}

/** A multiple of four, so that every piece is whole bytes. */
const pieceCharacters = 262_144;

const longestHeader = 500;

export function toDataUrl({ mimeType, bytes }: { mimeType: string; bytes: Uint8Array }): string {
  const { buffer, byteOffset, byteLength } = bytes;
  return `data:${mimeType};base64,${Buffer.from(buffer, byteOffset, byteLength).toString("base64")}`;
}

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
