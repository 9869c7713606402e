/** The used part of Node's global. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: object };
};

/** Addresses are in bytes; the query's is a multiple of 16. */
export type RowComparer = {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /**
   * Multiplies each row of four-bit numbers from `row` up to `end`, at least one, with a query of eight-bit numbers,
   * and writes `(product * factor + offset) * scale` to `out`, as a 32-bit float for each row. `scales` has one for
   * each, too.
   */
  compare(
    row: number,
    end: number,
    query: number,
    rowBytes: number,
    out: number,
    scales: number,
    factor: number,
    offset: number,
  ): void;
};

/** Rows and queries are padded to a multiple of this. */
export const numbersAtOnce = 64;
/**
 * A byte holds two numbers of a row: the low half one of the first 16 of 32 numbers, the high half one of the second
 * 16.
 */
export const halfOfPair = 16;

/**
 * A new instance of a WebAssembly module that compares 64 numbers at a time: V8 makes no SIMD code of JavaScript. The
 * module's text form, for 32 numbers of a row, which it has twice before sums are widened:
 *
 * (memory (export "memory") 1)
 * (func (export "compare") (param $row … $offset)
 *   (loop $rows
 *     sum = 0; at = query; rowEnd = row + rowBytes
 *     (loop $numbers
 *       pairs = row[0..15]
 *       sum += widened(dot(at[0..15], pairs & 15) + dot(at[16..31], pairs >> 4 & 15)); row += 16; at += 32
 *       (br_if $numbers (row < rowEnd)))
 *     out[0] = (the sum of all lanes * factor + offset) * scales[0]; out += 4; scales += 4
 *     (br_if $rows (row < end))))
 *
 * `dot` is one of the relaxed instructions. It is exact here: its second operand is at most 15, and no sum is too large.
 * Source: WebAssembly Core Specification 3.0, chapter 5 (binary format).
 */
export function createRowComparer(): RowComparer {
  return new WebAssembly.Instance(new WebAssembly.Module(encodeModule())).exports as RowComparer;
}

function encodeModule(): Uint8Array {
  const { i32, f32, v128 } = type;
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 8, i32, i32, i32, i32, i32, i32, f32, f32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0x00, 1]),
    ...section(7, [2, ...name("memory"), 0x02, 0, ...name("compare"), 0x00, 0]),
    ...section(10, [1, ...sized([2, 2, i32, 3, v128, ...encodeBody(), op.end])]),
  ]);
}

function encodeBody(): number[] {
  const [row, end, query, rowBytes, out, scales, factor, offset] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
  const [at, rowEnd, sum, pairs, low] = [8, 9, 10, 11, 12] as const;
  const multiplyPairs = (index: number) => [
    ...[...get(row), ...load(index * 16), ...set(pairs)],
    ...[...get(at), ...load(index * 32), ...get(pairs), ...get(low), ...op.and, ...op.dot],
    ...[...get(at), ...load(index * 32 + 16)],
    ...[...get(pairs), ...constant(4), ...op.shiftRight, ...get(low), ...op.and, ...op.dot],
    ...op.addShort,
  ];
  return [
    ...[...op.vector, ...new Array<number>(16).fill(15), ...set(low)],
    ...[op.loop, type.none],
    ...[...op.vector, ...new Array<number>(16).fill(0), ...set(sum)],
    ...[...get(query), ...set(at)],
    ...[...get(row), ...get(rowBytes), op.addInteger, ...set(rowEnd)],
    ...[op.loop, type.none],
    ...[...multiplyPairs(0), ...multiplyPairs(1), ...op.addShort, ...op.widen, ...get(sum), ...op.add, ...set(sum)],
    ...[...advance(row, 32), ...advance(at, 64)],
    ...[...get(row), ...get(rowEnd), op.isLess, op.repeatIf, 0, op.end],
    ...get(out),
    ...[
      ...lane(sum, 0),
      ...lane(sum, 1),
      op.addInteger,
      ...lane(sum, 2),
      op.addInteger,
      ...lane(sum, 3),
      op.addInteger,
    ],
    ...[op.toFloat, ...get(factor), op.multiplyFloat, ...get(offset), op.addFloat],
    ...[...get(scales), op.loadFloat, 2, 0, op.multiplyFloat],
    ...[op.storeFloat, 2, 0],
    ...[...advance(out, 4), ...advance(scales, 4)],
    ...[...get(row), ...get(end), op.isLess, op.repeatIf, 0, op.end],
  ];
}

const type = { i32: 0x7f, f32: 0x7d, v128: 0x7b, none: 0x40 };
const op = {
  loop: 0x03,
  end: 0x0b,
  repeatIf: 0x0d,
  isLess: 0x49,
  addInteger: 0x6a,
  toFloat: 0xb2,
  addFloat: 0x92,
  multiplyFloat: 0x94,
  loadFloat: 0x2a,
  storeFloat: 0x38,
  vector: [0xfd, 0x0c],
  and: [0xfd, 0x4e],
  shiftRight: [0xfd, 0x8d, 0x01],
  addShort: [0xfd, 0x8e, 0x01],
  widen: [0xfd, 0x7e],
  add: [0xfd, 0xae, 0x01],
  dot: [0xfd, 0x92, 0x02],
};

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const load = (offset: number) => [0xfd, 0x00, 0, offset];
const lane = (local: number, index: number) => [...get(local), 0xfd, 0x1b, index];
/** Operands of an instruction are signed: 64 takes two bytes. */
const constant = (value: number) => (value < 64 ? [0x41, value] : [0x41, (value & 0x7f) | 0x80, value >> 7]);
const advance = (local: number, by: number) => [...get(local), ...constant(by), op.addInteger, ...set(local)];
const name = (text: string) => sized([...Buffer.from(text)]);
const section = (id: number, content: number[]) => [id, ...sized(content)];
/** Lengths are unsigned LEB128, seven bits per byte. */
const sized = (content: number[]) => {
  const { length } = content;
  return length < 128 ? [length, ...content] : [(length & 0x7f) | 0x80, length >> 7, ...content];
};
