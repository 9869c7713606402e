/** Whether a sentence ends with a text, and the next one may begin with what follows. */
export function endsSentence(text: string, next: string): boolean {
  return /[.!?…]["'”’»)\]]{0,3}$/u.test(text) ? !/^\p{Ll}/u.test(next) : /[。！？][」』”）]{0,3}$/u.test(text);
}

/** Where sentences begin within a text: behind the white space that follows their end, in Chinese and Japanese at once. */
export function* sentenceStarts(text: string): Generator<number> {
  for (const match of text.matchAll(sentenceEnd)) {
    const start = match.index + match[0].length;
    if (start < text.length) yield start;
  }
}

/** A small letter goes on with the sentence: "e.g. this". */
const sentenceEnd = /[.!?…]["'”’»)\]]{0,3}\s+(?![\s\p{Ll}])|[。！？][」』”）]{0,3}\s*/gu;

/** Where words begin within a text of a script without blanks between them; nothing for any other text. */
export function* wordStarts(text: string): Generator<number> {
  if (!unspaced.test(text)) return;
  for (const { index } of words.segment(text)) if (index > 0) yield index;
}

/** Chinese, Japanese, Thai, Lao, Khmer, Burmese. */
const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff]/;

/** One language for all: the dictionaries are chosen by the script. */
const words = new Intl.Segmenter("en", { granularity: "word" });
