/** A readable name: `maxTokens` and `max-tokens` become `Max tokens`. */
export function toTitle(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[-_\s]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Identifiers such as GET or application/json rather than words. */
export function isCode(name: string): boolean {
  return name === name.toUpperCase() || /[/[.]/.test(name);
}
