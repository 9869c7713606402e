import { isDeeperThan, type Json, maxJsonDepth, parseJson } from "@weft/schema";

/**
 * The JSON array or object that a text is, or contains: in a code fence, or among words, as models write it. Undefined
 * if there is none, or if it is nested too deeply.
 */
export function findJson(text: string): Json[] | Record<string, Json> | undefined {
  const start = text.search(/[[{]/);
  if (start < 0) return undefined;
  const end = text.lastIndexOf(text[start] === "[" ? "]" : "}");
  const value = parseJson(text.slice(start, end + 1));
  if (value === undefined || value === null || typeof value !== "object" || isDeeperThan(value, maxJsonDepth))
    return undefined;
  return value;
}
