import { maxJsonDepth, WeftError } from "@weft/schema";
import { isTextDeeperThan } from "./json-text-depth.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the JSON value of a request's body; undefined when there is none.
 * Throws `media-type-unsupported`, `body-too-large` (as soon as the limit is passed; nothing more is read or kept),
 * `body-unparsable` and `body-too-deep`. A body without a declared type is taken as JSON.
 */
export async function readJsonBody(request: Request, limitBytes: number): Promise<unknown> {
  assertMediaType(request.headers);
  const bytes = await readBytes(request, limitBytes);
  if (bytes.byteLength === 0) return undefined;
  return parseJson(decode(bytes));
}

function assertMediaType(headers: Headers): void {
  const type = headers.get("content-type");
  if (type !== null && !isJsonType(type)) throw unsupported("application/json", type);
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding !== "identity") throw unsupported("an uncompressed body", encoding);
}

function unsupported(expected: string, actual: string): WeftError {
  return new WeftError("media-type-unsupported", { params: { expected, actual: actual.slice(0, 100) } });
}

/** `application/json` and types that end in `+json`, in UTF-8. */
function isJsonType(type: string): boolean {
  const [essence = "", ...parameters] = type.toLowerCase().split(";");
  if (!/^(application\/json|[\w.+-]+\/[\w.-]+\+json)$/.test(essence.trim())) return false;
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("charset="));
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset);
}

async function readBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared === null || !/^\d+$/.test(declared)) return readStream(request, limitBytes);
  if (Number(declared) > limitBytes) throw tooLarge(limitBytes);
  // The HTTP parser reads no more than the declared length.
  const bytes = new Uint8Array(await brokenOff(request.arrayBuffer()));
  if (bytes.byteLength > limitBytes) throw tooLarge(limitBytes);
  return bytes;
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

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new WeftError("body-unparsable", { params: { reason: "it is not UTF-8 text" }, cause });
  }
}

function parseJson(text: string): unknown {
  if (isTextDeeperThan(text, maxJsonDepth)) throw new WeftError("body-too-deep", { params: { limit: maxJsonDepth } });
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "it cannot be read";
    throw new WeftError("body-unparsable", { params: { reason }, cause });
  }
}
