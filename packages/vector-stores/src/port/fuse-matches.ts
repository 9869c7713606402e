import type { VectorMatch, VectorSearch } from "@weft/engine/ports/vector-store";
import { toQueryTerms, toTerms } from "./terms.ts";

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
