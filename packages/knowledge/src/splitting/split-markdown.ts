import type { JsonObject } from "@weft/schema";
import type { Chunk } from "../chunk.ts";
import type { WindowLimits } from "./piece-window.ts";
import { type Heading, readOutline } from "./read-outline.ts";
import { proseSeparators } from "./separators.ts";
import { type Separator, splitRange } from "./split-range.ts";
import type { TextRange } from "./text-range.ts";
import { toChunks } from "./to-chunks.ts";

export const headingLevels = ["disabled", "h1", "h2", "h3", "h4", "h5", "h6"] as const;

export type MarkdownRule = WindowLimits & {
  /** `h2`: no chunk goes beyond a heading of level 1 or 2. */
  splitByHeadings: (typeof headingLevels)[number];
};

/** Chunks of Markdown, as `SplitText` gives them. `metadata.headings` is the path of headings that a chunk begins under, the highest first. */
export function* splitMarkdown(
  { text, metadata }: { text: string; metadata: JsonObject },
  rule: MarkdownRule,
): Generator<Chunk | undefined> {
  const { headings, blocks } = yield* readOutline(text);
  const upTo = (level: number) => headings.filter((heading) => heading.level <= level).map(({ start }) => start);
  const separators: Separator[] = [...[1, 2, 3, 4, 5, 6].map(upTo), blocks, ...proseSeparators];
  const sections = toSections(text, upTo(headingLevels.indexOf(rule.splitByHeadings)));
  const describe = createHeadingPath(headings);
  yield* toChunks({ text, metadata, describe }, splitSections(text, sections, { ...rule, separators }));
}

function* splitSections(
  text: string,
  sections: Iterable<TextRange>,
  rule: WindowLimits & { separators: readonly Separator[] },
): Generator<TextRange> {
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
