/** A heading of Markdown: where its line begins, and its level from 1. */
export type Heading = { start: number; level: number; title: string };

/** Where Markdown may be cut without breaking a block of code: at its headings and at what follows a blank line. */
export type Outline = { headings: Heading[]; blocks: number[] };

/** The ATX headings of a text (CommonMark 4.2) and its blocks, in order; nothing within fenced code (4.5). */
export function* readOutline(text: string): Generator<undefined, Outline> {
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
    // A line that long is no heading, and no fence.
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
/** Between two moments at which the caller may pause. */
const readAtOnce = 64 * 1024;

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

function addHeading(headings: Heading[], line: string, start: number): void {
  const match = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/.exec(line);
  if (match === null) return;
  const [, marks = "", rest = ""] = match;
  headings.push({ start, level: marks.length, title: rest.replace(/[ \t]+#+$/, "").slice(0, 300) });
}
