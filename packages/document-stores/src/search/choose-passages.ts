/** A passage to choose from. Higher relevance is better. */
export type Candidate = { text: string; relevance: number };

/** The passages in order, without those that repeat a better one word for word. */
export function withoutDuplicates<T extends { text: string }>(found: readonly T[]): T[] {
  const seen = new Set<string>();
  return found.filter(({ text }) => {
    const plain = text.trim().replaceAll(/\s+/g, " ").toLowerCase();
    return !seen.has(plain) && seen.add(plain);
  });
}

/**
 * Chooses passages that answer and differ: maximal marginal relevance (Carbonell and Goldstein, 1998). Each next
 * passage maximises `lambda` × relevance − (1 − `lambda`) × its greatest similarity to a chosen one. Similarity is that
 * of the texts, which every vector database returns, not of their vectors. The result is ordered by relevance.
 */
export function chooseDifferent<T extends Candidate>(
  found: readonly T[],
  { lambda, count }: { lambda: number; count: number },
): T[] {
  const rest = found.map((passage) => ({ passage, pieces: piecesOf(passage.text), likeness: 0 }));
  const chosen: T[] = [];
  while (chosen.length < count && rest.length > 0) {
    const worth = ({ passage, likeness }: (typeof rest)[number]) =>
      lambda * passage.relevance - (1 - lambda) * likeness;
    const best = rest.reduce((leader, one) => (worth(one) > worth(leader) ? one : leader));
    rest.splice(rest.indexOf(best), 1);
    chosen.push(best.passage);
    for (const one of rest) one.likeness = Math.max(one.likeness, likenessOf(one.pieces, best.pieces));
  }
  const places = new Map(found.map((passage, index) => [passage, index]));
  return chosen.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

const pieceLength = 5;
const maxReadCharacters = 4_000;

/** Character n-grams, which are independent of words and so of the language. */
function piecesOf(text: string): Set<string> {
  const plain = text.slice(0, maxReadCharacters).toLowerCase().replaceAll(/\s+/g, " ");
  const pieces = new Set<string>();
  for (let start = 0; start + pieceLength <= plain.length; start += 1)
    pieces.add(plain.slice(start, start + pieceLength));
  return pieces;
}

/** From 0 to 1: the cosine similarity of both sets. */
function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let common = 0;
  for (const piece of small) if (large.has(piece)) common += 1;
  return common / Math.sqrt(a.size * b.size || 1);
}

const usualConstant = 60;

/** Merges lists by reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): items in several lists come first. */
export function mergeByRank<T extends { id: string }>(lists: readonly (readonly T[])[]): T[] {
  const scores = new Map<string, { match: T; score: number }>();
  for (const list of lists) {
    for (const [rank, match] of list.entries()) {
      const known = scores.get(match.id) ?? { match, score: 0 };
      scores.set(match.id, { ...known, score: known.score + 1 / (usualConstant + rank + 1) });
    }
  }
  return [...scores.values()].sort((a, b) => b.score - a.score).map(({ match }) => match);
}
