/** Rows that a full-text index counts and ranks. Lists of terms are never empty. */
export type RankedRows<Key> = {
  /** Of each term, the rows that have it, counted up to `most`. */
  count(terms: readonly string[], most: number): Promise<number[]>;
  /** The best first. */
  rank(query: RankQuery): Promise<TermHit<Key>[]>;
};

export type RankQuery = {
  /** Ranked are the rows that have any, or all, of them. */
  required: readonly string[];
  needs: "any" | "all";
  /** What a row has of these counts; the rarer ones for more. All that are required are among them. */
  terms: readonly WeighedTerm[];
  /** Of more rows only so many are ranked, whichever come first. Undefined: all. */
  atMost: number | undefined;
  limit: number;
};

/** A word and what it is worth, for indexes whose ranks know nothing of rareness. */
export type WeighedTerm = { term: string; weight: number };

export type TermHit<Key> = { key: Key; score: number };

/**
 * The rows that the words of a question tell most of, the best first. Ranking every row that has any of the words would
 * take as long as their most usual word is usual, so rows are found by the rarest words, as many as can be afforded, and
 * ranked by all. Only when those find fewer than are `enough` (by default the limit) are rows found by the usual words:
 * those that have all of them before others. In a collection of fewer chunks than can be afforded, every row with any of
 * the words is ranked.
 */
export async function searchByTerms<Key>(
  rows: RankedRows<Key>,
  { terms, limit, enough = limit }: { terms: readonly string[]; limit: number; enough?: number },
): Promise<TermHit<Key>[]> {
  if (terms.length === 0) return [];
  const counts = await rows.count(terms, affordableRows + 1);
  const weighed = weigh(terms.map((term, index) => ({ term, count: counts[index] ?? 0 })));
  const { telling, usual } = partByRareness(weighed);
  const found = new Map<Key, TermHit<Key>>();
  const add = async (query: Omit<RankQuery, "limit">) => {
    if (query.required.length === 0 || found.size >= enough) return;
    for (const hit of await rows.rank({ ...query, limit })) if (!found.has(hit.key)) found.set(hit.key, hit);
  };
  const atMost = affordableRows;
  await add({ required: toWords(telling), needs: "any", terms: weighed, atMost: undefined });
  await add({ required: toWords(usual), needs: "all", terms: usual, atMost });
  if (usual.length > 1) await add({ required: toWords(usual), needs: "any", terms: usual, atMost });
  return [...found.values()].sort((a, b) => b.score - a.score).slice(0, limit);
}

/**
 * `enough` for hybrid search: beside what is near, rows of usual words alone say nothing where one has the telling words.
 */
export const enoughBesideNear = 1;

/** What either database ranks within a few milliseconds. */
const affordableRows = 1_000;

type CountedTerm = WeighedTerm & { count: number };

/** Words that some row has, the rarest first. Their weight is the inverse document frequency of BM25, as if no row had two. */
function weigh(counted: readonly { term: string; count: number }[]): CountedTerm[] {
  const all = counted.reduce((sum, { count }) => sum + count, 0);
  return counted
    .filter(({ count }) => count > 0)
    .map(({ term, count }) => ({ term, count, weight: Math.log(1 + (all - count + 0.5) / (count + 0.5)) }))
    .sort((a, b) => a.count - b.count);
}

function toWords(terms: readonly WeighedTerm[]): string[] {
  return terms.map(({ term }) => term);
}

function partByRareness(terms: readonly CountedTerm[]) {
  let affordable = 0;
  let sum = 0;
  for (const { count } of terms) {
    sum += count;
    if (sum > affordableRows) break;
    affordable += 1;
  }
  return { telling: terms.slice(0, affordable), usual: terms.slice(affordable) };
}
