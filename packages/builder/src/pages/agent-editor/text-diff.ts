import type { Json } from "@weft/schema";
import { diffLines } from "diff";

/** Lines that follow each other: only here, only there, on both sides, or on both and too far from any difference. */
export type DiffPart = { kind: "added" | "removed" | "same" | "folded"; lines: string[] };

/** Lines that are shown around a difference. */
const contextLines = 3;
/** Fewer are not worth a fold. */
const leastFolded = 3;
const limitMs = 500;

/** How two texts differ, line by line. Undefined if they have so little in common that it takes too long to say. */
export function diffTexts(before: string, after: string): DiffPart[] | undefined {
  const changes = diffLines(before, after, { timeout: limitMs });
  return changes?.flatMap(({ added, removed, value }, index): DiffPart[] => {
    const lines = value.replace(/\n$/, "").split("\n");
    if (added) return [{ kind: "added", lines }];
    if (removed) return [{ kind: "removed", lines }];
    return fold(lines, { isFirst: index === 0, isLast: index === changes.length - 1 });
  });
}

function fold(lines: string[], { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): DiffPart[] {
  const start = isFirst ? 0 : contextLines;
  const end = lines.length - (isLast ? 0 : contextLines);
  if (end - start < leastFolded) return [{ kind: "same", lines }];
  const parts: DiffPart[] = [
    { kind: "same", lines: lines.slice(0, start) },
    { kind: "folded", lines: lines.slice(start, end) },
    { kind: "same", lines: lines.slice(end) },
  ];
  return parts.filter((part) => part.lines.length > 0);
}

/** First what says which thing it is. */
const firstKeys = ["id", "type", "label"];

/** Indented JSON whose objects have their keys in one order, so that only what changed differs. */
export function toStableText(value: Json): string {
  return `${JSON.stringify(toOrdered(value), null, 2)}\n`;
}

function toOrdered(value: Json): Json {
  if (Array.isArray(value)) return value.map(toOrdered);
  if (value === null || typeof value !== "object") return value;
  const rank = (key: string) => (firstKeys.includes(key) ? firstKeys.indexOf(key) : firstKeys.length);
  const keys = Object.keys(value).toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, toOrdered(value[key] ?? null)]));
}
