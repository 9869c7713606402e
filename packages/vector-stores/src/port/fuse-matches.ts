import type { VectorMatch, VectorSearch } from "@weft/engine/ports/vector-store";

/** What the two methods found, the best first. */
export type MatchLists = { near: readonly VectorMatch[]; byTerms: readonly VectorMatch[] };

/**
 * Hybrid search: both lists as one, by reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009), in which only
 * ranks count. A hit of keyword search counts in proportion to the cube of the share of the question's words that it has:
 * a passage with the whole identifier that was asked for outweighs any vector, one that shares a stray word with a
 * paraphrase says nothing. Hits of equal score keep their order, vectors first.
 */
export function fuseMatches({ near, byTerms }: MatchLists, search: Pick<VectorSearch, "text" | "topK">): VectorMatch[] {
  const terms = toQueryTerms(search.text);
  const fused = new Map<string, VectorMatch>();
  const add = (match: VectorMatch, share: number) => {
    fused.set(match.id, { ...match, score: (fused.get(match.id)?.score ?? 0) + share });
  };
  for (const [index, match] of near.entries()) add(match, 1 / (index + 1 + rankConstant));
  for (const [index, match] of byTerms.entries()) {
    add(match, (termsWeight * coverage(terms, match.text) ** 3) / (index + 1 + rankConstant));
  }
  return [...fused.values()].sort((a, b) => b.score - a.score).slice(0, search.topK);
}

/** How many hits of each method are worth fusing. */
export function candidatesOf(topK: number): number {
  return Math.max(30, topK * 2);
}

/** Weights that did well in a wide range around them: docs/decisions/0039-vector-stores.md. */
const rankConstant = 10;
const termsWeight = 3;
/** Of a text, for its share of the question's words. */
const maxReadCharacters = 20_000;

/** The share of the question's words that a text has, from 0 to 1. */
function coverage(terms: readonly string[], text: string): number {
  if (terms.length === 0) return 0;
  const own = new Set(toTerms(text.slice(0, maxReadCharacters)));
  return terms.filter((term) => own.has(term)).length / terms.length;
}

/**
 * The words of a text, in order and with repetitions, as keyword search compares them: lower case, without accents.
 * A compound such as `max_retries`, `maxRetries` or `ERR-4021` yields its parts and, as one more word, all of it without
 * the marks between them, so that an identifier is found by a part and best by the whole. Writing without spaces
 * (Chinese, Japanese) yields every pair of neighbours. Words hold letters, digits and their marks only, at most 128.
 */
export function toTerms(text: string): string[] {
  const terms: string[] = [];
  const isPlain = !beyondAscii.test(text);
  const found = isPlain ? text.match(plainCompounds) : withoutAccents(text).match(compounds);
  for (const compound of found ?? []) {
    if (seamless.test(compound)) {
      addTerm(compound.toLowerCase(), terms);
      continue;
    }
    const parts = compound.split(seams);
    for (const part of parts) addWord(part.toLowerCase(), terms);
    if (parts.length > 1) addTerm(parts.join("").toLowerCase(), terms);
  }
  return terms;
}

/** The words of a text that are indexed. What comes after 50,000 characters is found by its vector alone. */
export function toIndexedTerms(text: string): string[] {
  return toTerms(text.slice(0, maxIndexedCharacters));
}

/** The different words of a question, without those that every text has, unless it has no others; at most 64. */
export function toQueryTerms(text: string): string[] {
  const terms = [...new Set(toTerms(text))];
  const telling = terms.filter((term) => !commonWords.has(term));
  return (telling.length > 0 ? telling : terms).slice(0, maxQueryTerms);
}

/** PostgreSQL takes 1 MB of words. */
const maxIndexedCharacters = 50_000;
const maxQueryTerms = 64;

function withoutAccents(text: string): string {
  return text.normalize("NFKD").replaceAll(accents, "").normalize("NFC");
}

const beyondAscii = /[^ -~\s]/;
const accents = /[\u0300-\u036f]/g;
/** The same among ASCII characters, which are most, and found several times as fast. */
const plainCompounds = /[a-zA-Z0-9]+(?:[-_.:/@#][a-zA-Z0-9]+)*/g;
const seamless = /^[a-zA-Z]?[a-z0-9]*$/;
const compounds = /[\p{L}\p{N}\p{M}]+(?:[-_.:/@#][\p{L}\p{N}\p{M}]+)*/gu;
/** Between the parts of a compound: at a mark, and where a capital follows a small letter. */
const seams = /[-_.:/@#]|(?<=\p{Ll})(?=\p{Lu})/u;
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u;

function addWord(word: string, terms: string[]): void {
  if (word.length < 3 || !unspaced.test(word)) {
    addTerm(word, terms);
    return;
  }
  const characters = [...word];
  for (let index = 1; index < characters.length; index += 1) {
    terms.push(`${characters[index - 1]}${characters[index]}`);
  }
}

/** What is longer, such as encoded bytes, is nothing that anybody asks for, and PostgreSQL takes none. */
function addTerm(term: string, terms: string[]): void {
  if (term.length <= maxTermLength) terms.push(term);
}

const maxTermLength = 128;

const commonWords = new Set(
  (
    "a about after again all also am an and any are as at be because been before being between both but by can could did " +
    "do does doing done each for from get gets had has have having he her here his how i if in into is it its just let me " +
    "more most my no not of off on one only or other our out over own same she should so some such than that the their " +
    "them then there these they this those through to too under up us use used using very was we were what when where " +
    "which while who why will with would you your"
  ).split(" "),
);
