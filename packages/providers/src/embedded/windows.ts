/** Limits the embedded part of a text to about a page and a half: each window takes as long as a text of its own. */
const maxWindows = 8;
/** The model sees the first 128 tokens of its input, some 450 characters of technical English. */
const windowCharacters = 450;

/** Splits a text into windows that fit the model, of about equal length, between words if possible. */
export function toWindows(text: string): string[] {
  const seen = text.slice(0, maxWindows * windowCharacters);
  const count = Math.ceil(seen.length / windowCharacters);
  if (count <= 1) return [seen];
  const windows: string[] = [];
  let start = 0;
  for (let index = 1; index <= count; index += 1) {
    const end = index === count ? seen.length : findCut(seen, Math.round((seen.length * index) / count));
    windows.push(seen.slice(start, end));
    start = end;
  }
  return windows;
}

/** How far a split moves back to fall between two words. */
const longestWord = 40;

function findCut(text: string, near: number): number {
  const space = text.lastIndexOf(" ", near);
  return near - space > longestWord ? near : space;
}

/** Returns the vectors of windows, in order. Stops between two batches if the signal aborts. */
export type EmbedWindows = (windows: readonly string[], signal: AbortSignal) => Promise<ArrayLike<number>[]>;

/** Neither model accepts a text without a token. */
export const toWindowText = (text: string): string => (text === "" ? " " : text);
