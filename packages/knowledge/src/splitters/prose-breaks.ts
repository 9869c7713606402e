/** Whether a sentence ends with a text, and the next may start with the following text. */
export function endsSentence(text: string, next: string): boolean {
  return /[.!?…]["'”’»)\]]{0,3}$/u.test(text) ? !/^\p{Ll}/u.test(next) : /[。！？][」』”）]{0,3}$/u.test(text);
}

/** Starts of paragraphs within a text, except directly below a heading. */
export function* paragraphStarts(text: string): Generator<number> {
  yield* startsBehind(text, /\n\n|\r\n\r\n/g);
}

/** Starts of lines within a text, except directly below a heading. */
export function* lineStarts(text: string): Generator<number> {
  yield* startsBehind(text, /\n/g);
}

function* startsBehind(text: string, breaks: RegExp): Generator<number> {
  for (const match of text.matchAll(breaks)) {
    const start = match.index + match[0].length;
    if (start < text.length && !followsHeading(text, start)) yield start;
  }
}

/**
 * Whether the last non-blank line before an offset is a Markdown heading. Looks back only a little, so that texts of
 * only line breaks take no longer than others.
 */
export function followsHeading(text: string, place: number): boolean {
  let end = place;
  while (end > place - longestGap && isBlank(text.charCodeAt(end - 1))) end -= 1;
  let start = end;
  while (start > end - longestHeading && start > 0 && text.charCodeAt(start - 1) !== lineFeed) start -= 1;
  return text[start] === "#" && heading.test(text.slice(start, start + 8));
}

const heading = /^#{1,6} /;
const longestGap = 8;
const longestHeading = 300;
const lineFeed = 10;

function isBlank(code: number): boolean {
  return code === lineFeed || code === 13 || code === 32 || code === 9;
}

/** Starts of sentences within a text: after the white space behind their end, in Chinese and Japanese immediately. */
export function* sentenceStarts(text: string): Generator<number> {
  for (const match of text.matchAll(sentenceEnd)) {
    const start = match.index + match[0].length;
    if (start < text.length) yield start;
  }
}

/** A lower-case letter continues the sentence: "e.g. this". */
const sentenceEnd = /[.!?…]["'”’»)\]]{0,3}\s+(?![\s\p{Ll}])|[。！？][」』”）]{0,3}\s*/gu;

/**
 * Starts of words within a text of a script without spaces; none for any other text. A long text is looked at a window at
 * a time: the segmenter reads a whole run of such characters before it tells the first word, seconds for millions of them.
 */
export function* wordStarts(text: string): Generator<number> {
  if (!unspaced.test(text)) return;
  for (let from = 0; from < text.length; ) {
    const part = text.slice(from, from + windowCharacters);
    let last = 0;
    for (const { index } of words.segment(part)) {
      if (index > 0) yield from + index;
      last = index;
    }
    const isEnd = from + part.length === text.length;
    // A word at the end of a window may go on behind it: the next window begins with it.
    from += isEnd || last === 0 ? part.length : last;
  }
}

const windowCharacters = 10_000;

/** Chinese, Japanese, Thai, Lao, Khmer, Burmese. */
const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff]/;

/** One locale for all: the script selects the dictionary. */
const words = new Intl.Segmenter("en", { granularity: "word" });
