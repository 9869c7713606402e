import { UnstyledButton } from "@mantine/core";
import type { Json } from "@weft/schema";
import { parseJson } from "@weft/schema";
import { diffLines } from "diff";
import { useMemo, useState } from "react";
import { type FlowModel, toDocument } from "../../../canvas/index.ts";
import { canvasStrings } from "../../../strings.ts";
import { Hint } from "../../../ui/text/hint.tsx";
import classes from "./version-text.module.css";

/** Lines that follow each other: only here, only there, on both sides, or on both and too far from any difference. */
type DiffPart = { kind: "added" | "removed" | "same" | "folded"; lines: string[] };

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

const { diff: strings } = canvasStrings.editor;

/** The changes since a version in the flow's JSON, line by line. */
export function VersionText({ before, after }: { before: FlowModel; after: FlowModel }) {
  const parts = useMemo(() => diffTexts(toText(before), toText(after)), [before, after]);
  if (parts === undefined) return <Hint>{strings.tooDifferent}</Hint>;
  if (parts.every(({ kind }) => kind === "same" || kind === "folded")) return <Hint>{strings.none}</Hint>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section className={classes.text} aria-label={strings.text} tabIndex={0}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have nothing else, and never move
        <Part key={index} part={part} />
      ))}
    </section>
  );
}

function toText(model: FlowModel): string {
  return toStableText(parseJson(JSON.stringify(toDocument(model))) ?? null);
}

const looks = {
  added: { Element: "ins", sign: "+" },
  removed: { Element: "del", sign: "−" },
  same: { Element: "div", sign: " " },
} as const;

function Part({ part: { kind, lines } }: { part: DiffPart }) {
  const [isOpen, setOpen] = useState(false);
  if (kind === "folded" && !isOpen) {
    return (
      <UnstyledButton className={classes.fold} onClick={() => setOpen(true)}>
        {strings.unchanged({ count: lines.length })}
      </UnstyledButton>
    );
  }
  const { Element, sign } = looks[kind === "folded" ? "same" : kind];
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
    <Element key={index} className={classes.line}>
      <span className={classes.sign}>{sign}</span>
      {line}
    </Element>
  ));
}
