import { WeftError } from "@weft/schema";

/** Reads a whole body. Throws `body-too-large` as soon as the limit is passed: nothing more is read or kept. */
export async function readBodyBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared === null || !/^\d+$/.test(declared)) return readStream(request, limitBytes);
  if (Number(declared) > limitBytes) throw tooLarge(limitBytes);
  // The HTTP parser reads no more than the declared length.
  const bytes = new Uint8Array(await brokenOff(request.arrayBuffer()));
  if (bytes.byteLength > limitBytes) throw tooLarge(limitBytes);
  return bytes;
}

/** Throws `media-type-unsupported` for a body in a content coding: nothing is decompressed before it is measured. */
export function assertUncompressed(headers: Headers): void {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding !== "identity") throw unsupportedMediaType("an uncompressed body", encoding);
}

export function unsupportedMediaType(expected: string, actual: string): WeftError {
  return new WeftError("media-type-unsupported", { params: { expected, actual: actual.slice(0, 100) } });
}

/** The stream is left where it is when the limit is passed: cancelling would close the connection without an answer. */
async function readStream(request: Request, limitBytes: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await brokenOff(reader.read());
    if (done) return Buffer.concat(chunks, size);
    size += value.byteLength;
    if (size > limitBytes) throw tooLarge(limitBytes);
    chunks.push(value);
  }
}

/** A client that goes away while it sends is no fault of the server. */
async function brokenOff<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (cause) {
    throw new WeftError("body-unparsable", { params: { reason: "it ended early" }, cause });
  }
}

function tooLarge(limit: number): WeftError {
  return new WeftError("body-too-large", { params: { limit } });
}
