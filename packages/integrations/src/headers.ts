import type { Outcome } from "./outcome.ts";

/** RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, 5.5, without line breaks and other control characters. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that belong to the connection and are set by the HTTP client alone. */
const reserved = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** A header with its name in lower case, or why it must not be sent: a line break would begin another header. */
export function checkHeader(name: string, value: string): Outcome<readonly [string, string]> {
  const key = name.trim().toLowerCase();
  if (!token.test(key)) return { ok: false, message: `"${name}" is not a valid header name.` };
  if (reserved.has(key)) return { ok: false, message: `The header ${key} is set by the HTTP client. Leave it out.` };
  const trimmed = value.replaceAll(/^[ \t]+|[ \t]+$/g, "");
  if (!fieldValue.test(trimmed)) {
    return { ok: false, message: `The value of the header ${key} has a line break or a character outside Latin-1.` };
  }
  return { ok: true, value: [key, trimmed] };
}
