import type { Json } from "@weft/client";

/** A readable value: text unchanged, anything else as JSON. `indent`: spaces per level; 0: one line. */
export function prettyJson(value: Json, indent = 2): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, indent);
}

/** Formats a text that may be JSON. */
export function prettyText(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Most steps report their result as `content`, which is shown as text; the rest follows as data. */
export function splitContent(value: Json): { text?: string; rest?: Json } {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return { rest: value };
  const { content, ...others } = value;
  if (typeof content !== "string") return { rest: value };
  return Object.keys(others).length === 0 ? { text: content } : { text: content, rest: others };
}
