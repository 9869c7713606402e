/** Words that every other sentence has: marked, they hide the telling ones. */
const common = new Set(
  (
    "about after all also and any are can could did does done for from had has have her him his how into its long " +
    "many may more most much not off one our out she should take than that the their them then there these they this " +
    "was were what when where which who whose why will with would you your"
  ).split(" "),
);
const maxWords = 50;

/** The significant words of a question, to highlight in its results. */
export function markedWords(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*[\p{L}\p{N}]/gu) ?? [];
  const telling = words.filter((word) => (word.length > 2 || /\d/.test(word)) && !common.has(word));
  return [...new Set(telling.flatMap(withPlural))].slice(0, maxWords);
}

/** Treats an English word and its plural as the same. */
function withPlural(word: string): string[] {
  return word.endsWith("s") ? [word, word.slice(0, -1)] : [word, `${word}s`];
}
