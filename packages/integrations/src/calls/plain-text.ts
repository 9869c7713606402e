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

/** A short text on one line without its tags, such as those that highlight search terms. */
export function toPlainText(html: string): string {
  return html
    .replaceAll(/<\/?[a-z][^<>]*>/gi, "")
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
    .replaceAll(/\s+/g, " ")
    .trim();
}
