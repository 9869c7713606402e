import { analyse } from "chardet";

/**
 * Decodes text in an undeclared encoding, by its byte frequencies: Shift-JIS, EUC-JP, GB18030, Big5, EUC-KR,
 * Windows-125x, ISO-8859-x, KOI8-R, and Russian DOS and Mac encodings. May be wrong for a few words; falls back to
 * Windows-1252.
 */
export function decodeDetected(bytes: Uint8Array): string {
  const candidates = analyse(sampleOf(bytes));
  if ((candidates[0]?.confidence ?? 0) < sureFrom) {
    const japanese = decodeKana(bytes);
    if (japanese !== undefined) return japanese;
  }
  for (const { name, confidence } of candidates) {
    const isSpokenFor = confidence > noMoreThanPossible || singleByte.test(name);
    const text = isSpokenFor ? tryDecode(bytes, name) : undefined;
    if (text !== undefined) return decodeCyrillic(bytes, name) ?? text;
  }
  return decodeCyrillic(bytes, "windows-1252") ?? new TextDecoder("windows-1252").decode(bytes);
}

/** UTF-16 without a byte order mark: nearly all zero bytes are at even offsets, or at odd ones. Undefined otherwise. */
export function decodeUnmarkedUtf16(bytes: Uint8Array): string | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < bytes.length; at += 2) {
    if (bytes[at] === 0) even += 1;
    if (bytes[at + 1] === 0) odd += 1;
  }
  // Characters such as U+0100 and U+10000 have a zero in the other place.
  if (Math.min(even, odd) > Math.max(even, odd) / 20 || even === odd) return undefined;
  return tryDecode(bytes, even > odd ? "utf-16be" : "utf-16le");
}

/**
 * UTF-32 of either endianness, with or without a byte order mark, which `TextDecoder` does not support. Undefined
 * otherwise.
 */
export function decodeUtf32(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isLittle = view.getUint16(2, true) === 0;
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    const code = view.getUint32(at, isLittle);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
    text += String.fromCodePoint(code);
  }
  return text.replaceAll("\0", "").replace(/^\ufeff/, "");
}

/** Undefined if the bytes are invalid in the encoding or it is unknown. */
export function tryDecode(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Out of 100. Below it a text is short, and syllables tell more than frequencies. */
const sureFrom = 50;

/** The detector's score for bytes that are merely valid in a multi-byte encoding. */
const noMoreThanPossible = 10;
const singleByte = /^(windows|iso-8859|koi8)-/i;

/** Long enough a sample, from shortly before the first non-ASCII byte: the rest tells nothing. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const start = Math.max(0, first - 16);
  return bytes.subarray(start, start + 64 * 1024);
}

/**
 * Russian in an encoding that the detector does not know, when its bytes make hardly anything but words in it, and fewer in
 * the text that was found, unless that text is in a script other than Latin or Cyrillic.
 */
function decodeCyrillic(bytes: Uint8Array, found: string): string | undefined {
  const sample = sampleOf(bytes);
  const textIn = (label: string) => new TextDecoder(label).decode(sample);
  if (otherScripts.test(textIn(found))) return undefined;
  const share = shareOfWords(textIn(found));
  if (share > nearlyAll) return undefined;
  const better = ["x-mac-cyrillic", "ibm866"].find(
    (label) => shareOfWords(textIn(label)) > Math.max(nearlyAll, share + clearly),
  );
  return better && tryDecode(bytes, better);
}

const otherScripts = /[^\P{L}\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Common}]/u;
const nearlyAll = 0.98;
const clearly = 0.01;

/**
 * Share of a text's non-ASCII characters that belong to Russian words; 0 if there are so few that they may be chance.
 */
function shareOfWords(text: string): number {
  const beyond = text.match(/[^\0-\x7f]/g)?.length ?? 0;
  const marks = text.match(/[«»“”—–№\u00a0]/g)?.length ?? 0;
  const letters = (text.match(russianWords) ?? []).join("").length;
  const isTelling = letters >= leastLetters && marks < letters / 4;
  return isTelling ? letters / (beyond - marks) : 0;
}

const leastLetters = 10;

/** In lower or upper case, or capitalised; and one-letter words. */
const russianWords = /(?<![a-zA-ZА-яЁё])(?:[А-ЯЁа-яё][а-яё]+|[А-ЯЁ]{2,}|[АБВЖИКОСУЯабвжикосуя])(?![a-zA-ZА-яЁё])/g;

/** Bytes of another encoding are hardly ever Japanese syllables. */
function decodeKana(bytes: Uint8Array): string | undefined {
  for (const label of ["shift_jis", "euc-jp"]) {
    const text = tryDecode(bytes, label);
    if (text !== undefined && /[\u3041-\u30ff][^\u3041-\u30ff]*[\u3041-\u30ff]/.test(text)) return text;
  }
  return undefined;
}
