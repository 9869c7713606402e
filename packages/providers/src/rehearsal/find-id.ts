const quotedWords = /"[^"]*"|(?<!\p{L})'[^']*'/gu;
const marked = `\\bids?"?(?:\\s+(?:is|of))?\\s*[:=#]?\\s*["']?`;
const anyWord = `(?<=\\bwith (?:the )?|[("])id["':=\\s]+(?!(?:and|or|of|is|in)\\b)([\\w-]+)`;

/**
 * The id that the last message names, as people and JSON write them (`id 3`, `#3`, `"id":"3"`, `event 3`); for "it", the
 * one that the conversation was about last: a user's own words count, else the answers to them. `things`: names of things.
 */
export function findId(messages: readonly { role: string; text: string }[], things: string[]): string | undefined {
  const numbered = ["record", "item", "entry", "number", ...things].map((thing) => `${thing}s?`).join("|");
  const withDigit = `(?:#|${marked}|\\b(?:${numbered})\\s+#?)((?!\\d{4}-\\d\\d-\\d\\d)[\\w-]*\\d[\\w-]*)`;
  const pattern = new RegExp(`${withDigit}|${anyWord}`, "gi");
  let ids = new Set<string>();
  let isNamed = false;
  for (const { role, text } of messages) {
    const plain = text.replaceAll(quotedWords, (quote) => (quote.includes(" ") ? " " : quote));
    const found = new Set(Array.from(plain.matchAll(pattern), (match) => match[1] ?? match[2] ?? ""));
    if (role === "user") isNamed = found.size > 0;
    if (found.size > 0 && (role === "user" || (role !== "system" && !isNamed))) ids = found;
  }
  const pronoun = new RegExp(`\\b(?:its?|th(?:at|is) (?:${["one", ...things].join("|")}))\\b`, "i");
  return isNamed || (ids.size === 1 && pronoun.test(messages.at(-1)?.text ?? "")) ? [...ids][0] : undefined;
}
