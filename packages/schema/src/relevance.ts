/** What a relevance from 0 to 1 is called. */
export const relevanceWords = ["strong", "fair", "weak"] as const;

/** A relevance from 0 to 1 and the word for it, as searches say it of a passage. */
export function toRelevanceNote(relevance: number): {
  relevance: number;
  relevanceWord: (typeof relevanceWords)[number];
} {
  const rounded = Math.round(relevance * 1_000) / 1_000;
  return { relevance: rounded, relevanceWord: rounded >= 0.7 ? "strong" : rounded >= 0.4 ? "fair" : "weak" };
}
