import { Buffer } from "node:buffer";

/** What stands in the place of a secret. */
export const redactionMark = "[secret]";
const mark = Buffer.from(redactionMark);

/** Replaces known texts, however the bytes are cut into pieces. */
export type Redactor = {
  readonly isIdle: boolean;
  text(text: string): string;
  bytes(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  /** For bytes that come in pieces: only the beginning of a possible match is held back. */
  open(): RedactionStream;
};

type RedactionStream = {
  push(chunk: Uint8Array): Uint8Array<ArrayBuffer>;
  /** What was held back at the end. */
  end(): Uint8Array<ArrayBuffer>;
};

/** A redactor of the given texts; of two that begin at one place the longer one counts. Time is linear in the input. */
export function createRedactor(needles: Iterable<string>): Redactor {
  const index = toIndex([...new Set(needles)].filter((needle) => Buffer.byteLength(needle) >= keyBytes));
  const bytes = (input: Uint8Array) => scan(index, toBuffer(input), true).output;
  return {
    isIdle: index.needles.length === 0,
    bytes,
    text(text) {
      if (index.needles.length === 0) return text;
      const input = Buffer.from(text);
      const { output, found } = scan(index, input, true);
      return found ? output.toString() : text;
    },
    open() {
      let held: Buffer<ArrayBuffer> = Buffer.alloc(0);
      return {
        push(chunk) {
          const { output, rest } = scan(index, held.length === 0 ? toBuffer(chunk) : concat(held, chunk), false);
          held = Buffer.from(rest);
          return output;
        },
        end: () => scan(index, held, true).output,
      };
    },
  };
}

/** Bytes by which a needle is looked up. */
const keyBytes = 4;

type Index = {
  needles: readonly Buffer[];
  byKey: ReadonlyMap<number, readonly Buffer[]>;
  /** By a hash of the first two bytes: whether any needle begins so. */
  begins: Uint8Array;
};

function toIndex(texts: readonly string[]): Index {
  const needles = texts.map((text) => Buffer.from(text)).sort((a, b) => b.length - a.length);
  const byKey = new Map<number, Buffer[]>();
  const begins = new Uint8Array(4096);
  for (const needle of needles) {
    const key = needle.readUInt32BE(0);
    byKey.set(key, [...(byKey.get(key) ?? []), needle]);
    begins[hashOf(needle[0] ?? 0, needle[1] ?? 0)] = 1;
  }
  return { needles, byKey, begins };
}

function hashOf(first: number, second: number): number {
  return (first << 4) ^ second;
}

type Scanned = { output: Buffer<ArrayBuffer>; rest: Uint8Array; found: boolean };

function scan(index: Index, input: Buffer, isLast: boolean): Scanned {
  const parts: Uint8Array[] = [];
  let copied = 0;
  let at = 0;
  while (at < input.length) {
    const second = input[at + 1];
    if (second !== undefined && index.begins[hashOf(input[at] ?? 0, second)] === 0) {
      at += 1;
      continue;
    }
    const match = matchAt(index, input, { at, isLast });
    if (match === "perhaps") break;
    if (match === 0) {
      at += 1;
      continue;
    }
    parts.push(input.subarray(copied, at), mark);
    at += match;
    copied = at;
  }
  const found = parts.length > 0;
  if (at > copied) parts.push(input.subarray(copied, at));
  return { output: Buffer.concat(parts), rest: input.subarray(at), found };
}

type Place = { at: number; isLast: boolean };

/** The length of the needle that is here, 0, or that one may be here once more has come. */
function matchAt({ needles, byKey }: Index, input: Buffer, { at, isLast }: Place): number | "perhaps" {
  const left = input.length - at;
  const candidates = left < keyBytes ? needles : (byKey.get(input.readUInt32BE(at)) ?? []);
  for (const needle of candidates) {
    const length = Math.min(needle.length, left);
    if (needle.compare(input, at, at + length, 0, length) !== 0) continue;
    if (length === needle.length) return length;
    if (!isLast) return "perhaps";
  }
  return 0;
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function concat(held: Uint8Array, chunk: Uint8Array): Buffer {
  return Buffer.concat([held, chunk]);
}
