/** Told of the parts of an RTF file in their order. */
export type RtfHandler = {
  open(): void;
  close(): void;
  /** A control word with the number behind it, or a control symbol such as `~`. */
  word(name: string, value: number | undefined): void;
  /** Bytes of text, in an encoding that the words before them say. */
  bytes(bytes: Uint8Array): void;
};

/**
 * Parses RTF incrementally. Skips binary data, to the end of the file if its length is wrong. Source: Rich Text Format
 * Specification 1.9.1, "RTF Syntax".
 */
export function walkRtf(bytes: Uint8Array, handler: RtfHandler): void {
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === openBrace) handler.open();
    else if (byte === closeBrace) handler.close();
    else if (byte === backslash) {
      at = readControl(bytes, at + 1, handler);
      continue;
    } else if (byte !== lineFeed && byte !== carriageReturn && byte !== 0) {
      const end = endOfText(bytes, at);
      handler.bytes(bytes.subarray(at, end));
      at = end;
      continue;
    }
    at += 1;
  }
}

const [backslash, openBrace, closeBrace, lineFeed, carriageReturn, apostrophe] = [0x5c, 0x7b, 0x7d, 10, 13, 0x27];
const special = new Set([backslash, openBrace, closeBrace, lineFeed, carriageReturn, 0]);

function endOfText(bytes: Uint8Array, start: number): number {
  let end = start + 1;
  while (end < bytes.length && !special.has(bytes[end] ?? 0)) end += 1;
  return end;
}

/** Gives the place behind the word, the blank that ends it and the data that belongs to it. */
function readControl(bytes: Uint8Array, start: number, handler: RtfHandler): number {
  const end = endOfLetters(bytes, start);
  if (end === start) return readSymbol(bytes, start, handler);
  const name = ascii(bytes, start, end);
  const number = /^-?\d{1,10}/.exec(ascii(bytes, end, end + 11))?.[0];
  const value = number === undefined ? undefined : Number(number);
  let next = end + (number?.length ?? 0);
  if (bytes[next] === 0x20) next += 1;
  if (name === "bin") return next + Math.max(0, value ?? 0);
  handler.word(name, value);
  return next;
}

function readSymbol(bytes: Uint8Array, at: number, handler: RtfHandler): number {
  const byte = bytes[at];
  if (byte === undefined) return at;
  if (byte === apostrophe) {
    const value = digitOf(bytes[at + 1]) * 16 + digitOf(bytes[at + 2]);
    if (Number.isNaN(value)) return at + 1;
    handler.bytes(Uint8Array.of(value));
    return at + 3;
  }
  if (byte === backslash || byte === openBrace || byte === closeBrace) handler.bytes(Uint8Array.of(byte));
  else handler.word(byte === lineFeed || byte === carriageReturn ? "par" : String.fromCharCode(byte), undefined);
  return at + 1;
}

/** Of a hexadecimal number; `NaN` for anything else. */
function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

/** A word has at most 32 letters: the rest is text. */
function endOfLetters(bytes: Uint8Array, start: number): number {
  let end = start;
  while (end < start + 32 && isLetter(bytes[end] ?? 0)) end += 1;
  return end;
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
