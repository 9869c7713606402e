import type { Json, JsonObject } from "@weft/schema";
import type { Outcome } from "../tool-name.ts";

export type KnownArgument = {
  argument: string;
  required: boolean;
  /** Null is a distinct value. Default false: null counts as omitted. */
  takesNull?: boolean;
};

/**
 * Validates a call's arguments, with a message that the model can act on; undefined if valid. Unknown arguments are
 * rejected, not dropped: a model that sent a nonexistent filter would mistake the unfiltered answer for a filtered one.
 * Those in `ignored` are dropped.
 */
export function checkArguments(
  known: readonly KnownArgument[],
  args: JsonObject,
  ignored: ReadonlySet<string> = new Set(),
): string | undefined {
  const missing = known.filter(
    ({ argument, required, takesNull }) =>
      required && (takesNull ? !Object.hasOwn(args, argument) : isAbsent(args, argument)),
  );
  if (missing.length > 0) {
    const names = missing.map(({ argument }) => argument).join(", ");
    return `Nothing was called. Required and missing: ${names}. Call again with every required argument, or ask the user for it.`;
  }
  const names = new Set(known.map(({ argument }) => argument));
  const unknown = Object.keys(args).filter((name) => !names.has(name) && !ignored.has(name) && !isAbsent(args, name));
  if (unknown.length === 0) return undefined;
  const takes = names.size === 0 ? "This tool takes no arguments." : `This tool takes: ${[...names].join(", ")}.`;
  return `Nothing was called. Unknown: ${unknown.join(", ")}. ${takes} Call again with these only.`;
}

/** Whether an argument was omitted or is null. */
export function isAbsent(args: JsonObject, name: string): boolean {
  return sentValue(args, name) === undefined;
}

/** The value of an argument; undefined if it was omitted or is null. */
export function sentValue(args: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(args, name) ? (args[name] ?? undefined) : undefined;
}

/** RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, 5.5, without line breaks and other control characters. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Connection headers, set only by the HTTP client. */
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

/** A header with its name in lower case, or why it must not be sent: a line break would start another header. */
export function checkHeader(name: string, value: string): Outcome<readonly [string, string]> {
  const key = name.trim().toLowerCase();
  if (!token.test(key)) return { ok: false, message: `"${name}" is not a valid header name.` };
  if (reserved.has(key)) return { ok: false, message: `The header ${key} is set by the HTTP client. Leave it out.` };
  const trimmed = value.replaceAll(/^[ \t]+|(?<![ \t])[ \t]+$/g, "");
  if (!fieldValue.test(trimmed)) {
    return { ok: false, message: `The value of the header ${key} has a line break or a character outside Latin-1.` };
  }
  return { ok: true, value: [key, trimmed] };
}
