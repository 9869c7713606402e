import type { TiktokenBPE } from "js-tiktoken/lite";
import { z } from "zod";
import { defineSplitter, isOverlapSmaller, overlapTooLarge, sizeFields, toLimits } from "./define-splitter.ts";
import { endsSentence, followsHeading, wordStarts } from "./prose-breaks.ts";
import { type ChunkRange, type TextRange, toChunks, type WindowLimits } from "./split-range.ts";
import { findTableHeads, largestHead, type TableHeads } from "./table-heads.ts";

/** The encodings that existing clients name, and that of newer models. */
const tokenEncodings = ["cl100k_base", "o200k_base", "p50k_base", "p50k_edit", "r50k_base", "gpt2"] as const;
type TokenEncoding = (typeof tokenEncodings)[number];

/** Number of tokens of a text. Text that looks like a special token is text. */
type CountTokens = (text: string) => number;

/** Counters in use or not collected yet: one is slow to create, and large. */
const counters = new Map<TokenEncoding, WeakRef<CountTokens>>();

async function tokenCounter(encoding: TokenEncoding): Promise<CountTokens> {
  const known = counters.get(encoding)?.deref();
  if (known !== undefined) return known;
  const made = await loadTokenCounter(encoding);
  counters.set(encoding, new WeakRef(made));
  return made;
}

/** A counter that caches words. The ranks of an encoding, up to 2 MB, are loaded on first use. */
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
 * Ranges of whole words with at most `chunkSize` tokens each, repeating at most `chunkOverlap` tokens; a larger word is
 * split between characters. Only a single character of more tokens exceeds the limit. Words are counted individually,
 * and each range once more as a whole before it is yielded.
 */
function* splitByTokens(text: string, limits: WindowLimits, { countTokens, tables }: Counting): Generator<ChunkRange> {
  const { chunkSize } = limits;
  let pieces: Piece[] = [];
  let size = 0;
  /** The header repeated by the range that starts with the first piece. */
  let head = { text: "", size: 0 };
  /** Number of first pieces that are also in the previous range. */
  let repeated = 0;
  const drop = (count: number) => {
    for (const dropped of pieces.slice(0, count)) size -= dropped.size;
    pieces = pieces.slice(count);
    head = headOf(pieces[0]);
  };
  /** Drops repeated pieces except this many, and those of rows that would be broken. */
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
 * Number of the fitting pieces up to the end of a sentence or a table row, else of a line, if that leaves half of them;
 * else all. No row is broken while another precedes it. A heading stays with its text.
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

/** The unit that ends with a piece; undefined after a heading. */
function endOf(text: string, piece: Piece | undefined): "sentence" | "line" | undefined {
  if (piece === undefined || followsHeading(text, piece.end)) return undefined;
  const after = text.slice(piece.end, piece.end + 40);
  if (endsSentence(text.slice(piece.start, piece.end).trimEnd(), after.trimStart())) return "sentence";
  return /^[ \t]*\r?\n/.test(after) ? "line" : undefined;
}

/** A part of the text and its tokens. */
type Piece = TextRange & { size: number };

/** Words with the preceding white space. Both are bounded: counting is quadratic in their length. */
const word = /\s{0,32}\S{1,32}|\s{1,32}/gu;

function* toPieces(text: string, chunkSize: number, countTokens: CountTokens): Generator<Piece> {
  for (const { index, part } of toWords(text)) {
    const size = countTokens(part);
    // Without the preceding space, a word may be more tokens.
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

/** Long enough that hardly a word of a script without spaces is split at the end. */
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
 * Tokens of a range as a whole: at word boundaries a tokenizer may split differently than word by word. Long stretches
 * without spaces are still counted in parts.
 */
function countExactly(text: string, countTokens: CountTokens): number {
  if (!unbroken.test(text)) return countTokens(text);
  let count = 0;
  for (const [part] of text.matchAll(word)) count += countTokens(part);
  return count;
}

const unbroken = /\S{200}|\s{200}/;

/** Number of first pieces that form a fitting range; at least one. */
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

/** Number of last pieces that may be repeated. Not all: something new must follow the repetition. */
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
