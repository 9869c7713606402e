import type { JsonObject } from "@weft/schema";
import { z } from "zod";
import type { Chunk } from "../chunk.ts";
import { defineSplitter, isOverlapSmaller, overlapTooLarge, sizeFields, toLimits } from "./define-splitter.ts";
import { followsHeading } from "./prose-breaks.ts";
import { proseSeparators } from "./separators.ts";
import {
  type Separator,
  type SplitRule,
  splitRange,
  type TextRange,
  toChunks,
  type WindowLimits,
} from "./split-range.ts";
import { repeatHeads } from "./table-heads.ts";

const headingLevels = ["disabled", "h1", "h2", "h3", "h4", "h5", "h6"] as const;

export type MarkdownRule = WindowLimits & {
  /** `h2`: no chunk crosses a heading of level 1 or 2. */
  splitByHeadings: (typeof headingLevels)[number];
};

/**
 * Chunks of Markdown, as a `SplitText`. `metadata.headings` is the path of headings at a chunk's start, highest first.
 */
export function* splitMarkdown(
  { text, metadata }: { text: string; metadata: JsonObject },
  rule: MarkdownRule,
): Generator<Chunk | undefined> {
  const { headings, blocks } = yield* readOutline(text);
  const upTo = (level: number) => headings.filter((heading) => heading.level <= level).map(({ start }) => start);
  const isApart = (start: number) => !followsHeading(text, start);
  const separators: Separator[] = [
    ...[1, 2, 3, 4, 5, 6].map((level) => upTo(level).filter(isApart)),
    blocks.filter(isApart),
    // A heading alone is better than a broken code block.
    blocks.filter((start) => /^ {0,3}(`{3}|~{3})/.test(text.slice(start, start + 6))),
    ...proseSeparators,
  ];
  const sections = toSections(text, upTo(headingLevels.indexOf(rule.splitByHeadings)));
  const describe = createHeadingPath(headings);
  const wholeRule = repeatHeads({ ...rule, separators }, text, metadata);
  yield* toChunks({ text, metadata, describe }, splitSections(text, sections, wholeRule));
}

function* splitSections(text: string, sections: Iterable<TextRange>, rule: SplitRule): ReturnType<typeof splitRange> {
  for (const section of sections) yield* splitRange(text, section, rule);
}

function* toSections(text: string, cuts: readonly number[]): Generator<TextRange> {
  let start = 0;
  for (const end of [...cuts, text.length]) {
    if (end > start) yield { start, end };
    start = end;
  }
}

/** The headings above an offset; offsets must not decrease. */
function createHeadingPath(headings: readonly Heading[]): (offset: number) => JsonObject {
  let path: Heading[] = [];
  let next = 0;
  return (offset) => {
    for (let heading = headings[next]; heading !== undefined && heading.start <= offset; heading = headings[next]) {
      const { level } = heading;
      path = [...path.filter((above) => above.level < level), heading];
      next += 1;
    }
    return path.length === 0 ? {} : { headings: path.map(({ title }) => title) };
  };
}

/** A Markdown heading: the start of its line, and its level from 1. */
type Heading = { start: number; level: number; title: string };

/** Where Markdown may be split without breaking a code block: at headings and after blank lines. */
type Outline = { headings: Heading[]; blocks: number[] };

/** The ATX headings of a text (CommonMark 4.2) and its blocks, in order; nothing within fenced code (4.5). */
function* readOutline(text: string): Generator<undefined, Outline> {
  const outline: Outline = { headings: [], blocks: [] };
  let fence: string | undefined;
  let isAfterBlank = false;
  let pausedAt = 0;
  for (let start = 0; start < text.length; ) {
    if (start - pausedAt > readAtOnce) {
      pausedAt = start;
      yield undefined;
    }
    const end = endOfLine(text, start);
    // A line that long is neither a heading nor a fence.
    const line = text.slice(start, Math.min(end, start + maxLineCharacters)).trimEnd();
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && isAfterBlank && line !== "") outline.blocks.push(start);
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence)) fence = undefined;
    else if (fence === undefined) addHeading(outline.headings, line, start);
    isAfterBlank = line === "";
    start = end + 1;
  }
  return outline;
}

const maxLineCharacters = 1_000;
/** Characters read between two pauses. */
const readAtOnce = 64 * 1024;

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

function addHeading(headings: Heading[], line: string, start: number): void {
  const match = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line);
  if (match === null) return;
  const [, marks = "", rest = ""] = match;
  headings.push({ start, level: marks.length, title: rest.replace(/(?<![ \t])[ \t]+#+$/, "").slice(0, 300) });
}

/** Settings of splitters that split at headings. */
export const markdownConfig = z
  .object({
    ...sizeFields("characters"),
    splitByHeadings: z.enum(headingLevels).default("disabled").meta({
      title: "Split by headings",
      help: "No chunk goes beyond a heading of this level or a higher one.",
    }),
  })
  .refine(isOverlapSmaller, overlapTooLarge);

/** Their names in existing clients. */
export const markdownConfigAliases = { splitByHeaders: "splitByHeadings" };

export function toMarkdownRule(config: z.infer<typeof markdownConfig>): MarkdownRule {
  return { ...toLimits(config), splitByHeadings: config.splitByHeadings };
}

export const markdown = defineSplitter({
  name: "markdown",
  title: "Markdown",
  summary: "Cuts Markdown at its headings. Every chunk knows the headings that it stands under.",
  config: markdownConfig,
  aliases: { names: ["markdownTextSplitter"], keys: markdownConfigAliases },
  prepare(config) {
    const rule = toMarkdownRule(config);
    return (text, metadata) => splitMarkdown({ text, metadata }, rule);
  },
});
