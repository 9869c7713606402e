/** A question, and the number of the passage that answers it. */
export type Question = { text: string; answer: number };

export type QuestionSet = {
  /** One idea each. Their number is their id. */
  passages: readonly string[];
  /** What people mean, in words that the passage does not use. */
  paraphrases: readonly Question[];
  /** Names, codes and rare words, with the usual words around them. */
  identifiers: readonly Question[];
};
