/** A sparse vector as Qdrant takes it. */
export type SparseTerms = { indices: number[]; values: number[] };

/** The usual constants of BM25, and the length of a chunk that counts as neither long nor short, in words. */
const k1 = 1.2;
const b = 0.75;
const usualLength = 200;

/**
 * The words of a text, each weighed with BM25's share of its frequency. Qdrant multiplies with the inverse document
 * frequency (modifier `idf`), and adds up. Words are known by a hash of 32 bits.
 */
export function toSparseDocument(terms: readonly string[]): SparseTerms {
  const counts = new Map<number, number>();
  for (const term of terms) counts.set(hash32(term), (counts.get(hash32(term)) ?? 0) + 1);
  const lengthFactor = k1 * (1 - b + (b * terms.length) / usualLength);
  return {
    indices: [...counts.keys()],
    values: [...counts.values()].map((count) => (count * (k1 + 1)) / (count + lengthFactor)),
  };
}

export function toSparseQuery(terms: readonly string[]): SparseTerms {
  const indices = [...new Set(terms.map(hash32))];
  return { indices, values: indices.map(() => 1) };
}

/** FNV-1a. */
function hash32(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return hash >>> 0;
}
