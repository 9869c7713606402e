/** `{{ name` of a reference: the text before the first dot, bracket or space. */
const reference = /(\{\{\s*)([^\s{}.[\]]+)(?=[^{}]*\}\})/g;

/** A text whose references to the nodes in `ids` are replaced by their mapped ids. */
export function renameReferences(text: string, ids: ReadonlyMap<string, string>): string {
  if (!text.includes("{{")) return text;
  return text.replaceAll(reference, (whole, open: string, name: string) => {
    const renamed = ids.get(name);
    return renamed === undefined ? whole : `${open}${renamed}`;
  });
}
