/** The part of Node's global that is used here. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: object };
};

/**
 * A new instance of a WebAssembly module that multiplies rows of numbers with a query, sixteen numbers at a time: V8 makes no
 * SIMD code of JavaScript. The module's text form, with `a` to `d` as sums of four lanes each:
 *
 * (memory (export "memory") 1)
 * (func (export "multiply") (param $row i32) (param $end i32) (param $query i32) (param $rowBytes i32) (param $out i32)
 *   (loop $rows
 *     a = b = c = d = 0; at = query; rowEnd = row + rowBytes
 *     (loop $numbers
 *       a += row[0..3] * at[0..3]; … d += row[12..15] * at[12..15]; row += 64; at += 64
 *       (br_if $numbers (row < rowEnd)))
 *     out[0] = the sum of all lanes; out += 4
 *     (br_if $rows (row < end))))
 *
 * Source: WebAssembly Core Specification 2.0, chapter 5 (binary format).
 */
export function createSimilarity(): Similarity {
  return new WebAssembly.Instance(new WebAssembly.Module(encodeModule())).exports as Similarity;
}

/** Addresses are in bytes, and those of rows and query multiples of 64. */
export type Similarity = {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Writes one 32-bit float to `out` for each row from `row` up to `end`; there must be one at least. */
  multiply(row: number, end: number, query: number, rowBytes: number, out: number): void;
};

/** Rows and queries are filled up with zeros to a multiple of it. */
export const numbersAtOnce = 16;

function encodeModule(): Uint8Array {
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 5, type.i32, type.i32, type.i32, type.i32, type.i32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0x00, 1]),
    ...section(7, [2, ...name("memory"), 0x02, 0, ...name("multiply"), 0x00, 0]),
    ...section(10, [1, ...sized([2, 2, type.i32, 4, type.v128, ...encodeBody(), op.end])]),
  ]);
}

function encodeBody(): number[] {
  const [row, end, query, rowBytes, out, at, rowEnd, ...sums] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
  const [a, b, c, d] = sums;
  const add = (sum: number, first: number, second: number) => [...get(first), ...get(second), ...op.add, ...set(sum)];
  return [
    ...[op.loop, type.none],
    ...sums.flatMap((sum) => [...op.vector, ...new Array<number>(16).fill(0), ...set(sum)]),
    ...[...get(query), ...set(at)],
    ...[...get(row), ...get(rowBytes), op.addInteger, ...set(rowEnd)],
    ...[op.loop, type.none],
    ...sums.flatMap((sum, index) => [
      ...get(row),
      ...load(index * 16),
      ...get(at),
      ...load(index * 16),
      ...[...op.multiply, ...get(sum), ...op.add, ...set(sum)],
    ]),
    ...[...advance(row, 64), ...advance(at, 64)],
    ...[...get(row), ...get(rowEnd), op.isLess, op.repeatIf, 0, op.end],
    ...[...add(a, a, b), ...add(c, c, d), ...add(a, a, c)],
    ...[...get(out), ...lane(a, 0), ...lane(a, 1), op.addFloat, ...lane(a, 2), op.addFloat, ...lane(a, 3), op.addFloat],
    ...[op.storeFloat, 2, 0],
    ...advance(out, 4),
    ...[...get(row), ...get(end), op.isLess, op.repeatIf, 0, op.end],
  ];
}

const type = { i32: 0x7f, v128: 0x7b, none: 0x40 };
const op = {
  loop: 0x03,
  end: 0x0b,
  repeatIf: 0x0d,
  isLess: 0x49,
  addInteger: 0x6a,
  storeFloat: 0x38,
  addFloat: 0x92,
  vector: [0xfd, 0x0c],
  add: [0xfd, 0xe4, 0x01],
  multiply: [0xfd, 0xe6, 0x01],
};

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const load = (offset: number) => [0xfd, 0x00, 4, offset];
const lane = (local: number, index: number) => [...get(local), 0xfd, 0x1f, index];
/** Numbers of an instruction are signed: 64 takes two bytes. */
const constant = (value: number) => (value < 64 ? [0x41, value] : [0x41, (value & 0x7f) | 0x80, value >> 7]);
const advance = (local: number, by: number) => [...get(local), ...constant(by), op.addInteger, ...set(local)];
const name = (text: string) => sized([...Buffer.from(text)]);
const section = (id: number, content: number[]) => [id, ...sized(content)];
/** Lengths are unsigned, seven bits a byte. */
const sized = (content: number[]) => {
  const { length } = content;
  return length < 128 ? [length, ...content] : [(length & 0x7f) | 0x80, length >> 7, ...content];
};
