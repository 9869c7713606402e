import type { Json } from "@weft/schema";
import type { Outcome } from "./tool-name.ts";

/** Query parameters of one value: an array repeats the name, an object is sent as JSON, null is left out. */
export function toQueryPairs(name: string, value: Json): [string, string][] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.filter((item) => item !== null).map((item) => [name, toPlainText(item)]);
  return [[name, toPlainText(value)]];
}

/** Text as it is, data as JSON. */
export function toPlainText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * One path segment of a URL (RFC 3986, 3.3): everything that could end the segment is percent-encoded.
 * Refused: an empty value, and dot segments in any spelling, which some servers decode and climb up by.
 */
export function encodePathValue(argument: string, value: Json): Outcome<string> {
  const parts = Array.isArray(value) ? value : [value];
  if (parts.some((part) => part !== null && typeof part === "object")) {
    return { ok: false, message: `${argument} is part of the address: send text or a number.` };
  }
  const text = parts.map((part) => String(part ?? "")).join(",");
  if (text.trim() === "") {
    return { ok: false, message: `${argument} is part of the address and must not be empty. Send a value.` };
  }
  if (hasDotSegment(text)) {
    return { ok: false, message: `${argument} must not contain the path segments "." or "..". Send the plain value.` };
  }
  if (!text.isWellFormed()) return { ok: false, message: `${argument} is not well-formed text.` };
  return { ok: true, value: parts.map((part) => encodeURIComponent(String(part))).join(",") };
}

function hasDotSegment(text: string): boolean {
  const plain = text.replaceAll(/%(?:25)*2e/gi, ".").replaceAll(/%(?:25)*(?:2f|5c)/gi, "/");
  return plain.split(/[/\\]/).some((segment) => [".", ".."].includes(segment.trim()));
}
