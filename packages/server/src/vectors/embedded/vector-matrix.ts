import { createSimilarity, numbersAtOnce } from "./similarity.ts";
import { createTopHits } from "./top-hits.ts";

/** A row as it comes from the database. */
export type MatrixRow = { rowKey: number; vector: Uint8Array; filterKeys: readonly number[] };

export type MatrixQuery = {
  /** Of length 1 or 0. */
  vector: Float32Array;
  limit: number;
  /** All of them. */
  filterKeys: readonly number[];
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
  /** The nearest by cosine, by comparing all. */
  search(query: MatrixQuery): { key: number; score: number }[];
};

/** What a row costs besides its vector: key, position and filter keys. An estimate. */
export const rowOverheadBytes = 160;
/** Rows that are compared before their scores are looked at. */
const scannedRows = 2_048;
const pageBytes = 65_536;
/** By how much memory grows at a time, at least. What is not written to takes none of the machine's. */
const growthPages = 16;

export function createVectorMatrix(dimension: number): VectorMatrix {
  const rowBytes = Math.ceil(dimension / numbersAtOnce) * numbersAtOnce * 4;
  const scoresAt = rowBytes;
  const rowsAt = scoresAt + scannedRows * 4;
  const rowKeys: number[] = [];
  const filters: (readonly number[])[] = [];
  const positions = new Map<number, number>();
  let { memory, multiply } = createSimilarity();

  const addressOf = (position: number) => rowsAt + position * rowBytes;
  const vectorAt = (position: number) => new Float32Array(memory.buffer, addressOf(position), dimension);

  /** Whatever was a view of the memory before is none any more. */
  function makeRoom(rows: number): void {
    const missing = Math.ceil((addressOf(rows) - memory.buffer.byteLength) / pageBytes);
    if (missing > 0) memory.grow(Math.max(missing, growthPages));
  }

  function append(rowKey: number): number {
    const position = rowKeys.length;
    makeRoom(position + 1);
    rowKeys.push(rowKey);
    positions.set(rowKey, position);
    return position;
  }

  function remove(rowKey: number): void {
    const position = positions.get(rowKey) as number;
    const last = rowKeys.length - 1;
    const lastKey = rowKeys[last] as number;
    vectorAt(position).set(vectorAt(last));
    rowKeys[position] = lastKey;
    filters[position] = filters[last] as readonly number[];
    positions.set(lastKey, position);
    positions.delete(rowKey);
    rowKeys.pop();
    filters.pop();
  }

  /** Such a memory never gets smaller: the rows move to another when they need less than half of it. */
  function shrink(): void {
    const rows = new Uint8Array(memory.buffer, 0, addressOf(rowKeys.length));
    if (memory.buffer.byteLength < 2 * (rows.length + growthPages * pageBytes)) return;
    ({ memory, multiply } = createSimilarity());
    makeRoom(rowKeys.length);
    new Uint8Array(memory.buffer).set(rows);
  }

  return {
    get size() {
      return rowKeys.length;
    },
    bytes: () => memory.buffer.byteLength + rowKeys.length * rowOverheadBytes,
    put({ rowKey, vector, filterKeys }) {
      const position = positions.get(rowKey) ?? append(rowKey);
      const target = vectorAt(position);
      new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(vector);
      normalise(target);
      filters[position] = filterKeys;
    },
    retain(keep) {
      for (const rowKey of [...positions.keys()]) if (!keep.has(rowKey)) remove(rowKey);
      shrink();
    },
    search({ vector, limit, filterKeys }) {
      const hits = createTopHits(limit);
      makeRoom(0);
      new Float32Array(memory.buffer, 0, dimension).set(vector);
      const scores = new Float32Array(memory.buffer, scoresAt, scannedRows);
      for (let start = 0; start < rowKeys.length; start += scannedRows) {
        const end = Math.min(start + scannedRows, rowKeys.length);
        multiply(addressOf(start), addressOf(end), 0, rowBytes, scoresAt);
        for (let position = start; position < end; position += 1) {
          const score = scores[position - start] as number;
          if (score <= hits.threshold() || !hasAll(filters[position] as readonly number[], filterKeys)) continue;
          hits.add(rowKeys[position] as number, score);
        }
      }
      return hits.list();
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

function hasAll(own: readonly number[], wanted: readonly number[]): boolean {
  return wanted.every((key) => own.includes(key));
}
