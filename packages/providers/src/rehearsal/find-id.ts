const marked = `\\bids?"?(?:\\s+(?:is|of))?\\s*[:=#]?\\s*["']?`;
const anyWord = `(?<=\\bwith (?:the )?|[("])id["':=\\s]+(?!(?:and|or|of|is|in)\\b)([\\w-]+)`;
const quotes = /"[^"]*"|(?<!\p{L})'[^']*'/gu;

/** The id that the last message names (`id 3`, `#3`, `"id":"3"`, `event 3`), or for "it" the one spoken of last. */
export function findId(messages: readonly { role: string; text: string }[], things: string[]): string | undefined {
  const numbered = ["records?", "items?", "entry", "number", ...things].join("|");
  const withDigit = `(?:#|${marked}|\\b(?:${numbered})\\s+#?)((?!\\d{4}-\\d\\d-\\d\\d)[\\w-]*\\d[\\w-]*)`;
  const pattern = new RegExp(`${withDigit}|${anyWord}`, "gi");
  let [named, ids] = [new Set<string>(), new Set<string>()];
  for (const { role, text } of messages.filter((message) => message.role !== "system")) {
    const plain = text.replaceAll(quotes, (quote) => (quote.includes(" ") ? " " : quote));
    const found = new Set(Array.from(plain.matchAll(pattern), (match) => match[1] ?? match[2] ?? ""));
    if (role === "user") named = found;
    // What a user names is meant, whatever else the answer to it shows.
    if (found.size > 0) ids = named.size > 0 ? named : found;
  }
  const it = new RegExp(`\\b(?:its?|th(?:at|is) (?:${["one", ...things].join("|")}))\\b`, "i");
  return named.size > 0 || (ids.size === 1 && it.test(messages.at(-1)?.text ?? "")) ? [...ids][0] : undefined;
}
