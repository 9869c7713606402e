import { assertWithin, beyond, predictionLimits, readJsonBody, readQuery, unsupportedMediaType } from "@weft/http";
import type { WebhookSettings } from "@weft/nodes";
import { type Json, type JsonObject, WeftError } from "@weft/schema";

export type WebhookRequest = { method: string; url: URL; headers: Headers };

/** What a flow reads as `$webhook`. Names of headers are in lower case. */
export type WebhookPayload = { method: string; headers: JsonObject; query: JsonObject; body: Json };

const formType = "application/x-www-form-urlencoded";
const hidden = "[redacted]";
const secretHeader = /auth|cookie|secret|token|signature|password|api-?key/;

/**
 * Reads a request by its content type: JSON, a form (one whose field `payload` is JSON is that), or text. Headers that
 * carry secrets say so instead. Throws `media-type-unsupported`, `body-unparsable`, `body-too-deep` and
 * `limit-exceeded`.
 */
export async function readPayload(
  { method, url, headers }: WebhookRequest,
  bytes: Uint8Array<ArrayBuffer>,
  settings: Pick<WebhookSettings, "auth" | "contentType">,
): Promise<WebhookPayload> {
  const shownIn = "header" in settings.auth ? settings.auth.header : undefined;
  const entries = [...headers].map(([name, value]): [string, string] => [
    name,
    name === shownIn || secretHeader.test(name) ? hidden : value,
  ]);
  return {
    method,
    headers: Object.fromEntries(entries),
    query: { ...readQuery(url.href) },
    body: await readBody(headers, bytes, settings.contentType),
  };
}

/** A value as an object; undefined when it is none. */
export function fieldsOf(value: Json): JsonObject | undefined {
  return value === null || typeof value !== "object" || Array.isArray(value) ? undefined : value;
}

async function readBody(headers: Headers, bytes: Uint8Array<ArrayBuffer>, expected: string): Promise<Json> {
  const type = headers.get("content-type") ?? "";
  if (bytes.byteLength === 0 && type === "") return {};
  const essence = type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (expected !== "any" && essence !== expected) throw unsupportedMediaType(expected, type || "a body without a type");
  if (essence.startsWith("multipart/")) throw unsupportedMediaType("JSON, a urlencoded form or text", type);
  if (bytes.byteLength === 0) return {};
  if (essence === "application/json" || essence.endsWith("+json")) return readJson(headers, bytes);
  if (bytes.byteLength > 4 * predictionLimits.characters) throw beyond(predictionLimits, "characters", "");
  const text = decode(bytes);
  if (text.length > predictionLimits.characters) throw beyond(predictionLimits, "characters", "");
  return essence === formType ? readForm(text) : text;
}

async function readJson(headers: Headers, bytes: Uint8Array<ArrayBuffer>): Promise<Json> {
  const type = headers.get("content-type") ?? "";
  const request = new Request("http://webhook", { method: "POST", headers: { "content-type": type }, body: bytes });
  return (await readJsonBody(request, bytes.byteLength, predictionLimits)) as Json;
}

function readForm(text: string): Json {
  if (text.split("&", predictionLimits.keys + 1).length > predictionLimits.keys)
    throw beyond(predictionLimits, "keys", "");
  const fields: JsonObject = { ...readQuery(`?${text}`) };
  if (typeof fields.payload !== "string") return fields;
  const payload = parseOrUndefined(fields.payload);
  if (payload === undefined) return fields;
  assertWithin(payload, predictionLimits);
  return payload;
}

function parseOrUndefined(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function decode(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new WeftError("body-unparsable", { params: { reason: "it is not UTF-8 text" }, cause });
  }
}
