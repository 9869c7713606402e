import type { VectorMatch } from "@weft/engine/ports/vector-store";

/** What is known of a passage that a search found. */
export type Evidence = Pick<VectorMatch, "text" | "prominence">;

/**
 * How well each passage answers the question, from 0 to 1, in their order. It tells how much of the question's words a
 * passage has, rare ones above all, and how far its vector stands out, weighed as the benchmark found passages that
 * answer (docs/decisions/0137-asking-better.md): 1 is a passage with all of the words. It means the same in every search.
 * The order of the search is the better judge of which passage comes first, so relevance follows it: where neighbours
 * contradict it, they share their mean.
 */
export function toRelevances(question: string, found: readonly Evidence[]): number[] {
  const shares = sharesOf(question, found);
  return falling(found.map(({ prominence = 0 }, index) => toRelevance(shares[index] ?? 0, prominence)));
}

/** The matches of a search by vectors alone, with their prominence: a fused search gives it itself. */
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
 * The chance to answer beside that of a passage with all of the words. Its root, because passages in other words than the
 * question's have little of both and are worth telling apart.
 */
function toRelevance(share: number, prominence: number): number {
  const sure = prominence > 0 ? prominence ** 2 / 3 : prominence;
  const chance = toChance(constant + shareWeight * share + prominenceWeight * sure);
  return Math.sqrt(Math.min(1, chance / toChance(constant + shareWeight)));
}

function toChance(sum: number): number {
  return 1 / (1 + Math.exp(-sum));
}

/** Of each text, its share of the question's words, in which a word counts for more that few of the texts have. */
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

/** Words without usual English endings; of writing without spaces, pairs of neighbours. */
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

/** Words that questions have and answers need not. */
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

/** The nearest numbers that never rise: neighbours that do share their mean. */
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
