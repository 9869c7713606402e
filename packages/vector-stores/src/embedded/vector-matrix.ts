import type { JsonObject } from "@weft/schema";

/** A row as it comes from the database. */
export type MatrixRow = { rowKey: number; vector: Uint8Array; facts: RowFacts };

/** What a filter can ask about a row. Rows with equal facts share one object. */
export type RowFacts = Readonly<JsonObject>;

/** Which rows are meant; undefined: all. The answer for the same facts is always the same. */
export type RowFilter = ((facts: RowFacts) => boolean) | undefined;

export type MatrixQuery = {
  /** Of length 1 or 0. */
  vector: Float32Array;
  limit: number;
  accepts: RowFilter;
};

/**
 * The vectors of one collection in memory, made to have length 1. Invariants:
 * 1. Rows have no gaps: the last one moves to where one is removed.
 * 2. `positions` has every row key once, and `rowKeys[positions.get(key)] === key`.
 */
export type VectorMatrix = {
  readonly size: number;
  bytes(): number;
  put(row: MatrixRow): void;
  /** Removes every row whose key is not kept. */
  retain(keep: ReadonlySet<number>): void;
  /** The keys of the rows that are meant. */
  keysOf(accepts: RowFilter): number[];
  /** The nearest by cosine, by comparing all. */
  search(query: MatrixQuery): { key: number; score: number }[];
};

/** What a row costs besides its vector: key, position and facts. An estimate. */
export const rowOverheadBytes = 160;
/** Rows that are compared before their scores are looked at. */
const scannedRows = 2_048;
const pageBytes = 65_536;
/** By how much memory grows at a time, at least. What is not written to takes none of the machine's. */
const growthPages = 16;

export function createVectorMatrix(dimension: number): VectorMatrix {
  const rows = createMatrixRows(dimension);
  const { rowKeys, facts, positions } = rows;
  return {
    get size() {
      return rowKeys.length;
    },
    bytes: () => rows.bytes() + rowKeys.length * rowOverheadBytes,
    put({ rowKey, vector, facts: own }) {
      const position = positions.get(rowKey) ?? rows.append(rowKey);
      const target = rows.vectorAt(position);
      new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(vector);
      normalise(target);
      facts[position] = own;
    },
    retain(keep) {
      for (const rowKey of [...positions.keys()]) if (!keep.has(rowKey)) rows.remove(rowKey);
      rows.shrink();
    },
    keysOf(accepts) {
      const isMeant = rememberAnswers(accepts);
      return rowKeys.filter((_, position) => isMeant(facts[position] as RowFacts));
    },
    search({ vector, limit, accepts }) {
      const isMeant = rememberAnswers(accepts);
      const hits = createTopHits(limit);
      rows.setQuery(vector);
      for (let start = 0; start < rowKeys.length; start += scannedRows) {
        const end = Math.min(start + scannedRows, rowKeys.length);
        const scores = rows.multiply(start, end);
        for (let position = start; position < end; position += 1) {
          const score = scores[position - start] as number;
          if (score <= hits.threshold() || !isMeant(facts[position] as RowFacts)) continue;
          hits.add(rowKeys[position] as number, score);
        }
      }
      return hits.list();
    },
  };
}

