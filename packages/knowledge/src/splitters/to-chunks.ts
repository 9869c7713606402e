import type { JsonObject } from "@weft/schema";
import type { Chunk } from "../chunk.ts";
import { type TextRange, trimRange } from "./split-range.ts";

export type ChunkOrigin = {
  text: string;
  metadata: JsonObject;
  /** More metadata of the chunk that begins there; asked for in order. */
  describe?: (start: number) => JsonObject;
};

/**
 * The chunks of ranges whose starts do not decrease, without white space at their ends; blank ones are left out.
 * `metadata.loc.lines` says on which lines of the text a chunk stands, from 1.
 */
export function* toChunks({ text, metadata, describe }: ChunkOrigin, ranges: Iterable<TextRange>): Generator<Chunk> {
  const lineOf = createLineCounter(text);
  let covered = 0;
  for (const range of ranges) {
    const trimmed = trimRange(text, range);
    // What only repeats the chunk before says nothing new.
    if (trimmed === undefined || trimmed.end <= covered) continue;
    covered = trimmed.end;
    const chunk = text.slice(trimmed.start, trimmed.end);
    const from = lineOf(trimmed.start);
    const to = from + countBreaks(chunk);
    yield { text: chunk, metadata: { ...metadata, ...describe?.(trimmed.start), loc: { lines: { from, to } } } };
  }
}

/** The line of an offset, from 1. Offsets must not decrease, so that the text is read once. */
function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let nextBreak = text.indexOf("\n");
  return (offset) => {
    while (nextBreak !== -1 && nextBreak < offset) {
      line += 1;
      nextBreak = text.indexOf("\n", nextBreak + 1);
    }
    return line;
  };
}

function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
