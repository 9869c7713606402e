import type { HttpResponse } from "@weft/engine";
import { isDeeperThan, type Json, type JsonObject, maxJsonDepth } from "@weft/schema";

export const responseTypes = ["json", "text", "array-buffer", "base64"] as const;
export type ResponseType = (typeof responseTypes)[number];

/** What the node puts out of an answer. Cookies are the called API's secrets and are left out. */
export function readResponse(response: HttpResponse, as: ResponseType): JsonObject {
  const { status, statusText, headers, body } = response;
  const { "set-cookie": _cookies, ...shown } = headers;
  return { status, statusText, headers: shown, data: decode(body, as) };
}

/** The data as an answer in words. */
export function toAnswerText(data: Json | undefined): string {
  if (typeof data === "string") return data;
  return data === null || data === undefined ? "" : JSON.stringify(data);
}

/** Seconds of a `Retry-After` header (RFC 9110, section 10.2.3) that names a delay; undefined for a date. */
export function readRetryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers["retry-after"]?.trim() ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function decode(body: Uint8Array, as: ResponseType): Json {
  switch (as) {
    case "base64":
      return toBase64(body);
    case "array-buffer":
      return [...body];
    case "text":
      return new TextDecoder().decode(body);
    case "json":
      return parseOrKeep(new TextDecoder().decode(body));
  }
}

/** JSON that does not parse, or is nested too deeply to work on, is kept as text: an error page is a result, too. */
function parseOrKeep(text: string): Json {
  if (text.trim() === "") return null;
  try {
    const value = JSON.parse(text) as Json;
    return isDeeperThan(value, maxJsonDepth) ? text : value;
  } catch {
    return text;
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += 8_192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  }
  return btoa(binary);
}
