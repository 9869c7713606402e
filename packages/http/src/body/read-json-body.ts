import { commonLimits, type JsonLimits } from "./json-limits.ts";
import { parseJson } from "./parse-json.ts";
import { assertUncompressed, readBodyBytes, unsupportedMediaType } from "./read-body-bytes.ts";

/**
 * Reads the JSON value of a request's body; undefined when there is none.
 * Throws `media-type-unsupported`, `body-too-large` (as soon as the limit is passed; nothing more is read or kept),
 * `body-unparsable`, `body-too-deep` and `limit-exceeded`. A body without a declared type is taken as JSON.
 */
export async function readJsonBody(
  request: Request,
  limitBytes: number,
  limits: JsonLimits = commonLimits,
): Promise<unknown> {
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
