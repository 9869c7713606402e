import { type Json, WeftError } from "@weft/schema";
import { toText } from "./render-template.ts";

/**
 * Encodes a value for the place in a URL that follows `before`: one path segment, one query value or one fragment.
 * Where the template begins with it (`before` is undefined) it is taken as it is: there the flow's author lets the
 * value name the address. Throws `flow-node-failed` for `.` and `..` in a path, which would leave their place.
 */
export function encodeForUrl(value: Json, before: string | undefined): string {
  const text = toText(value);
  if (before === undefined) return text;
  if (!before.includes("?") && isDotSegment(text)) {
    throw new WeftError("flow-node-failed", { params: { reason: `A path segment of a URL must not be "${text}".` } });
  }
  return encodeURIComponent(text.toWellFormed());
}

function isDotSegment(text: string): boolean {
  return text === "." || text === "..";
}
