import { isDeeperThan, type Json, maxJsonDepth } from "@weft/schema";

/** The value of a text that is JSON; any other text as it is. */
export function parseData(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/**
 * The JSON array or object that a text is, or holds: in a code fence, or among words, as models write it. Undefined when
 * there is none, or when it is nested too deep to be worked on.
 */
export function findJson(text: string): Json[] | Record<string, Json> | undefined {
  const start = text.search(/[[{]/);
  if (start < 0) return undefined;
  const end = text.lastIndexOf(text[start] === "[" ? "]" : "}");
  let value: Json;
  try {
    value = JSON.parse(text.slice(start, end + 1)) as Json;
  } catch {
    return undefined;
  }
  if (value === null || typeof value !== "object" || isDeeperThan(value, maxJsonDepth)) return undefined;
  return value;
}
