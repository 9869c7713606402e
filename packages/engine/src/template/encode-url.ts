import { type Json, WeftError } from "@weft/schema";
import { toText } from "./render-template.ts";

/**
 * Encodes a value for the place in a URL that follows `before`: one path segment, one query value or one fragment.
 * At the very start it is taken as it is: there the flow's author lets the value name the address.
 */
export function encodeForUrl(value: Json, before: string): string {
  const text = toText(value);
  if (before === "") return text;
  if (!before.includes("?") && isDotSegment(text)) {
    throw new WeftError("flow-node-failed", { params: { reason: `A path segment of a URL must not be "${text}".` } });
  }
  return encodeURIComponent(text);
}

function isDotSegment(text: string): boolean {
  return text === "." || text === "..";
}
