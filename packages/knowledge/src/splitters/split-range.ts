import type { JsonObject } from "@weft/schema";
import type { Chunk } from "../chunk.ts";

/**
 * A text to search for, or the starts of pieces in ascending order: precomputed offsets in the whole text, or a
 * function of the part to be split, returning offsets in it.
 */
export type Separator = string | readonly number[] | ((part: string) => Iterable<number>);

export type SplitRule = WindowLimits & {
  /** The best separator first. If none is left, a range is split anywhere. */
  separators: readonly Separator[];
  /** The table header that a chunk starting there repeats; "" for none. */
  tables?: { headAt(start: number): string };
};

/**
 * Splits a range at the first separator that occurs in it, merges the pieces as far as they fit, and splits those still
 * too long at the next separator. Ranges are in order, none longer than `chunkSize` including its repeated header but
 * not trailing white space, and together they cover the whole. Every level reads the text once, so the time is linear
 * in its length.
 */
export function* splitRange(text: string, range: TextRange, rule: SplitRule): Generator<ChunkRange> {
  const headAt = (start: number) => rule.tables?.headAt(start) ?? "";
  const head = headAt(range.start);
  if (head.length + visibleEnd(text, range) - range.start <= rule.chunkSize) {
    yield { ...range, head };
    return;
  }
  const slice = text.slice(range.start, range.end);
  const level = rule.separators.findIndex((separator) => occurs(separator, slice, range));
  const separator = rule.separators[level];
  if (separator === undefined) {
    yield* cutAnywhere(text, { ...range, head }, rule);
    return;
  }
  const nextRule = { ...rule, separators: rule.separators.slice(level + 1) };
  const window = createPieceWindow(rule);
  for (const part of toPieces(range, separator, slice)) {
    const piece = { ...part, visible: visibleEnd(text, part) - part.start, head: headAt(part.start) };
    const isTooLong = piece.head.length + piece.visible > rule.chunkSize;
    const done = isTooLong ? window.flush() : window.add(piece);
    if (done) yield done;
    if (isTooLong) yield* splitRange(text, part, nextRule);
  }
  const rest = window.flush();
  if (rest) yield rest;
}

function occurs(separator: Separator, slice: string, range: TextRange): boolean {
  if (typeof separator === "string") return separator !== "" && slice.includes(separator);
  if (typeof separator === "function") return separator(slice)[Symbol.iterator]().next().done !== true;
  return (separator[firstAfter(separator, range.start)] ?? range.end) < range.end;
}

function* toPieces(range: TextRange, separator: Separator, slice: string): Generator<TextRange> {
  let { start } = range;
  for (const cut of findCuts(range, separator, slice)) {
    const end = range.start + cut;
    if (end <= start) continue;
    yield { start, end };
    start = end;
  }
  if (start < range.end) yield { start, end: range.end };
}

function findCuts(range: TextRange, separator: Separator, slice: string): Iterable<number> {
  if (typeof separator === "string") return cutsAtText(slice, separator);
  return typeof separator === "function" ? separator(slice) : cutsAtPlaces(range, separator);
}

/** White space and sentence ends stay with the preceding text; any other separator starts the next piece. */
const staysBefore = /^[.!?;,。！？；，、]?\s*$/;

function* cutsAtText(slice: string, separator: string): Generator<number> {
  const shift = staysBefore.test(separator) ? separator.length : 0;
  let found = slice.indexOf(separator);
  while (found !== -1) {
    yield found + shift;
    found = slice.indexOf(separator, found + separator.length);
  }
}

function* cutsAtPlaces(range: TextRange, places: readonly number[]): Generator<number> {
  let index = firstAfter(places, range.start);
  for (let place = places[index]; place !== undefined && place < range.end; place = places[index]) {
    yield place - range.start;
    index += 1;
  }
}

