import { createFilterAnswers, type RowFacts, type RowFilter } from "./filter-answers.ts";
import { blockRows, createVectorPlanes, normalise } from "./vector-planes.ts";

/** A row as read from the database. */
export type MatrixRow = { rowKey: number; vector: Uint8Array; facts: RowFacts };

export type MatrixQuery = {
  /** Normalised to length 1, or zero. */
  vector: Float32Array;
  limit: number;
  accepts: RowFilter;
};

/**
 * The vectors of one collection in memory, with eight bits per number. Invariants:
 * 1. Rows have no gaps: the last one moves to where one is removed.
 * 2. `positions` has every row key once, and `rowKeys[positions.get(key)] === key`.
 */
export type VectorMatrix = {
  readonly size: number;
  bytes(): number;
  put(row: MatrixRow): void;
  /** Removes every row whose key is not in `keys`. */
  retain(keys: readonly number[]): void;
  /** The keys of the accepted rows. */
  keysOf(accepts: RowFilter): number[];
  /**
   * The nearest by cosine, best first: somewhat more than `limit`, because eight bits are inexact, so that the nearest
   * are among them. `score` is the cosine to two or three digits.
   */
  search(query: MatrixQuery): { key: number; score: number }[];
};

/** Memory of a collection with this many rows: two planes of half a byte per number, keys, positions and facts. */
export function toMatrixBytes(rows: number, dimension: number): number {
  return rows * (dimension + rowOverheadBytes);
}

/** Memory per row besides its vector: scale, key, position and facts. An estimate. */
const rowOverheadBytes = 160;
/** Rows compared by all eight bits: those nearest by four. See docs/decisions/0135-vectors-in-memory.md. */
const candidatesOf = (limit: number) => 512 + 8 * limit;
/** Number of rows for exact comparison. */
const worthReading = (limit: number) => Math.ceil(limit * 1.2) + 10;

/** `centre`: what the vectors have in common, as far as known. Any value is correct; the true mean is most precise. */
export function createVectorMatrix(
  dimension: number,
  centre: Float32Array = new Float32Array(dimension),
): VectorMatrix {
  const planes = createVectorPlanes(dimension, centre);
  const rowKeys: number[] = [];
  const facts: RowFacts[] = [];
  const answers = createFilterAnswers(facts);
  const positions = new Map<number, number>();
  const direction = new Float32Array(dimension);
  const directionBytes = new Uint8Array(direction.buffer);

  function append(rowKey: number): number {
    const position = rowKeys.length;
    planes.reserve(position + 1);
    rowKeys.push(rowKey);
    positions.set(rowKey, position);
    return position;
  }

  function remove(rowKey: number): void {
    const position = positions.get(rowKey);
    if (position === undefined) return;
    const [lastKey = rowKey, lastFacts = {}] = [rowKeys.pop(), facts.pop()];
    const last = rowKeys.length;
    for (const changed of [position, last]) answers.forget(changed);
    positions.delete(rowKey);
    if (position === last) return;
    planes.move(last, position);
    rowKeys[position] = lastKey;
    facts[position] = lastFacts;
    positions.set(lastKey, position);
  }

  function estimateAll(isMeant: (position: number) => boolean, limit: number): number[] {
    const candidates = createCandidates(limit);
    let threshold = Number.NEGATIVE_INFINITY;
    for (let start = 0; start < rowKeys.length; start += blockRows) {
      const end = Math.min(start + blockRows, rowKeys.length);
      const scores = planes.estimate(start, end);
      for (let position = start; position < end; position += 1) {
        const score = scores[position - start] ?? 0;
        if (score > threshold && isMeant(position)) threshold = candidates.add(position, score);
      }
    }
    return candidates.list();
  }

  return {
    get size() {
      return rowKeys.length;
    },
    bytes: () => toMatrixBytes(rowKeys.length, dimension),
    put({ rowKey, vector, facts: own }) {
      const position = positions.get(rowKey) ?? append(rowKey);
      directionBytes.set(vector);
      normalise(direction);
      planes.write(position, direction);
      facts[position] = own;
      answers.forget(position);
    },
    retain(keys) {
      const isKept = new Uint8Array(rowKeys.length);
      for (const key of keys) isKept[positions.get(key) ?? rowKeys.length] = 1;
      for (const [position, rowKey] of [...rowKeys].entries()) if (isKept[position] === 0) remove(rowKey);
      planes.shrink(rowKeys.length);
    },
    keysOf(accepts) {
      const isMeant = answers.of(accepts);
      return rowKeys.filter((_, position) => isMeant(position));
    },
    search({ vector, limit, accepts }) {
      planes.setQuery(vector);
      const near = estimateAll(answers.of(accepts), candidatesOf(limit)).map((position) => {
        return { key: rowKeys[position] ?? 0, score: planes.score(position) };
      });
      return near.sort((a, b) => b.score - a.score).slice(0, worthReading(limit));
    },
  };
}

/** The best rows of a scan, by score. Keeps up to twice as many before pruning. */
type Candidates = {
  /** Returns the score that later ones must exceed. */
  add(position: number, score: number): number;
  /** In insertion order. */
  list(): number[];
};

function createCandidates(limit: number): Candidates {
  const positions = new Uint32Array(limit * 2);
  const scores = new Float32Array(limit * 2);
  let size = 0;
  let threshold = Number.NEGATIVE_INFINITY;

  /** Keeps the best `limit`; of equal ones the first added. */
  function weed(): void {
    if (size <= limit) return;
    const sorted = scores.slice(0, size).sort();
    threshold = sorted[size - limit] ?? 0;
    let equals = limit - (size - (sorted.lastIndexOf(threshold) + 1));
    let kept = 0;
    for (let index = 0; index < size; index += 1) {
      const score = scores[index] ?? 0;
      if (score < threshold || (score === threshold && equals-- <= 0)) continue;
      scores[kept] = score;
      positions[kept] = positions[index] ?? 0;
      kept += 1;
    }
    size = kept;
  }

  return {
    add(position, score) {
      if (size === scores.length) weed();
      scores[size] = score;
      positions[size] = position;
      size += 1;
      return threshold;
    },
    list() {
      weed();
      return [...positions.subarray(0, size)];
    },
  };
}
