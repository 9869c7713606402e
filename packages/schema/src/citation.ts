import type { Document } from "./resources/chat-message.ts";

/**
 * What is added to the metadata of a passage that a model could cite: the number that the model knew it by, and, once
 * the answer is there, whether the answer cites it.
 */
export type Citation = { citationNumber: number; isCited?: boolean };

/** The highest number of a passage in one run; numbers beyond it are no citations. */
const mostNumber = 9_999;

/** Numbers in square brackets, as in `[1]` or `[1, 2]`, that are no text of a link. */
const marks = /\[(\d{1,4}(?:\s?,\s?\d{1,4}){0,19})\](?!\()/g;

/** Blocks of code, and code within a line. */
const code = /^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1|(?![\s\S]))|(?<!`)(`{1,2})(?!`)[^\n]{1,2000}?(?<!`)\2(?!`)/gm;

/** The numbers of the passages that a text cites. Brackets in code cite nothing. */
export function citedNumbers(text: string): Set<number> {
  const cited = text.replaceAll(code, " ").matchAll(marks);
  return new Set([...cited].flatMap(([, numbers = ""]) => numbers.split(",").map(Number)));
}

/** The text without its citations, for models that have other passages by now. */
export function withoutCitations(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: span } of text.matchAll(code)) {
    parts.push(text.slice(from, index).replaceAll(spacedMarks, ""), span);
    from = index + span.length;
  }
  return parts.join("") + text.slice(from).replaceAll(spacedMarks, "");
}

const spacedMarks = new RegExp(` ?${marks.source}`, "g");

/** The number that a model knew the passage by; undefined where it had none. */
export function citationNumber({ metadata }: Pick<Document, "metadata">): number | undefined {
  const { citationNumber: number } = metadata;
  const isNumber = typeof number === "number" && Number.isInteger(number) && number >= 1 && number <= mostNumber;
  return isNumber ? number : undefined;
}

/** The passage as it is stored: what its own metadata says of citations is not ours. */
export function withoutCitation({ pageContent, metadata }: Document): Document {
  if (!("citationNumber" in metadata || "isCited" in metadata)) return { pageContent, metadata };
  const { citationNumber: _number, isCited: _isCited, ...own } = metadata;
  return { pageContent, metadata: own };
}
