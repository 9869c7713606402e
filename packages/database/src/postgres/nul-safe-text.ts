/**
 * PostgreSQL's text cannot hold U+0000. U+0001 becomes the escape character: U+0000 is stored as U+0001 U+0001 and
 * U+0001 as U+0001 U+0002. Every text goes through it, in both directions, so equal texts stay equal; and it keeps
 * the order of bytes: 1·1 < 1·2 < 2.
 */
const nul = "\u0000";
const escapeMark = "\u0001";

/** Any text as PostgreSQL can hold it. */
export function toPostgresText(text: string): string {
  if (!text.includes(nul) && !text.includes(escapeMark)) return text;
  return text.replaceAll(escapeMark, `${escapeMark}\u0002`).replaceAll(nul, escapeMark + escapeMark);
}

/** What `toPostgresText` was given. */
export function fromPostgresText(stored: string): string {
  if (!stored.includes(escapeMark)) return stored;
  return stored.replaceAll(escapeMark + escapeMark, nul).replaceAll(`${escapeMark}\u0002`, escapeMark);
}
