/** A part of a text by its offsets in UTF-16 units; `end` is exclusive. */
export type TextRange = { start: number; end: number };

/** A range without the white space at its ends; undefined when nothing remains. */
export function trimRange(text: string, { start, end }: TextRange): TextRange | undefined {
  const to = visibleEnd(text, { start, end });
  let from = start;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  return from < to ? { start: from, end: to } : undefined;
}

/** Where a range ends when the white space at its end does not count. */
export function visibleEnd(text: string, { start, end }: TextRange): number {
  let to = end;
  while (to > start && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return to;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0x3000;
}

/** Whether a cut at this offset would part the two halves of one character. */
export function isInsideCharacter(text: string, offset: number): boolean {
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
