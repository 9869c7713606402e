type FusedRank = { id: string; score: number };

type FuseOptions = {
  /** Damping of the first ranks' advantage. Default 60. */
  k?: number;
  /** One per list. Default 1. */
  weights?: readonly number[];
};

/**
 * Merges lists, best first, by reciprocal rank fusion, the sum of `weight / (k + rank)` with ranks from 1 (Cormack,
 * Clarke, Büttcher, SIGIR 2009). Ties keep the order in which the ids came; an id counts once in a list.
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

/** A question of an evaluation: the relevant ids, and the results, best first. */
type RankedCase = { relevant: ReadonlySet<string>; ranked: readonly string[] };

/** The share of relevant ids among the first `k`: 0 to 1. 1 if nothing is relevant. */
export function recallAtK(relevant: ReadonlySet<string>, ranked: readonly string[], k: number): number {
  if (relevant.size === 0) return 1;
  const found = new Set(ranked.slice(0, k).filter((id) => relevant.has(id)));
  return found.size / relevant.size;
}

/** The mean of 1 / rank of the first relevant result, 0 if there is none. 0 for no cases. */
export function meanReciprocalRank(cases: readonly RankedCase[]): number {
  if (cases.length === 0) return 0;
  let sum = 0;
  for (const { relevant, ranked } of cases) {
    const first = ranked.findIndex((id) => relevant.has(id));
    if (first !== -1) sum += 1 / (first + 1);
  }
  return sum / cases.length;
}
