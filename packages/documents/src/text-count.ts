import { isUtf8 } from "node:buffer";

/**
 * Counts the text of a file, whose parts are given one after the other: the result is the number of UTF-16 units that
 * the parts so far stand for at least. What is UTF-8 without control characters of other encodings, or begins with the
 * byte order mark of UTF-16, is counted as that.
 */
export function createTextCount(): (part: Uint8Array) => number {
  let isOnlyUtf8 = true;
  let hasEscapes = false;
  let isUtf16 = false;
  let sizeBytes = 0;
  let units = 0;
  let ascii = 0;
  return (part) => {
    if (sizeBytes === 0) isUtf16 = beginsUtf16(part);
    sizeBytes += part.length;
    if (isUtf16) return sizeBytes / 2 - 1;
    hasEscapes ||= part.includes(escapeCode);
    isOnlyUtf8 &&= !hasEscapes && !part.includes(0) && isUtf8(withoutCutCharacters(part));
    const counted = countUnits(part);
    units += counted.units;
    ascii += counted.ascii;
    if (isOnlyUtf8) return units;
    // Three bytes may be one unit, as may two of ASCII; with an escape of three bytes before each character, more.
    return hasEscapes ? sizeBytes / 5 : Math.max(sizeBytes / 3, ascii / 2);
  };
}

/** Introduces the characters of ISO-2022-JP. */
const escapeCode = 0x1b;

function beginsUtf16([first, second, third, fourth]: Uint8Array): boolean {
  const isUtf32 = third === 0 && fourth === 0;
  return (first === 0xff && second === 0xfe && !isUtf32) || (first === 0xfe && second === 0xff);
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}

/** A part of UTF-8 without the ends of characters that begin before it, or end behind it. */
function withoutCutCharacters(part: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && isContinuation(part[start])) start += 1;
  let end = part.length;
  while (end > part.length - 3 && isContinuation(part[end - 1])) end -= 1;
  return part.subarray(start, (part[end - 1] ?? 0) >= 0xc0 ? end - 1 : part.length);
}

/** Units of UTF-8, each counted where its character begins, and bytes that are ASCII. */
function countUnits(part: Uint8Array): { units: number; ascii: number } {
  let units = 0;
  let ascii = 0;
  for (const byte of part) {
    if (byte < 0x80) ascii += byte === 0 ? 0 : 1;
    else if (!isContinuation(byte)) units += byte < 0xf0 ? 1 : 2;
  }
  return { units: units + ascii, ascii };
}
