/** Words for a relevance from 0 to 1. */
export const relevanceWords = ["strong", "fair", "weak"] as const;

/** A relevance from 0 to 1 and the word for it, as search results show them. */
export function toRelevanceNote(relevance: number): {
  relevance: number;
  relevanceWord: (typeof relevanceWords)[number];
} {
  const rounded = Math.round(relevance * 1_000) / 1_000;
  return { relevance: rounded, relevanceWord: rounded >= 0.7 ? "strong" : rounded >= 0.4 ? "fair" : "weak" };
}
