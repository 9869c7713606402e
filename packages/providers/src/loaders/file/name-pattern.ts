/** Whether a text is like one of the patterns, in which `*` stands for anything. Case makes no difference. */
export function createMatcher(patterns: readonly string[]): (text: string) => boolean {
  const lists = patterns.map((pattern) => pattern.toLowerCase().split("*"));
  return (text) => lists.some((pieces) => isLike(text.toLowerCase(), pieces));
}

/** The pieces between the stars must come one after the other: found greedily, in linear time. */
function isLike(text: string, pieces: readonly string[]): boolean {
  const [first = "", ...rest] = pieces;
  if (!text.startsWith(first)) return false;
  if (rest.length === 0) return text === first;
  let from = first.length;
  for (const piece of rest.slice(0, -1)) {
    const found = text.indexOf(piece, from);
    if (found === -1) return false;
    from = found + piece.length;
  }
  const last = rest.at(-1) ?? "";
  return text.length - last.length >= from && text.endsWith(last);
}
