import type { TiktokenBPE } from "js-tiktoken/lite";
import { z } from "zod";
import { defineSplitter, isOverlapSmaller, overlapTooLarge, sizeFields, toLimits } from "./define-splitter.ts";
import { endsSentence, followsHeading, wordStarts } from "./prose-breaks.ts";
import { type ChunkRange, type TextRange, toChunks, type WindowLimits } from "./split-range.ts";
import { findTableHeads, largestHead, type TableHeads } from "./table-heads.ts";

/** The encodings that existing clients name, and that of newer models. */
const tokenEncodings = ["cl100k_base", "o200k_base", "p50k_base", "p50k_edit", "r50k_base", "gpt2"] as const;
type TokenEncoding = (typeof tokenEncodings)[number];

/** How many tokens a text is. Text that looks like a special token is text. */
type CountTokens = (text: string) => number;

/** The counters that something uses, or that were not collected since: one is slow to make, and large. */
const counters = new Map<TokenEncoding, WeakRef<CountTokens>>();

async function tokenCounter(encoding: TokenEncoding): Promise<CountTokens> {
  const known = counters.get(encoding)?.deref();
  if (known !== undefined) return known;
  const made = await loadTokenCounter(encoding);
  counters.set(encoding, new WeakRef(made));
  return made;
}

/** A counter that remembers words. The ranks of an encoding, up to 2 MB, are loaded when they are first used. */
async function loadTokenCounter(encoding: TokenEncoding): Promise<CountTokens> {
  const { Tiktoken } = await import("js-tiktoken/lite");
  const tokenizer = new Tiktoken(await loadRanks(encoding));
  const counts = new Map<string, number>();
  return (text) => {
    const known = counts.get(text);
    if (known !== undefined) return known;
    const count = tokenizer.encode(text, [], []).length;
    if (text.length > maxRememberedCharacters) return count;
    if (counts.size >= maxRemembered) counts.clear();
    counts.set(text, count);
    return count;
  };
}

const maxRemembered = 50_000;
const maxRememberedCharacters = 100;

async function loadRanks(encoding: TokenEncoding): Promise<TiktokenBPE> {
  switch (encoding) {
    case "cl100k_base":
      return (await import("js-tiktoken/ranks/cl100k_base")).default;
    case "o200k_base":
      return (await import("js-tiktoken/ranks/o200k_base")).default;
    case "p50k_base":
      return (await import("js-tiktoken/ranks/p50k_base")).default;
    case "p50k_edit":
      return (await import("js-tiktoken/ranks/p50k_edit")).default;
    case "r50k_base":
      return (await import("js-tiktoken/ranks/r50k_base")).default;
    case "gpt2":
      return (await import("js-tiktoken/ranks/gpt2")).default;
  }
}

export const token = defineSplitter({
  name: "token",
  title: "Tokens",
  summary: "Cuts at sentences, else words, and measures chunks in the tokens of a model.",
  config: z
    .object({
      ...sizeFields("tokens"),
      encoding: z.enum(tokenEncodings).default("cl100k_base").meta({
        title: "Encoding",
        help: "cl100k_base is that of OpenAI's embedding models.",
      }),
    })
    .refine(isOverlapSmaller, overlapTooLarge),
  aliases: { names: ["tokenTextSplitter"], keys: { encodingName: "encoding" } },
  async prepare(config) {
    const countTokens = await tokenCounter(config.encoding);
    const limits = toLimits(config);
    const fits = (head: string) => countTokens(head) <= limits.chunkSize * largestHead;
    return (text, metadata) => {
      const tables = findTableHeads(text, { metadata, fits });
      return toChunks({ text, metadata }, splitByTokens(text, limits, { countTokens, tables }));
    };
  },
});

type Counting = { countTokens: CountTokens; tables: TableHeads | undefined };

/**
 * Ranges of whole words with at most `chunkSize` tokens each, repeating at most `chunkOverlap` tokens; a word that is
 * larger is cut between characters. Only a character of more tokens than that is larger.
 * Words are counted one by one, and a range once more as a whole before it is given out.
 */