/** The rows in a memory that begins with the query and the scores of the rows that are compared at once. */
function createMatrixRows(dimension: number) {
  const rowBytes = Math.ceil(dimension / numbersAtOnce) * numbersAtOnce * 4;
  const scoresAt = rowBytes;
  const rowsAt = scoresAt + scannedRows * 4;
  const rowKeys: number[] = [];
  const facts: RowFacts[] = [];
  const positions = new Map<number, number>();
  let { memory, multiply } = createSimilarity();

  const addressOf = (position: number) => rowsAt + position * rowBytes;
  const vectorAt = (position: number) => new Float32Array(memory.buffer, addressOf(position), dimension);

  /** Whatever was a view of the memory before is none any more. */
  function makeRoom(rows: number): void {
    const missing = Math.ceil((addressOf(rows) - memory.buffer.byteLength) / pageBytes);
    if (missing > 0) memory.grow(Math.max(missing, growthPages));
  }

  return {
    rowKeys,
    facts,
    positions,
    vectorAt,
    bytes: () => memory.buffer.byteLength,

    append(rowKey: number): number {
      const position = rowKeys.length;
      makeRoom(position + 1);
      rowKeys.push(rowKey);
      positions.set(rowKey, position);
      return position;
    },

    remove(rowKey: number): void {
      const position = positions.get(rowKey) as number;
      const last = rowKeys.length - 1;
      const lastKey = rowKeys[last] as number;
      vectorAt(position).set(vectorAt(last));
      rowKeys[position] = lastKey;
      facts[position] = facts[last] as RowFacts;
      positions.set(lastKey, position);
      positions.delete(rowKey);
      rowKeys.pop();
      facts.pop();
    },

    /** Such a memory never gets smaller: the rows move to another when they need less than half of it. */
    shrink(): void {
      const rows = new Uint8Array(memory.buffer, 0, addressOf(rowKeys.length));
      if (memory.buffer.byteLength < 2 * (rows.length + growthPages * pageBytes)) return;
      ({ memory, multiply } = createSimilarity());
      makeRoom(rowKeys.length);
      new Uint8Array(memory.buffer).set(rows);
    },

    setQuery(vector: Float32Array): void {
      makeRoom(0);
      new Float32Array(memory.buffer, 0, dimension).set(vector);
    },

    /** Scores of the rows from `start` up to `end`, at most `scannedRows`; overwritten by the next call. */
    multiply(start: number, end: number): Float32Array {
      multiply(addressOf(start), addressOf(end), 0, rowBytes, scoresAt);
      return new Float32Array(memory.buffer, scoresAt, scannedRows);
    },
  };
}

/** Gives a vector the length 1. One without a direction (all zero, or not finite) becomes zero, and is near nothing. */
export function normalise(vector: Float32Array): void {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const length = Math.sqrt(sum);
  if (length > 0 && Number.isFinite(length))
    for (let index = 0; index < vector.length; index += 1) vector[index] = (vector[index] as number) / length;
  else vector.fill(0);
}

/** Asks once for all rows that share their facts. */
function rememberAnswers(accepts: RowFilter): (facts: RowFacts) => boolean {
  if (accepts === undefined) return () => true;
  const answers = new Map<RowFacts, boolean>();
  return (facts) => {
    const known = answers.get(facts);
    if (known !== undefined) return known;
    const answer = accepts(facts);
    answers.set(facts, answer);
    return answer;
  };
}

/** The best rows of a scan, by score. */
type TopHits = {
  /** A score below it does not enter. */
  threshold(): number;
  add(rowKey: number, score: number): void;
  /** The best first; of equal scores the row that was added first. */
  list(): { key: number; score: number }[];
};

function createTopHits(limit: number): TopHits {
  const hits: { key: number; score: number }[] = [];
  return {
    threshold: () => (hits.length < limit ? Number.NEGATIVE_INFINITY : (hits[hits.length - 1]?.score ?? 0)),
    add(key, score) {
      let low = 0;
      let high = hits.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((hits[middle] as { score: number }).score >= score) low = middle + 1;
        else high = middle;
      }
      hits.splice(low, 0, { key, score });
      if (hits.length > limit) hits.pop();
    },
    list: () => hits,
  };
}

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
function createSimilarity(): Similarity {
  return new WebAssembly.Instance(new WebAssembly.Module(encodeModule())).exports as Similarity;
}

/** Addresses are in bytes, and those of rows and query multiples of 64. */
type Similarity = {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Writes one 32-bit float to `out` for each row from `row` up to `end`; there must be one at least. */
  multiply(row: number, end: number, query: number, rowBytes: number, out: number): void;
};

/** Rows and queries are filled up with zeros to a multiple of it. */
const numbersAtOnce = 16;

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
