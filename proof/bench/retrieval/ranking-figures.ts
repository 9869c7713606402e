/** The pages that a search found, the best first and each once; and those that answer the question. */
export type JudgedRanking = { found: readonly string[]; relevant: readonly string[] };

/** From 0 to 1. `recallAt1` is whether the first page answers, `recallAt5` the share of the answers among the first five. */
export type RankingFigures = Record<(typeof figureNames)[number], number>;

export const figureNames = ["recallAt1", "recallAt5", "mrrAt10", "ndcgAt10"] as const;

/** The figures of one question. Recall at 1 counts any of several answers as found. */
export function toFigures({ found, relevant }: JudgedRanking): RankingFigures {
  const hits = found.slice(0, 10).map((page) => relevant.includes(page));
  const first = hits.indexOf(true);
  const gains = hits.map((hit, index) => (hit ? discount(index) : 0));
  const ideal = relevant.slice(0, 10).map((_, index) => discount(index));
  return {
    recallAt1: first === 0 ? 1 : 0,
    recallAt5: hits.slice(0, 5).filter(Boolean).length / Math.min(5, relevant.length),
    mrrAt10: first === -1 ? 0 : 1 / (first + 1),
    ndcgAt10: sum(gains) / sum(ideal),
  };
}

function discount(index: number): number {
  return 1 / Math.log2(index + 2);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
