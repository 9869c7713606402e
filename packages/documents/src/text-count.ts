import { isUtf8 } from "node:buffer";

/**
 * Counts the text of a file, whose parts are given one after the other: the result is the number of UTF-16 units that
 * the parts so far stand for at least. What is UTF-8 without control characters of other encodings, or UTF-16 by its
 * byte order mark or its zeros, is counted as that.
 */
export function createTextCount(): (part: Uint8Array) => number {
  let isOnlyUtf8 = true;
  let hasEscapes = false;
  let hasMark = false;
  let sizeBytes = 0;
  let units = 0;
  let ascii = 0;
  const zeros: [even: number, odd: number] = [0, 0];
  return (part) => {
    if (sizeBytes === 0) hasMark = beginsUtf16(part);
    hasEscapes ||= part.includes(escapeCode);
    isOnlyUtf8 &&= !hasEscapes && !part.includes(0) && isUtf8(withoutCutCharacters(part));
    const counted = countUnits(part);
    units += counted.units;
    ascii += counted.ascii;
    const isShifted = sizeBytes % 2 === 1;
    zeros[isShifted ? 1 : 0] += counted.zeros[0];
    zeros[isShifted ? 0 : 1] += counted.zeros[1];
    sizeBytes += part.length;
    if (hasMark) return sizeBytes / 2 - 1;
    if (isOnlyUtf8) return units;
    if (areOfUtf16(zeros, sizeBytes)) return sizeBytes / 2;
    // Three bytes may be one unit, as may two of ASCII; with an escape of three bytes before each character, more.
    return hasEscapes ? sizeBytes / 5 : Math.max(sizeBytes / 3, ascii / 2);
  };
}

/** As `decodeBytes` finds UTF-16 without a mark: many zeros, nearly all of them at even offsets, or at odd ones. */
function areOfUtf16([even, odd]: readonly [number, number], sizeBytes: number): boolean {
  const most = Math.max(even, odd);
  return even + odd > sizeBytes / 3 && Math.min(even, odd) <= most / 20;
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

/** Units of UTF-8, each counted where its character begins; bytes that are ASCII; zeros at even and at odd offsets. */
function countUnits(part: Uint8Array) {
  const zeros: [even: number, odd: number] = [0, 0];
  let units = 0;
  let ascii = 0;
  for (let at = 0; at < part.length; at += 1) {
    const byte = part[at] ?? 0;
    if (byte === 0) zeros[at % 2 === 0 ? 0 : 1] += 1;
    else if (byte < 0x80) ascii += 1;
    else if (!isContinuation(byte)) units += byte < 0xf0 ? 1 : 2;
  }
  return { units: units + ascii, ascii, zeros };
}
