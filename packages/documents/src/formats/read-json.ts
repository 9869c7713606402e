import { decodeText } from "../decode-text.ts";
import type { ReadContext, ReadResult } from "../read-context.ts";
import { maxDepth, tooDeep, Unreadable } from "../unreadable.ts";

/** JSON, or one JSON value per line, validated and unchanged. */
export function readJson({ bytes, format, budget }: ReadContext): ReadResult {
  const text = budget.take(decodeText(bytes));
  if (format === "json") parseJsonText(text, "it is not valid JSON");
  else checkLines(text);
  return { sections: [{ text, metadata: {} }] };
}

function checkLines(text: string): void {
  let start = 0;
  for (let line = 1; start < text.length; line += 1) {
    const end = text.indexOf("\n", start);
    const value = text.slice(start, end === -1 ? text.length : end);
    if (value.trim() !== "") parseJsonText(value, `its line ${line} is not valid JSON`);
    start = end === -1 ? text.length : end + 1;
  }
}

/** Throws `Unreadable` with the complaint for invalid JSON, and for excessive nesting. */
export function parseJsonText(text: string, complaint: string): unknown {
  // Nesting makes a short text a large value.
  if (isNestedTooDeeply(text)) throw new Unreadable(tooDeep);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unreadable(`${complaint}: ${error instanceof Error ? error.message : "unknown"}`);
  }
}

function isNestedTooDeeply(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length && depth <= maxDepth; index += 1) {
    const sign = text[index];
    if (isInString && sign === "\\") index += 1;
    else if (sign === '"') isInString = !isInString;
    else if (!isInString && (sign === "[" || sign === "{")) depth += 1;
    else if (!isInString && (sign === "]" || sign === "}")) depth -= 1;
  }
  return depth > maxDepth;
}
