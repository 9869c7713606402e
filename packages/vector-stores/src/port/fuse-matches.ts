import type { VectorMatch, VectorSearch } from "@weft/engine/ports/vector-store";
import { judgeDocuments } from "./judge-documents.ts";
import { judgeWords } from "./judge-words.ts";

/** The results of both methods, best first. */
export type MatchLists = { near: readonly VectorMatch[]; byTerms: readonly VectorMatch[] };

/**
 * Hybrid search: merges both lists by how far a match stands out from its list. A vector's score counts by its distance
 * from the list's mean in standard deviations, and more if it is far above: a confident model is trusted. The words of
 * a match are scored by its text, the same for every database, and by its rank in keyword search. A match's document
 * counts too: how near its nearest passages are, and the words of its beginning. Words are ignored if no match, with
 * the beginning of its document, has a fair share of the question, so that stray words leave a paraphrase to its
 * vectors. Scores are 0 and above; matches of equal score keep their order, vectors first.
 */
export function fuseMatches({ near, byTerms }: MatchLists, search: Pick<VectorSearch, "text" | "topK">): VectorMatch[] {
  const candidates = [...new Map([...near, ...byTerms].map((match) => [match.id, match])).values()];
  const nearScores = near.map(({ score }) => score);
  const { nearness, beginnings } = judgeDocuments(candidates, nearScores);
  const texts = candidates.map(({ text }) => toTerms(text.slice(0, maxReadCharacters)));
  const { scores, shareOf } = judgeWords(toQueryTerms(search.text), texts);
  const trust = trustIn(Math.max(0, ...beginnings.map((beginning, place) => shareOf([place, beginning ?? place]))));
  const vector = toSharpProminences(nearScores);
  const words = toProminences(scores);
  const document = toProminences(nearness);
  const keyword = sharesOfBest(byTerms);
  const prominences = toProminences(nearScores);
  const scored = candidates.map((match, place) => {
    const opening = Math.max(0, words[beginnings[place] ?? -1] ?? 0);
    const told =
      weights.words * (words[place] ?? 0) + weights.keyword * (keyword.get(match.id) ?? 0) + weights.opening * opening;
    const meant = (vector[place] ?? vector.at(-1) ?? 0) + weights.document * (document[place] ?? 0);
    const prominence = prominences[place];
    return { ...match, ...(prominence !== undefined && { prominence }), score: meant + trust * told };
  });
  const least = Math.min(...scored.map(({ score }) => score));
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, search.topK)
    .map((match) => ({ ...match, score: match.score - least }));
}

/** Number of hits of each method worth fusing. */
export function candidatesOf(topK: number): number {
  return Math.max(60, topK * 2);
}

/**
 * Weights relative to the vector's score. These and the numbers below did well in a wide range around them:
 * docs/decisions/0140-documents-in-fusion.md.
 */
const weights = { words: 5, keyword: 2.5, opening: 4, document: 1.5 };
const usualProminence = 3;
const leastShare = 0.3;
const fairShare = 0.35;
/** Limit of the text read for its share of the question's words. */
const maxReadCharacters = 10_000;

/** Scores above the usual best of a list are amplified, and those below damped. */
function toSharpProminences(scores: readonly number[]): number[] {
  return toProminences(scores).map((prominence) =>
    prominence > 0 ? prominence ** 3 / usualProminence ** 2 : prominence,
  );
}

/** Standard deviations from the mean. */
function toProminences(scores: readonly number[]): number[] {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const deviation = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length);
  return scores.map((score) => (deviation > leastDeviation ? (score - mean) / deviation : 0));
}

/** Smaller differences of scores are rounding errors. */
const leastDeviation = 1e-9;

/** For each id, its score as a share of the best one's. */
function sharesOfBest(matches: readonly VectorMatch[]): Map<string, number> {
  const best = matches[0]?.score ?? 0;
  return new Map(matches.map(({ id, score }) => [id, best > 0 ? score / best : 0]));
}

/** From 0 to 1: how much the words tell, by the greatest share of the question in one match. */
function trustIn(share: number): number {
  return Math.min(1, Math.max(0, (share - leastShare) / (fairShare - leastShare)));
}

/**
 * The words of a text, in order and with repetitions, as keyword search compares them: lower case, without accents. A
 * compound such as `max_retries`, `maxRetries` or `ERR-4021` yields its parts and, as an extra word, the whole without
 * separators, so that an identifier is found by a part and best by the whole. Scripts without spaces (Chinese,
 * Japanese) yield every bigram. Words contain only letters, digits and their marks, at most 128.
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

/** The indexed words of a text. Text after 50,000 characters is found only by its vector. */
export function toIndexedTerms(text: string): string[] {
  return toTerms(text.slice(0, maxIndexedCharacters));
}

/** The distinct words of a question, without stop words unless it has no others; at most 64. */
export function toQueryTerms(text: string): string[] {
  const terms = [...new Set(toTerms(text))];
  const telling = terms.filter((term) => !commonWords.has(term));
  return (telling.length > 0 ? telling : terms).slice(0, maxQueryTerms);
}

/** PostgreSQL accepts 1 MB of words. */
const maxIndexedCharacters = 50_000;
const maxQueryTerms = 64;

function withoutAccents(text: string): string {
  return text.normalize("NFKD").replaceAll(accents, "").normalize("NFC");
}

const beyondAscii = /[^ -~\s]/;
const accents = /[\u0300-\u036f]/g;
/** The same for ASCII characters, the most common, and several times as fast. */
const plainCompounds = /[a-zA-Z0-9]+(?:[-_.:/@#][a-zA-Z0-9]+)*/g;
const seamless = /^[a-zA-Z]?[a-z0-9]*$/;
const compounds = /[\p{L}\p{N}\p{M}]+(?:[-_.:/@#][\p{L}\p{N}\p{M}]+)*/gu;
/** Between the parts of a compound: at a separator, and where an upper-case letter follows a lower-case one. */
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

/** Nobody searches for longer terms, such as encoded bytes, and PostgreSQL rejects them. */
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
