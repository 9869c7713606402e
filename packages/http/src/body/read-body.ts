import { type Json, WeftError } from "@weft/schema";
import { createPause } from "@weft/workers";
import { commonLimits, type JsonLimits } from "./json-limits.ts";
import { parseJson } from "./parse-json.ts";

/** Small enough to assemble and copy in well under a millisecond. */
const smallBytes = 262_144;

/**
 * Reads a whole body, a large one in turns with the rest of the process. Throws `body-too-large` as soon as the limit
 * is passed: nothing more is read or kept.
 */
export async function readBodyBytes(request: Request, limitBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get("content-length");
  if (declared === null || !/^\d+$/.test(declared)) return readStream(request, limitBytes);
  if (Number(declared) > limitBytes) throw tooLarge(limitBytes);
  if (Number(declared) > smallBytes) return readStream(request, limitBytes);
  // The HTTP parser reads no more than the declared length.
  const bytes = new Uint8Array(await brokenOff(request.arrayBuffer()));
  if (bytes.byteLength > limitBytes) throw tooLarge(limitBytes);
  return bytes;
}

/** Throws `media-type-unsupported` for a body with a content coding: nothing is decompressed before it is measured. */
export function assertUncompressed(headers: Headers): void {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding !== "identity") throw unsupportedMediaType("an uncompressed body", encoding);
}

export function unsupportedMediaType(expected: string, actual: string): WeftError {
  return new WeftError("media-type-unsupported", { params: { expected, actual: actual.slice(0, 100) } });
}

/**
 * Yields the pieces of a body as they arrive. Throws `body-too-large` as soon as the limit is passed, and leaves the
 * stream where it is: cancelling would close the connection without an answer.
 */
export async function* readBodyPieces(request: Request, limitBytes: number): AsyncGenerator<Uint8Array> {
  assertDeclaredLength(request.headers, limitBytes);
  const reader = request.body?.getReader();
  let size = 0;
  while (reader !== undefined) {
    const { done, value } = await brokenOff(reader.read());
    if (done) return;
    size += value.byteLength;
    if (size > limitBytes) throw tooLarge(limitBytes);
    yield value;
  }
}

async function readStream(request: Request, limitBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  const pause = createPause();
  let sizeBytes = 0;
  for await (const piece of readBodyPieces(request, limitBytes)) {
    pieces.push(piece);
    sizeBytes += piece.byteLength;
    await pause();
  }
  return joinPieces(pieces, sizeBytes);
}

function assertDeclaredLength(headers: Headers, limitBytes: number): void {
  if (Number(headers.get("content-length") ?? 0) > limitBytes) throw tooLarge(limitBytes);
}

/** A client that disconnects while sending is not a server error. */
async function brokenOff<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (cause) {
    throw new WeftError("body-unparsable", { params: { reason: "it ended unexpectedly" }, cause });
  }
}

export function tooLarge(limit: number): WeftError {
  return new WeftError("body-too-large", { params: { limit } });
}

/**
 * Joins pieces in turns with the rest of the process: memory that is written for the first time costs far more than the
 * copy. The pieces are released one by one, so that a large text is never held twice.
 */
export async function joinPieces(pieces: Uint8Array[], sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  const pause = createPause();
  let length = 0;
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
    bytes.set(piece, length);
    length += piece.length;
    await pause();
  }
  return bytes;
}

/**
 * Reads the JSON value of a request's body; undefined if there is none.
 * Throws `media-type-unsupported`, `body-too-large` (as soon as the limit is passed; nothing more is read or kept),
 * `body-unparsable`, `body-too-deep` and `limit-exceeded`. A body without a declared type is taken as JSON.
 */
export async function readJsonBody(
  request: Request,
  limitBytes: number,
  limits: JsonLimits = commonLimits,
): Promise<Json | undefined> {
  assertMediaType(request.headers);
  const bytes = await readBodyBytes(request, limitBytes);
  if (bytes.byteLength === 0) return undefined;
  return parseJson(bytes, limits);
}

function assertMediaType(headers: Headers): void {
  const type = headers.get("content-type");
  if (type !== null && !isJsonType(type)) throw unsupportedMediaType("application/json", type);
  assertUncompressed(headers);
}

/** `application/json` and types that end in `+json`, in UTF-8. */
function isJsonType(type: string): boolean {
  const [essence = "", ...parameters] = type.toLowerCase().split(";");
  if (!/^(application\/json|[\w.+-]+\/[\w.-]+\+json)$/.test(essence.trim())) return false;
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("charset="));
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset);
}
