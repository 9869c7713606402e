import type { Json } from "@weft/schema";

/** The value of a text that is JSON; any other text as it is. */
export function parseData(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
