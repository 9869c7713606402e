/** `{{ a.b[0] }}`: the names between dots and brackets. */
export type Reference = { kind: "reference"; path: string[]; source: string };
type TemplatePart = { kind: "text"; text: string } | Reference;

/** One quantifier: a text of any length is split in linear time. */
const referencePattern = /\{\{([^{}]*)\}\}/g;

/** Splits a text into literal parts and references. Anything between braces that is no path stays literal. */
export function parseTemplate(text: string): TemplatePart[] {
  if (!text.includes("{{")) return text === "" ? [] : [{ kind: "text", text }];
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(referencePattern)) {
    const path = parsePath((match[1] ?? "").trim());
    if (!path) continue;
    if (match.index > end) parts.push({ kind: "text", text: text.slice(end, match.index) });
    parts.push({ kind: "reference", path, source: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}

/** `a.b[0].c-d` → `["a", "b", "0", "c-d"]`; undefined when the text is no path. */
export function parsePath(text: string): string[] | undefined {
  if (!/^[$\p{L}_][^\s[\].]*(\.[^\s[\].]+|\[\d+\])*$/u.test(text)) return undefined;
  return text
    .replaceAll(/\[(\d+)\]/g, ".$1")
    .split(".")
    .filter((name) => name !== "");
}

/** Field hint that a config's text may hold `{{ … }}`. */
export const templated = { template: true } as const;
