import type { VectorMatch } from "@weft/engine/ports/vector-store";

/** The evidence about a passage that a search found. */
export type Evidence = Pick<VectorMatch, "text" | "prominence">;

/**
 * Relevance of each passage to the question, from 0 to 1, in order. It combines the share of the question's words in a
 * passage, weighted towards rare ones, and the prominence of its vector, with weights from the benchmark
 * (docs/decisions/0137-asking-better.md): 1 is a passage with all of the words. It means the same in every search. The
 * search ranks passages better, so relevance follows its order: neighbours that contradict it share their mean.
 */
export function toRelevances(question: string, found: readonly Evidence[]): number[] {
  const shares = sharesOf(question, found);
  return falling(found.map(({ prominence = 0 }, index) => toRelevance(shares[index] ?? 0, prominence)));
}

/** The matches of a vector-only search, with their prominence: a fused search returns it itself. */
export function withProminence<T extends VectorMatch>(matches: readonly T[]): T[] {
  const mean = matches.reduce((sum, { score }) => sum + score, 0) / matches.length;
  const deviation = Math.sqrt(matches.reduce((sum, { score }) => sum + (score - mean) ** 2, 0) / matches.length);
  return matches.map((match) => ({ ...match, prominence: deviation > 0 ? (match.score - mean) / deviation : 0 }));
}

/** By logistic regression on the tuning half. */
const constant = -3.28;
const shareWeight = 3.5;
const prominenceWeight = 0.12;

/**
 * The chance to answer, relative to that of a passage with all of the words. Its square root, because passages in other
 * words than the question's have little of both and should be distinguishable.
 */
function toRelevance(share: number, prominence: number): number {
  const sure = prominence > 0 ? prominence ** 2 / 3 : prominence;
  const chance = toChance(constant + shareWeight * share + prominenceWeight * sure);
  return Math.sqrt(Math.min(1, chance / toChance(constant + shareWeight)));
}

function toChance(sum: number): number {
  return 1 / (1 + Math.exp(-sum));
}

/** Each text's share of the question's words, weighted towards words that few of the texts contain. */
function sharesOf(question: string, found: readonly Evidence[]): number[] {
  const texts = found.map(({ text }) => stemsOf(text.slice(0, maxReadCharacters)));
  const asked = [...stemsOf(question)].filter((stem) => !unasked.has(stem));
  const weights = asked.map((stem) => {
    const having = texts.filter((text) => text.has(stem)).length;
    return Math.log(1 + texts.length / (having + 0.5));
  });
  const all = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  return texts.map(
    (text) => asked.reduce((sum, stem, index) => sum + (text.has(stem) ? (weights[index] ?? 0) : 0), 0) / all,
  );
}

const maxReadCharacters = 10_000;

/** Words without common English endings; for scripts without spaces, character bigrams. */
function stemsOf(text: string): Set<string> {
  const words =
    text
      .normalize("NFKD")
      .replaceAll(/[\u0300-\u036f]/g, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.flatMap((word) => (unspaced.test(word) ? pairsOf(word) : toStem(word))));
}

const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{3,}$/u;

function pairsOf(word: string): string[] {
  const characters = [...word];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function toStem(word: string): string {
  return word.length > 3 ? word.replace(/(?:ing|ed|es|s|ly|e)$/, "") : word;
}

/** Words common in questions that answers need not contain. */
const unasked = new Set(
  [
    ..."a about an and any are as at be been but by can could did do does for from get had has have how i if in into is".split(
      " ",
    ),
    ..."it its me my not of on or our should so some than that the their them then there these they this to use using".split(
      " ",
    ),
    ..."was we were what when where which while who why will with would you your".split(" "),
  ].map(toStem),
);

/** Isotonic regression, never rising: neighbours that rise share their mean. */
function falling(values: readonly number[]): number[] {
  const blocks: { sum: number; count: number }[] = [];
  for (const value of values) {
    blocks.push({ sum: value, count: 1 });
    for (;;) {
      const [before, last] = blocks.slice(-2);
      if (before === undefined || last === undefined) break;
      if (before.sum / before.count >= last.sum / last.count) break;
      blocks.splice(-2, 2, { sum: before.sum + last.sum, count: before.count + last.count });
    }
  }
  return blocks.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
}
