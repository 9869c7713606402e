import type { Json } from "@weft/client";

/** A value as people read it: a text as it is, anything else as JSON. `indent`: spaces of each level; 0: one line. */
export function prettyJson(value: Json, indent = 2): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, indent);
}

/** A text that may be JSON, as people read it. */
export function prettyText(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Most steps say what they did as `content`, which is read as a text; what else there is follows as data. */
export function splitContent(value: Json): { text?: string; rest?: Json } {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return { rest: value };
  const { content, ...others } = value;
  if (typeof content !== "string") return { rest: value };
  return Object.keys(others).length === 0 ? { text: content } : { text: content, rest: others };
}
