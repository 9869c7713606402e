/** The best rows of a scan, by score. */
export type TopHits = {
  /** A score below it does not enter. */
  threshold(): number;
  add(rowKey: number, score: number): void;
  /** The best first; of equal scores the row that was added first. */
  list(): { key: number; score: number }[];
};

export function createTopHits(limit: number): TopHits {
  const hits: { key: number; score: number }[] = [];
  return {
    threshold: () => (hits.length < limit ? Number.NEGATIVE_INFINITY : (hits[hits.length - 1]?.score ?? 0)),
    add(key, score) {
      let low = 0;
      let high = hits.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((hits[middle] as { score: number }).score >= score) low = middle + 1;
        else high = middle;
      }
      hits.splice(low, 0, { key, score });
      if (hits.length > limit) hits.pop();
    },
    list: () => hits,
  };
}
