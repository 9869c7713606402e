import type { TextRange } from "./text-range.ts";

export type WindowLimits = { chunkSize: number; chunkOverlap: number };

/** Puts adjacent pieces together into ranges of at most `chunkSize`, each of which repeats the last pieces before it. */
export type PieceWindow = {
  /** Takes the next piece, which must follow the one before it directly; gives the range that it completes. */
  add(piece: WindowPiece): TextRange | undefined;
  /** What remains. The next piece may stand anywhere. */
  flush(): TextRange | undefined;
};

/** `visible`: its length without the white space at its end, which the end of a chunk does without. */
export type WindowPiece = TextRange & { visible: number };

export function createPieceWindow({ chunkSize, chunkOverlap }: WindowLimits): PieceWindow {
  let pieces: WindowPiece[] = [];
  let size = 0;
  const toRange = (): TextRange | undefined => {
    const [first] = pieces;
    const last = pieces.at(-1);
    return first && last && { start: first.start, end: last.end };
  };
  /** Drops pieces from the front until the rest may be repeated and leaves room for the next one. */
  const keepOverlap = (next: WindowPiece) => {
    let dropped = 0;
    while (dropped < pieces.length && (size > chunkOverlap || size + next.visible > chunkSize)) {
      const piece = pieces[dropped];
      size -= piece ? piece.end - piece.start : 0;
      dropped += 1;
    }
    pieces = pieces.slice(dropped);
  };
  return {
    add(piece) {
      let completed: TextRange | undefined;
      if (size + piece.visible > chunkSize) {
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
