/** In the order in which they are asked and shown. `store`: hybrid, or as the store says, with its reranker and so on. */
export const modes = ["keyword", "vector", "hybrid", "store"] as const;
export type Mode = (typeof modes)[number];

/** As many passages of each mode as a hybrid search looks at: a place behind them gives nothing to its ranking. */
export const comparedDepth = 60;

/** Ids of the passages that each mode found, the best first. A mode that failed is absent. */
export type Ranked = Partial<Record<Mode, readonly string[]>>;

/** Where a passage stands in the other modes, by mode. Null: not among those that were looked at. */
export type Places = Partial<Record<Mode, number | null>>;

/** The places of a passage in all modes but its own, words before meaning. */
export function placesOf(id: string, own: Mode, ranked: Ranked): Places {
  const places: Places = {};
  for (const mode of modes) {
    const ids = ranked[mode];
    if (mode === own || ids === undefined) continue;
    const index = ids.indexOf(id);
    places[mode] = index === -1 ? null : index + 1;
  }
  return places;
}

/**
 * A number for each passage that at least two of the lists show, the same in all of them, so that it has one colour.
 * Lists are cut to what is shown.
 */
export function sharedPassages(ranked: Ranked, shown: number): ReadonlyMap<string, number> {
  const lists = [...modes].reverse().map((mode) => (ranked[mode] ?? []).slice(0, shown));
  const counts = new Map<string, number>();
  for (const id of lists.flat()) counts.set(id, (counts.get(id) ?? 0) + 1);
  const shared = [...counts].filter(([, count]) => count > 1).map(([id]) => id);
  return new Map(shared.map((id, index) => [id, index]));
}
