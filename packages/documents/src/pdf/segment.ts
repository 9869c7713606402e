/** Adjacent text on a line of a page. Lengths in points; `y` is the baseline, from the bottom. */
export type Segment = { text: string; left: number; right: number; y: number; size: number };

/** PDF.js' data of a piece of text. */
export type TextItem = { str: string; width: number; height: number; transform: number[] };

/** The segments of a page, from top to bottom. A gap as wide as a letter separates pieces. */
export function toSegments(items: readonly TextItem[]): Segment[] {
  const pieces = items.map(toPiece).filter(({ text }) => text.trim() !== "");
  return toRows(pieces).flatMap((row) => joinPieces(row));
}

/** Segments of one line each, from top to bottom, and from left to right within it. */
export function toRows(segments: readonly Segment[]): Segment[][] {
  const rows: Segment[][] = [];
  let base: Segment | undefined;
  for (const segment of segments.toSorted((a, b) => b.y - a.y)) {
    // Superscripts and subscripts belong to the line of their neighbours.
    if (base === undefined || base.y - segment.y > Math.max(base.size, segment.size) * sameLine) {
      rows.push([]);
      base = segment;
    }
    rows.at(-1)?.push(segment);
  }
  return rows.map((row) => row.toSorted((a, b) => a.left - b.left));
}

const sameLine = 0.4;
const letterGap = 0.8;
const wordGap = 0.15;

function toPiece({ str, width, height, transform }: TextItem): Segment {
  const [, , , , left = 0, y = 0] = transform;
  return { text: toLetters(str), left, right: left + width, y, size: height || 1 };
}

/** Replaces glyphs of fonts (ligatures, positional Arabic letters, radicals) by the letters they represent. */
function toLetters(text: string): string {
  return text.replaceAll("\0", "").replace(shapes, (sign) => sign.normalize("NFKC"));
}

const shapes = /[\u2e80-\u2fdf\ufb00-\ufdff\ufe70-\ufefc]/g;

function joinPieces(row: readonly Segment[]): Segment[] {
  const joined: Segment[][] = [];
  for (const piece of row) {
    const before = joined.at(-1)?.at(-1);
    const isNear = before !== undefined && piece.left - before.right < Math.max(piece.size, before.size) * letterGap;
    if (isNear) joined.at(-1)?.push(piece);
    else joined.push([piece]);
  }
  return joined.map(joinNear);
}

/** Joins pieces in reading order. */
export function joinNear(pieces: readonly Segment[]): Segment {
  const ordered = isRightToLeft(pieces) ? pieces.toReversed() : pieces;
  let text = "";
  for (const [index, piece] of ordered.entries()) {
    const before = ordered[index - 1];
    if (before && isApart(before, piece) && !text.endsWith(" ")) text += " ";
    text += piece.text;
  }
  const size = Math.max(...pieces.map((piece) => piece.size));
  const y = pieces.find((piece) => piece.size === size)?.y ?? 0;
  const left = Math.min(...pieces.map((piece) => piece.left));
  return {
    text: text.replace(leader, " … ").trim(),
    left,
    right: Math.max(...pieces.map((piece) => piece.right)),
    y,
    size,
  };
}

/** Leader dots between an entry of a table of contents and its page. */
const leader = /(?:\s?[.·…]){5,}\s?/g;

function isApart(a: Segment, b: Segment): boolean {
  return Math.max(b.left - a.right, a.left - b.right) > Math.max(a.size, b.size) * wordGap;
}

/** Whether most letters are of a right-to-left script. */
export function isRightToLeft(segments: readonly { text: string }[]): boolean {
  let balance = 0;
  for (const { text } of segments) {
    balance += text.match(/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g)?.length ?? 0;
    balance -= text.match(/[A-Za-z\u00c0-\u024f\u0370-\u04ff]/g)?.length ?? 0;
  }
  return balance > 0;
}
