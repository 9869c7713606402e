import { readFile } from "node:fs/promises";
import { isNotModified, toEtag } from "@weft/http";

/** Compressed variants that the build writes beside files, best first. */
const encodings = [
  { name: "br", extension: ".br" },
  { name: "gzip", extension: ".gz" },
] as const;

/** `asked`: the headers of the request. `headers`: those of the answer. */
export type FileAnswer = { asked: Headers; headers: Record<string, string> };

/**
 * A file of a build, in an encoding that the client accepts, with its entity tag; undefined if there is no such file.
 */
export async function answerFile(file: URL, { asked, headers }: FileAnswer): Promise<Response | undefined> {
  const varying = { ...headers, Vary: "Accept-Encoding" };
  for (const { name, extension } of encodings) {
    if (!accepts(asked, name)) continue;
    const packed = await readIfThere(new URL(file.href + extension));
    if (packed !== undefined) return toTagged(packed, { asked, headers: { ...varying, "Content-Encoding": name } });
  }
  const bytes = await readIfThere(file);
  return bytes && toTagged(bytes, { asked, headers: varying });
}

/** Whether the client accepts the encoding (RFC 9110, 12.5.3); a weight of zero rejects it. */
function accepts(asked: Headers, encoding: string): boolean {
  const offers = (asked.get("accept-encoding") ?? "").toLowerCase().split(",");
  // linear: it begins at the start, and a weight is a few characters
  return offers.some((offer) => new RegExp(`^\\s*${encoding}\\s*(;\\s*q=(?!0(\\.0*)?\\s*$).*)?$`).test(offer));
}

/** The bytes with their entity tag, or 304 if the client has them. */
export function toTagged(bytes: Uint8Array<ArrayBuffer>, { asked, headers }: FileAnswer): Response {
  const etag = toEtag(bytes);
  if (!isNotModified(asked.get("if-none-match"), etag)) {
    return new Response(bytes, { headers: { ...headers, ETag: etag } });
  }
  const { "Content-Type": _, "Content-Encoding": __, ...kept } = headers;
  return new Response(null, { status: 304, headers: { ...kept, ETag: etag } });
}

export async function readIfThere(file: URL): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await readFile(file);
  } catch (cause) {
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes((cause as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw cause;
  }
}
