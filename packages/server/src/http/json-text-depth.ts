const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Whether a text nests arrays and objects more than `limit` deep, found before a parser spends memory on it.
 * Stops at the first place that is too deep. The text need not be valid JSON.
 */
export function isTextDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) at = findStringEnd(text, at);
    else if (character === openBracket || character === openBrace) depth++;
    else if (character === closeBracket || character === closeBrace) depth--;
    if (depth > limit) return true;
  }
  return false;
}

/** Position of the quote that ends the string which starts at `start`, or the end of the text. */
function findStringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === backslash) first--;
  return (at - first) % 2 === 1;
}