/** Index of the first place after the offset, by binary search. */
function firstAfter(places: readonly number[], offset: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Splits a range without a better place: every `chunkSize` characters, never within one. */
function* cutAnywhere(text: string, range: ChunkRange, limits: WindowLimits): Generator<ChunkRange> {
  const { chunkSize, chunkOverlap } = limits;
  let { start, head } = range;
  for (;;) {
    const end = Math.min(endBefore(text, start, start + chunkSize - head.length), range.end);
    yield { start, end, head };
    if (end >= range.end) return;
    start = startAfter(text, Math.max(end - chunkOverlap, start + 1));
    head = "";
  }
}

/** A surrogate pair is kept even if there is room for only one unit. */
function endBefore(text: string, start: number, end: number): number {
  if (!isInsideCharacter(text, end)) return end;
  return end - 1 > start ? end - 1 : end + 1;
}

function startAfter(text: string, start: number): number {
  return isInsideCharacter(text, start) ? start + 1 : start;
}

export type WindowLimits = { chunkSize: number; chunkOverlap: number };

/** Merges adjacent pieces into ranges of at most `chunkSize`, each of which repeats the last pieces before it. */
type PieceWindow = {
  /** Adds the next piece, which must directly follow the previous one; returns the range that it completes. */
  add(piece: WindowPiece): ChunkRange | undefined;
  /** The rest. The next piece may be anywhere. */
  flush(): ChunkRange | undefined;
};

/** `visible`: its length without trailing white space, which the end of a chunk drops. */
type WindowPiece = ChunkRange & { visible: number };

function createPieceWindow({ chunkSize, chunkOverlap }: WindowLimits): PieceWindow {
  let pieces: WindowPiece[] = [];
  let size = 0;
  const toRange = (): ChunkRange | undefined => {
    const [first] = pieces;
    const last = pieces.at(-1);
    return first && last && { start: first.start, end: last.end, head: first.head };
  };
  const isTooLong = (next: WindowPiece, first = next) => first.head.length + size + next.visible > chunkSize;
  /** Drops pieces from the front until the rest fits the overlap and leaves room for the next one. */
  const keepOverlap = (next: WindowPiece) => {
    let dropped = 0;
    while (dropped < pieces.length && (size > chunkOverlap || isTooLong(next, pieces[dropped]))) {
      const piece = pieces[dropped];
      size -= piece ? piece.end - piece.start : 0;
      dropped += 1;
    }
    pieces = pieces.slice(dropped);
  };
  return {
    add(piece) {
      let completed: ChunkRange | undefined;
      if (isTooLong(piece, pieces[0])) {
        completed = toRange();
        keepOverlap(piece);
      }
      pieces.push(piece);
      size += piece.end - piece.start;
      return completed;
    },
    flush() {
      const rest = toRange();
      pieces = [];
      size = 0;
      return rest;
    },
  };
}

/** A part of a text by its offsets in UTF-16 units; `end` is exclusive. */
export type TextRange = { start: number; end: number };

/** The range of a chunk, with the header of the table that it continues; "" for none. */
export type ChunkRange = TextRange & { head: string };

/** A range without surrounding white space; undefined if nothing remains. */
function trimRange(text: string, { start, end }: TextRange): TextRange | undefined {
  const to = visibleEnd(text, { start, end });
  let from = start;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  return from < to ? { start: from, end: to } : undefined;
}

/** End of a range without trailing white space. */
function visibleEnd(text: string, { start, end }: TextRange): number {
  let to = end;
  while (to > start && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return to;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0x3000;
}

/** Whether a split at this offset would break a surrogate pair. */
function isInsideCharacter(text: string, offset: number): boolean {
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

type ChunkOrigin = {
  text: string;
  metadata: JsonObject;
  /** More metadata of the chunk starting there; called in order. */
  describe?: (start: number) => JsonObject;
};

/**
 * The trimmed chunks of ranges with non-decreasing starts; blank ones are left out. `metadata.loc.lines` has the lines
 * of a chunk in the text, from 1, without its repeated header.
 */
export function* toChunks({ text, metadata, describe }: ChunkOrigin, ranges: Iterable<ChunkRange>): Generator<Chunk> {
  const lineOf = createLineCounter(text);
  let covered = 0;
  for (const range of ranges) {
    const trimmed = trimRange(text, range);
    // A mere repetition of the previous chunk adds nothing.
    if (trimmed === undefined || trimmed.end <= covered) continue;
    covered = trimmed.end;
    const chunk = text.slice(trimmed.start, trimmed.end);
    const from = lineOf(trimmed.start);
    const to = from + countBreaks(chunk);
    yield {
      text: range.head + chunk,
      metadata: { ...metadata, ...describe?.(trimmed.start), loc: { lines: { from, to } } },
    };
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
