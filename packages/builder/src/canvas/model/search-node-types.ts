import type { NodeType } from "@weft/client";

/** The node types that match a search: titles that begin with it come before those that contain it. */
export function searchNodeTypes(types: readonly NodeType[], query: string): NodeType[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...types];
  return types
    .map((type, order) => ({ type, order, rank: rankOf(type, words) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank || a.order - b.order)
    .map(({ type }) => type);
}

/** 0 when a word is found nowhere. */
function rankOf({ title, type, summary, group }: NodeType, words: readonly string[]): number {
  const name = title.toLowerCase();
  const rest = `${type} ${group} ${summary}`.toLowerCase();
  let rank = 0;
  for (const word of words) {
    if (name.startsWith(word)) rank += 4;
    else if (name.includes(word)) rank += 3;
    else if (rest.includes(word)) rank += 1;
    else return 0;
  }
  return rank;
}
