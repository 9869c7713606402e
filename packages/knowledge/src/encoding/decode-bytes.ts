import { decodeDetected, decodeUnmarkedUtf16, decodeUtf32, tryDecode } from "./detect-encoding.ts";

/**
 * Decodes bytes: by their byte order mark (UTF-8, UTF-16, UTF-32), else in the encoding that came with them (`label`),
 * else UTF-8, UTF-16 or UTF-32, else the encoding that they declare themselves (`declared`, for HTML and XML), else a
 * detected one. UTF-8 with a few invalid sequences is read as such, with U+FFFD in their place. NUL characters are
 * dropped. Decodes binary data too: see `isText`.
 */
export function decodeBytes(bytes: Uint8Array, { label, declared }: EncodingHints = {}): string {
  const labelled = label === undefined || isByDefault.test(label) ? undefined : label;
  const known = decodeMarked(bytes) ?? (labelled && tryDecode(bytes, labelled));
  return known ?? decodeMostlyZeros(bytes) ?? decodeUnmarked(bytes, { label, declared });
}

export type EncodingHints = { label?: string | undefined; declared?: RegExp | undefined };

/** The default of many servers for every page, so it counts less than the page's own declaration. */
const isByDefault = /^(iso-?8859-1|latin-?1|windows-1252|us-ascii|ascii)$/i;

/** The charset of a content type: `text/html; charset=utf-8`. */
export function toCharset(contentType = ""): string | undefined {
  return /charset\s*=\s*["']?([\w:-]{1,40})/i.exec(contentType)?.[1];
}

/** Whether almost no character is one that never occurs in text. */
export function isText(text: string): boolean {
  return count(text, isControl) <= text.length / 100;
}

export const htmlCharset = /<meta[^>]{0,200}\bcharset\s*=\s*(?:["']\s*)?([\w:-]{1,40})/i;
export const xmlEncoding = /^\s*<\?xml[^>]{0,200}\bencoding\s*=\s*["']([\w:-]{1,40})["']/;

function decodeMarked(bytes: Uint8Array): string | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0) return decodeUtf32(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(withoutZeros(toUnits(bytes)));
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(withoutZeros(toUnits(bytes)));
  return undefined;
}

/** Before anything else is made of such bytes, which are twice as many as their characters, or four times. */
function decodeMostlyZeros(bytes: Uint8Array): string | undefined {
  return countZeros(bytes) > bytes.length / 3 ? decodeWide(bytes) : undefined;
}

function decodeUnmarked(bytes: Uint8Array, { label, declared }: EncodingHints): string {
  const sound = withoutZeros(bytes);
  const utf8 = tryDecode(sound, "utf-8");
  const hasZeros = sound.length < bytes.length;
  // They may be strays.
  const wide = hasZeros && !(utf8 !== undefined && isText(utf8)) ? decodeWide(bytes) : undefined;
  if (wide !== undefined) return wide;
  if (utf8 !== undefined) return decodeEscapes(sound, utf8) ?? utf8;
  const named = declared?.exec(new TextDecoder("latin1").decode(sound.subarray(0, 2048)))?.[1] ?? label;
  return (named && tryDecode(sound, named)) ?? decodeBroken(sound);
}

/** UTF-32 or UTF-16 without a byte order mark. */
function decodeWide(bytes: Uint8Array): string | undefined {
  return decodeUtf32(bytes) ?? decodeUnmarkedUtf16(bytes);
}

function decodeEscapes(bytes: Uint8Array, utf8: string): string | undefined {
  return japaneseEscapes.some((sign) => utf8.includes(sign)) ? tryDecode(bytes, "iso-2022-jp") : undefined;
}

/** They introduce Japanese in ISO-2022-JP, whose bytes are all ASCII. */
const japaneseEscapes = ["\u001b$B", "\u001b$@"];

/** Text in another encoding hardly ever resembles UTF-8, so if most of it does, the rest is damage. */
function decodeBroken(bytes: Uint8Array): string {
  const utf8 = new TextDecoder("utf-8").decode(bytes);
  const broken = count(utf8, (code) => code === 0xfffd);
  const sound = count(utf8, (code) => code > 0x7f && code !== 0xfffd);
  return sound > broken ? utf8 : decodeDetected(bytes);
}

function toUnits(bytes: Uint8Array): Uint16Array {
  // Copies: the view may start at an odd offset.
  return new Uint16Array(Uint8Array.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).buffer);
}

function withoutZeros<T extends Uint8Array | Uint16Array>(units: T): T {
  if (!units.includes(0)) return units;
  // Not `filter`, which keeps an array of numbers, eight bytes each.
  const kept = new (units instanceof Uint8Array ? Uint8Array : Uint16Array)(units.length);
  let length = 0;
  for (const unit of units) {
    if (unit === 0) continue;
    kept[length] = unit;
    length += 1;
  }
  return kept.subarray(0, length) as T;
}

function countZeros(bytes: Uint8Array): number {
  let found = 0;
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) found += 1;
  return found;
}

/** The C0 controls that never occur in text: all but tab, line feed, form feed, carriage return and escape. */
function isControl(code: number): boolean {
  return code < 0x20 && code !== 9 && code !== 10 && code !== 12 && code !== 13 && code !== 27;
}

function count(text: string, isCounted: (code: number) => boolean): number {
  let found = 0;
  for (let index = 0; index < text.length; index += 1) if (isCounted(text.charCodeAt(index))) found += 1;
  return found;
}
