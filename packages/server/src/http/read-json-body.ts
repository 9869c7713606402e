import { maxJsonDepth, WeftError } from "@weft/schema";
import { isTextDeeperThan } from "./json-text-depth.ts";
import { assertUncompressed, readBodyBytes, unsupportedMediaType } from "./read-body-bytes.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads the JSON value of a request's body; undefined when there is none.
 * Throws `media-type-unsupported`, `body-too-large` (as soon as the limit is passed; nothing more is read or kept),
 * `body-unparsable` and `body-too-deep`. A body without a declared type is taken as JSON.
 */
export async function readJsonBody(request: Request, limitBytes: number): Promise<unknown> {
  assertMediaType(request.headers);
  const bytes = await readBodyBytes(request, limitBytes);
  if (bytes.byteLength === 0) return undefined;
  return parseJson(decode(bytes));
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
