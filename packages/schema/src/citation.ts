import { toRelevanceNote } from "./relevance.ts";
import type { Document } from "./resources/chat-message.ts";

/** The highest passage number in one run; higher numbers are not citations. */
const mostNumber = 9_999;

/** Numbers in square brackets, such as `[1]` or `[1, 2]`, that are not link text. */
const marks = /\[(\d{1,4}(?:\s?,\s?\d{1,4}){0,19})\](?!\()/g;

// linear: a block of code ends with the text at the latest
const codeBlock = /^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1|(?![\s\S]))/gm;
/** Delimits inline code: it ends at the next delimiter of the same length, at most this many characters on. */
const ticks = /(?<!`)`{1,2}(?!`)/g;
const longestInline = 2_000;

type Span = { start: number; end: number };

/** Code blocks and inline code, in order. */
function codeIn(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const { index, 0: block } of text.matchAll(codeBlock)) {
    spans.push(...inlineCodeIn(text, from, index), { start: index, end: index + block.length });
    from = index + block.length;
  }
  return [...spans, ...inlineCodeIn(text, from, text.length)];
}

/** Inline code between two positions. The text before the first one matters for whether a delimiter stands alone. */
function inlineCodeIn(text: string, from: number, to: number): Span[] {
  const starts: number[] = [];
  const ends: number[] = [];
  ticks.lastIndex = from;
  for (let mark = ticks.exec(text); mark !== null && mark.index < to; mark = ticks.exec(text)) {
    starts.push(mark.index);
    ends.push(mark.index + mark[0].length);
  }
  const partners = partnersOf(starts, ends);
  const spans: Span[] = [];
  let lineEnd = -1;
  for (let index = 0; index < starts.length; index += 1) {
    const [start = 0, end = 0, partner = 0] = [starts[index], ends[index], partners[index]];
    const [partnerStart = 0, partnerEnd = 0] = [starts[partner], ends[partner]];
    if (partner === none || partnerStart - end > longestInline) continue;
    if (lineEnd < start) lineEnd = text.indexOf("\n", start);
    if (lineEnd < 0) lineEnd = text.length;
    if (lineEnd < partnerStart) continue;
    spans.push({ start, end: partnerEnd });
    index = partner;
  }
  return spans;
}

const none = -1;

/** For each delimiter, the index of the next one of the same length. */
function partnersOf(starts: readonly number[], ends: readonly number[]): Int32Array {
  const partners = new Int32Array(starts.length).fill(none);
  const next = [none, none, none];
  for (let index = starts.length - 1; index >= 0; index -= 1) {
    const length = (ends[index] ?? 0) - (starts[index] ?? 0);
    partners[index] = next[length] ?? none;
    next[length] = index;
  }
  return partners;
}

/** The text between pieces of code. */
function proseOf(text: string, code: readonly Span[]): string[] {
  const starts = [0, ...code.map(({ end }) => end)];
  return starts.map((start, index) => text.slice(start, code[index]?.start));
}

/** The numbers of the passages that a text cites. Brackets in code do not count. */
export function citedNumbers(text: string): Set<number> {
  if (text.search(marks) < 0) return new Set();
  const cited = proseOf(text, codeIn(text)).join(" ").matchAll(marks);
  return new Set([...cited].flatMap(([, numbers = ""]) => numbers.split(",").map(Number)));
}

/** The text without its citations, for models that now have other passages. */
export function withoutCitations(text: string): string {
  if (text.search(marks) < 0) return text;
  const code = codeIn(text);
  const prose = proseOf(text, code).map((part) => part.replaceAll(spacedMarks, ""));
  const kept = code.map(({ start, end }) => text.slice(start, end));
  return prose.map((part, index) => part + (kept[index] ?? "")).join("");
}

// linear: each part is bounded
const spacedMarks = new RegExp(` ?${marks.source}`, "g");

/** A text without code, split into citations of known numbers, as numbers, and everything else, as text. */
export function splitCitations(text: string, known: { has(number: number): boolean }): (string | number)[] {
  const parts: (string | number)[] = [];
  let from = 0;
  for (const { index, 0: span, 1: numbers = "" } of text.matchAll(marks)) {
    const cited = numbers.split(",").map(Number);
    if (!cited.every((number) => known.has(number))) continue;
    if (index > from) parts.push(text.slice(from, index));
    parts.push(...cited);
    from = index + span.length;
  }
  return from < text.length ? [...parts, text.slice(from)] : parts;
}

/** The number under which a model knew the passage; undefined if none. */
export function citationNumber({ metadata }: Document): number | undefined {
  const { citationNumber: number } = metadata;
  const isNumber = typeof number === "number" && Number.isInteger(number) && number >= 1 && number <= mostNumber;
  return isNumber ? number : undefined;
}

/** The passage as stored: citation fields in its own metadata are not ours. */
export function withoutCitation({ pageContent, metadata }: Document): Document {
  if (!("citationNumber" in metadata || "isCited" in metadata)) return { pageContent, metadata };
  const { citationNumber: _number, isCited: _isCited, ...own } = metadata;
  return { pageContent, metadata: own };
}

/** The passage without its relevance: the same passage found by two searches is equal. */
export function withoutNotes(document: Document): Document {
  const { pageContent, metadata } = withoutCitation(document);
  const { relevance: _relevance, relevanceWord: _word, ...own } = metadata;
  return { pageContent, metadata: own };
}

/** The passage with its relevance, from 0 to 1. */
export function withRelevance({ pageContent, metadata }: Document, relevance: number): Document {
  return { pageContent, metadata: { ...metadata, ...toRelevanceNote(relevance) } };
}

/**
 * URL of a passage within its document: the web address in its metadata, at its page, or at its words, which browsers
 * highlight. Undefined for a passage without such an address.
 */
export function passageAddress({ pageContent, metadata }: Document): string | undefined {
  const address = ["url", "source", "link"].map((name) => metadata[name]).find(isWebAddress);
  if (address === undefined) return undefined;
  const page = pageOf(metadata);
  const url = new URL(address);
  if (page !== undefined && (url.hash === "" || /\.pdf$/i.test(url.pathname))) url.hash = `page=${page}`;
  else if (page === undefined) url.hash += wordsOf(pageContent);
  return url.href;
}

/** The page of a passage, from 1. */
export function pageOf({ page, loc }: Document["metadata"]): number | undefined {
  const ofLoc = loc !== null && typeof loc === "object" && !Array.isArray(loc) ? loc.pageNumber : undefined;
  return [page, ofLoc].find((value): value is number => typeof value === "number" && Number.isInteger(value));
}

function isWebAddress(value: unknown): value is string {
  return typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

const fragmentWords = 8;

/**
 * The first words of the first sentence, as a text fragment. Prefers plain lines, since Markdown syntax is not on the
 * page.
 */
function wordsOf(text: string): string {
  const line = text.split("\n").find((one) => /^\p{L}[^*_`[\]|#<>]{20,}/u.test(one.trim()));
  const [plain = ""] = /^[^*_`[\]|#<>]+/.exec(line?.trim() ?? "") ?? [];
  const words = plain.split(/\s+/).slice(0, fragmentWords).join(" ").slice(0, 200).toWellFormed();
  if (words.trim() === "") return "";
  return `:~:text=${encodeURIComponent(words.trim()).replaceAll("-", "%2D")}`;
}
