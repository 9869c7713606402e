/** One `{{ … }}` in a text. `path` is the text between the braces; `root` is its first name. */
export type TemplateReference = { from: number; to: number; path: string; root: string };

/** One quantifier, so that a text of any length is read in linear time. */
const pattern = /\{\{([^{}]*)\}\}/g;
const pathPattern = /^[$\p{L}_][^\s[\].]*(\.[^\s[\].]+|\[\d+\])*$/u;

/** The references in a text, in order. Braces around anything that is not a path are plain text. */
export function templateReferences(text: string): TemplateReference[] {
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const path = (match[1] ?? "").trim();
    if (!pathPattern.test(path)) return [];
    return [{ from: match.index, to: match.index + match[0].length, path, root: path.split(/[.[]/)[0] ?? path }];
  });
}

/** The unfinished reference in braces at a position of a text; undefined if there is none. */
export function openReference(text: string, at: number): { from: number; typed: string } | undefined {
  const before = text.slice(0, at);
  const opened = before.lastIndexOf("{{");
  if (opened === -1 || before.indexOf("}}", opened) !== -1) return undefined;
  const typed = before.slice(opened + 2);
  return /^[\s\w.$[\]-]*$/u.test(typed) ? { from: opened, typed: typed.trimStart() } : undefined;
}
