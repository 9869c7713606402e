import { analyse } from "chardet";

/**
 * Text in an encoding that nothing declares, by how its bytes are spread: Shift-JIS, EUC-JP, GB18030, Big5, EUC-KR,
 * Windows-125x, ISO-8859-x, KOI8-R. Of a few words it may be the wrong one; what fits none is Windows-1252.
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
    if (text !== undefined) return text;
  }
  return new TextDecoder("windows-1252").decode(bytes);
}

/** UTF-16 without a mark: bytes of zero stand at even or at odd places alone. Nothing when it is none. */
export function decodeUnmarkedUtf16(bytes: Uint8Array): string | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < bytes.length; at += 2) {
    if (bytes[at] === 0) even += 1;
    if (bytes[at + 1] === 0) odd += 1;
  }
  if (even > 0 && odd > 0) return undefined;
  return even + odd === 0 ? undefined : tryDecode(bytes, even > 0 ? "utf-16be" : "utf-16le");
}

/** Nothing when the bytes are invalid in the encoding or it is unknown. */
export function tryDecode(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Of 100. Below it a text is short, and syllables say more than frequencies. */
const sureFrom = 50;

/** What the detector gives for bytes that an encoding of several bytes allows and that do not speak for it. */
const noMoreThanPossible = 10;
const singleByte = /^(windows|iso-8859|koi8)-/i;

/** Text that is long enough to tell, from shortly before the first byte that is not ASCII: the rest says nothing. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const start = Math.max(0, first - 16);
  return bytes.subarray(start, start + 64 * 1024);
}

/** Bytes of another encoding hardly ever are Japanese syllables. */
function decodeKana(bytes: Uint8Array): string | undefined {
  for (const label of ["shift_jis", "euc-jp"]) {
    const text = tryDecode(bytes, label);
    if (text !== undefined && /[\u3041-\u30ff].*[\u3041-\u30ff]/s.test(text)) return text;
  }
  return undefined;
}
