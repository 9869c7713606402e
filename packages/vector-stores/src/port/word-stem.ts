/**
 * What is left of an English word without the usual endings, so that `locks`, `locked` and `locking` are alike. It is
 * compared, never shown or stored. Words with other characters than a to z, and short ones, stay as they are.
 */
export function toStem(word: string): string {
  if (word.length < 4 || !plainWord.test(word)) return word;
  const single = toSingular(word);
  if (single.length < 5) return single;
  return withoutEnding(single).replace(/(?<=..)e$/, "");
}

const plainWord = /^[a-z]+$/;

function toSingular(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

function withoutEnding(word: string): string {
  const ending = endings.find((end) => word.endsWith(end) && word.length - end.length >= 3);
  return ending === undefined ? word : word.slice(0, -ending.length).replace(/([^lsz])\1$/, "$1");
}

const endings = ["ing", "ed", "ly", "er"];
