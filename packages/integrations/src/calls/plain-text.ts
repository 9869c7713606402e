const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  "#x27": "'",
  nbsp: " ",
};

/** A short text without its tags, such as those that mark the words that were found; in one line. */
export function toPlainText(html: string): string {
  return html
    .replaceAll(/<\/?[a-z][^<>]*>/gi, "")
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
    .replaceAll(/\s+/g, " ")
    .trim();
}