function* splitByTokens(text: string, limits: WindowLimits, { countTokens, tables }: Counting): Generator<ChunkRange> {
  const { chunkSize } = limits;
  let pieces: Piece[] = [];
  let size = 0;
  /** What the range repeats that begins with the first piece. */
  let head = { text: "", size: 0 };
  /** How many of the first pieces stood in the range before. */
  let repeated = 0;
  const drop = (count: number) => {
    for (const dropped of pieces.slice(0, count)) size -= dropped.size;
    pieces = pieces.slice(count);
    head = headOf(pieces[0]);
  };
  /** Drops what is repeated but for so many pieces, and for rows that would be broken. */
  const repeatLast = (count: number) => {
    let dropped = repeated - count;
    while (dropped < repeated && tables?.placeOf(pieces[dropped]?.start ?? 0) === "inside") dropped += 1;
    drop(dropped);
    repeated -= dropped;
  };
  const headOf = (first: Piece | undefined) => {
    const repeats = first && tables ? tables.headAt(first.start) : "";
    if (first === undefined || repeats === "") return { text: "", size: 0 };
    const fits = countTokens(repeats + text.slice(first.start, first.end).trim()) <= chunkSize;
    return fits ? { text: repeats, size: countTokens(repeats) } : { text: "", size: 0 };
  };
  const countFitting = () => countFittingPieces(text, pieces, { head: head.text, chunkSize, countTokens });
  for (const piece of toPieces(text, chunkSize, countTokens)) {
    while (pieces.length > 0 && head.size + size + piece.size > chunkSize) {
      const fitting = countFitting();
      if (fitting <= repeated) {
        repeatLast(repeated - 1);
        continue;
      }
      const taken = endOfChunk(text, pieces, { fitting, repeated, tables });
      yield { ...toRange(pieces.slice(0, taken)), head: head.text };
      repeated = taken;
      repeatLast(countRepeated(pieces.slice(0, taken), limits.chunkOverlap));
    }
    if (pieces.length === 0) head = headOf(piece);
    pieces.push(piece);
    size += piece.size;
  }
  while (pieces.length > repeated) {
    const fitting = countFitting();
    if (fitting <= repeated) {
      repeatLast(repeated - 1);
      continue;
    }
    const taken = fitting === pieces.length ? fitting : endOfChunk(text, pieces, { fitting, repeated, tables });
    yield { ...toRange(pieces.slice(0, taken)), head: head.text };
    drop(taken);
    repeated = 0;
  }
}

type ChunkEnd = { fitting: number; repeated: number; tables: TableHeads | undefined };

/**
 * How many of the fitting pieces end with a sentence or a row of a table, else with a line, where that leaves half of
 * them; else all. No row is broken while another stands before it. A heading stays with what it heads.
 */
function endOfChunk(text: string, pieces: readonly Piece[], { fitting, repeated, tables }: ChunkEnd): number {
  const placeAt = (taken: number) => tables?.placeOf(pieces[taken - 1]?.end ?? 0) ?? "outside";
  const least = placeAt(fitting) === "outside" ? fitting / 2 : 0;
  let [lineEnd, brokenRow]: (number | undefined)[] = [];
  for (let taken = fitting; taken > Math.max(repeated, least); taken -= 1) {
    const place = placeAt(taken);
    const end = endOf(text, pieces[taken - 1]);
    if (place === "row" || (place === "outside" && end === "sentence")) return taken;
    if (place === "outside" && end === "line") lineEnd ??= taken;
    if (place === "inside" && end === "sentence") brokenRow ??= taken;
  }
  return lineEnd ?? brokenRow ?? fitting;
}

/** What ends with a piece; nothing where a heading does. */
function endOf(text: string, piece: Piece | undefined): "sentence" | "line" | undefined {
  if (piece === undefined || followsHeading(text, piece.end)) return undefined;
  const after = text.slice(piece.end, piece.end + 40);
  if (endsSentence(text.slice(piece.start, piece.end).trimEnd(), after.trimStart())) return "sentence";
  return /^[ \t]*\r?\n/.test(after) ? "line" : undefined;
}

/** A part of the text and its tokens. */
type Piece = TextRange & { size: number };

/** Words with the white space before them. Both are bounded: the time to count one grows with its square. */
const word = /\s{0,32}\S{1,32}|\s{1,32}/gu;

function* toPieces(text: string, chunkSize: number, countTokens: CountTokens): Generator<Piece> {
  for (const { index, part } of toWords(text)) {
    const size = countTokens(part);
    // Without the blank before it, a word may be more tokens.
    const largest = Math.max(size, countTokens(part.trimStart()));
    if (largest <= chunkSize) yield { start: index, end: index + part.length, size };
    else yield* toCharacters(part, index, countTokens);
  }
}

function* toWords(text: string): Generator<{ index: number; part: string }> {
  for (const { index, 0: run } of text.matchAll(runs)) {
    let start = 0;
    for (const end of [...wordStarts(run), run.length]) {
      for (const match of run.slice(start, end).matchAll(word))
        yield { index: index + start + match.index, part: match[0] };
      start = end;
    }
  }
}

/** Long enough that hardly a word of a script without blanks is cut at their end. */
const runs = /\s{0,32}\S{1,2000}|\s{1,32}/gu;

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
  { head, chunkSize, countTokens }: { head: string; chunkSize: number; countTokens: CountTokens },
): number {
  for (let taken = pieces.length; taken > 1; taken -= 1) {
    const { start, end } = toRange(pieces.slice(0, taken));
    if (countExactly(head + text.slice(start, end).trim(), countTokens) <= chunkSize) return taken;
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
