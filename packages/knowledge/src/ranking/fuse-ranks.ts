export type FusedRank = { id: string; score: number };

export type FuseOptions = {
  /** How little the first places count for more than the next ones. Default 60. */
  k?: number;
  /** One for each list. Default 1. */
  weights?: readonly number[];
};

/**
 * One list of several, the best first: reciprocal rank fusion, the sum of `weight / (k + rank)` with ranks from 1
 * (Cormack, Clarke, Büttcher, SIGIR 2009). Ties keep the order in which the ids came; an id counts once in a list.
 */
export function fuseRanks(
  lists: readonly (readonly string[])[],
  { k = 60, weights = [] }: FuseOptions = {},
): FusedRank[] {
  const scores = new Map<string, number>();
  for (const [index, list] of lists.entries()) {
    const weight = weights[index] ?? 1;
    for (const [rank, id] of [...new Set(list)].entries()) {
      scores.set(id, (scores.get(id) ?? 0) + weight / (k + rank + 1));
    }
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score);
}
