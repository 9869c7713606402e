/** Names of files as they are stored, in the same order, no two equal: of several `a.md` the second is `a (2).md`. */
export function toFileNames(given: readonly string[]): string[] {
  const taken = new Set<string>();
  return given.map((name) => {
    const own = toFileName(name);
    const dot = startOfEnding(own);
    let free = own;
    for (let count = 2; taken.has(free); count += 1) free = `${own.slice(0, dot)} (${count})${own.slice(dot)}`;
    taken.add(free);
    return free;
  });
}

/** Without control characters, which no database takes; a name that is too long loses its middle. */
export function toFileName(given: string): string {
  const name =
    given
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, "")
      .trim() || "file";
  if (name.length <= maxCharacters) return name;
  const ending = name.slice(startOfEnding(name)).slice(0, 20);
  return (name.slice(0, maxCharacters - ending.length) + ending).toWellFormed();
}

const maxCharacters = 200;

function startOfEnding(name: string): number {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? dot : name.length;
}
