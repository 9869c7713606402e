/** Rows of a full-text index that counts and ranks. Lists of terms are never empty. */
export type RankedRows<Key> = {
  /** Number of rows with each term, counted up to `most`. */
  count(terms: readonly string[], most: number): Promise<number[]>;
  /** Best first. */
  rank(query: RankQuery): Promise<TermHit<Key>[]>;
};

export type RankQuery = {
  /** Only rows with any, or all, of them are ranked. */
  required: readonly string[];
  needs: "any" | "all";
  /** The terms that score; rarer ones score more. Includes all required ones. */
  terms: readonly WeighedTerm[];
  /** Maximum number of rows ranked, in any order. Undefined: all. */
  atMost: number | undefined;
  limit: number;
};

/** A word and its weight, for indexes whose ranks ignore rarity. */
export type WeighedTerm = { term: string; weight: number };

export type TermHit<Key> = { key: Key; score: number };

/**
 * The rows that best match the words of a question, best first. Ranking every row with any of the words would be as
 * slow as the most common word is frequent, so rows are found by the rarest words, up to an affordable number, and
 * ranked by all. Only if those find fewer than `enough` (by default the limit) are rows found by the common words:
 * those with all of them before others. In a collection of fewer chunks than that number, every row with any of the
 * words is ranked.
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
 * `enough` for hybrid search: beside the vector matches, rows of common words add nothing if one row has the rare
 * words.
 */
export const enoughBesideNear = 1;

/** Number of rows that either database ranks within a few milliseconds. */
const affordableRows = 1_000;

type CountedTerm = WeighedTerm & { count: number };

/**
 * Words that occur in some row, rarest first. Their weight is the inverse document frequency of BM25, as if no row had
 * two.
 */
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
