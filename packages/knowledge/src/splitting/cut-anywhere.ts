import type { WindowLimits } from "./piece-window.ts";
import { isInsideCharacter, type TextRange } from "./text-range.ts";

/** Cuts a range that has no better place to be cut: every `chunkSize` characters, never within one. */
export function* cutAnywhere(text: string, range: TextRange, limits: WindowLimits): Generator<TextRange> {
  const { chunkSize, chunkOverlap } = limits;
  let { start } = range;
  for (;;) {
    const end = Math.min(endBefore(text, start, start + chunkSize), range.end);
    yield { start, end };
    if (end >= range.end) return;
    start = startAfter(text, Math.max(end - chunkOverlap, start + 1));
  }
}

/** A character of two units is kept even where there is room for one. */
function endBefore(text: string, start: number, end: number): number {
  if (!isInsideCharacter(text, end)) return end;
  return end - 1 > start ? end - 1 : end + 1;
}

function startAfter(text: string, start: number): number {
  return isInsideCharacter(text, start) ? start + 1 : start;
}
