import type { WindowLimits } from "../splitting/piece-window.ts";
import type { TextRange } from "../splitting/text-range.ts";
import type { CountTokens } from "./load-token-counter.ts";

/**
 * Ranges of whole words with at most `chunkSize` tokens each, repeating at most `chunkOverlap` tokens; a word that is
 * larger is cut between characters. Only a character of more tokens than that is larger.
 * Words are counted one by one, and a range once more as a whole before it is given out.
 */
export function* splitByTokens(text: string, limits: WindowLimits, countTokens: CountTokens): Generator<TextRange> {
  let pieces: Piece[] = [];
  let size = 0;
  /** How many of the first pieces stood in the range before. */
  let repeated = 0;
  const drop = (count: number) => {
    for (const dropped of pieces.slice(0, count)) size -= dropped.size;
    pieces = pieces.slice(count);
  };
  const countFitting = () => countFittingPieces(text, pieces, { chunkSize: limits.chunkSize, countTokens });
  for (const piece of toPieces(text, limits.chunkSize, countTokens)) {
    while (pieces.length > 0 && size + piece.size > limits.chunkSize) {
      if (pieces.length <= repeated) {
        drop(1);
        repeated = pieces.length;
        continue;
      }
      const taken = countFitting();
      yield toRange(pieces.slice(0, taken));
      repeated = countRepeated(pieces.slice(0, taken), limits.chunkOverlap);
      drop(taken - repeated);
    }
    pieces.push(piece);
    size += piece.size;
  }
  for (; pieces.length > repeated; repeated = 0) {
    const taken = countFitting();
    yield toRange(pieces.slice(0, taken));
    drop(taken);
  }
}

/** A part of the text and its tokens. */
type Piece = TextRange & { size: number };

/** Words with the white space before them. Both are bounded: the time to count one grows with its square. */
const word = /\s{0,32}\S{1,32}|\s{1,32}/gu;

function* toPieces(text: string, chunkSize: number, countTokens: CountTokens): Generator<Piece> {
  for (const match of text.matchAll(word)) {
    const [part] = match;
    const size = countTokens(part);
    // Without the blank before it, a word may be more tokens.
    const largest = Math.max(size, countTokens(part.trimStart()));
    if (largest <= chunkSize) yield { start: match.index, end: match.index + part.length, size };
    else yield* toCharacters(part, match.index, countTokens);
  }
}

function* toCharacters(part: string, offset: number, countTokens: CountTokens): Generator<Piece> {
  let start = offset;
  for (const character of part) {
    const end = start + character.length;
    yield { start, end, size: countTokens(character) };
    start = end;
  }
}

/**
 * Tokens of a range as a whole: at the borders of words a tokenizer may see other parts than word by word. Without
 * blanks for long, it is counted in parts all the same.
 */
function countExactly(text: string, countTokens: CountTokens): number {
  if (!unbroken.test(text)) return countTokens(text);
  let count = 0;
  for (const [part] of text.matchAll(word)) count += countTokens(part);
  return count;
}

const unbroken = /\S{200}|\s{200}/;

/** How many of the pieces, from the first, are a range that fits; at least one. */
function countFittingPieces(
  text: string,
  pieces: readonly Piece[],
  { chunkSize, countTokens }: { chunkSize: number; countTokens: CountTokens },
): number {
  for (let taken = pieces.length; taken > 1; taken -= 1) {
    const { start, end } = toRange(pieces.slice(0, taken));
    if (countExactly(text.slice(start, end).trim(), countTokens) <= chunkSize) return taken;
  }
  return 1;
}

/** How many of the last pieces may be repeated. Not all: what is repeated must be followed by more. */
function countRepeated(pieces: readonly Piece[], chunkOverlap: number): number {
  let size = 0;
  let count = 0;
  for (const piece of pieces.slice(1).reverse()) {
    size += piece.size;
    if (size > chunkOverlap) break;
    count += 1;
  }
  return count;
}

function toRange(pieces: readonly Piece[]): TextRange {
  return { start: pieces[0]?.start ?? 0, end: pieces.at(-1)?.end ?? 0 };
}
