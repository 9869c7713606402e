import { createRowComparer, halfOfPair, numbersAtOnce } from "./compare-rows.ts";

/** Rows compared before their scores are examined. */
export const blockRows = 2_048;

/**
 * Vectors of eight-bit numbers in two planes of four bits: every search reads the upper halves of all rows, as much as
 * memory delivers within a few milliseconds, and the lower halves of promising rows. A row is the difference of a unit
 * vector from `centre`, in steps of its own scale, so that the common part of all vectors costs no precision.
 */
export type VectorPlanes = {
  /** Reserves room for this many rows. */
  reserve(rows: number): void;
  /** `direction` has length 1 or 0. */
  write(position: number, direction: Float32Array): void;
  move(from: number, to: number): void;
  /** WebAssembly memory never shrinks: the rows move to a new one when they need less than half of it. */
  shrink(rows: number): void;
  /** Of length 1 or 0. */
  setQuery(direction: Float32Array): void;
  /**
   * Estimates the cosine of one block's rows from their upper halves, up to a constant; overwritten by the next call.
   */
  estimate(start: number, end: number): Float32Array;
  /** The cosine by all eight bits. */
  score(position: number): number;
};

export function createVectorPlanes(dimension: number, centre: Float32Array): VectorPlanes {
  const layout = toLayout(dimension);
  const { width, rowBytes, scoresAt, bytesFor, scaleAt, upperAt, lowerAt } = layout;
  const memory = createMemory();
  const numbers = new Uint8Array(width);
  const query = new Float32Array(width);
  let querySum = 0;
  let queryStep = 0;
  let centreProduct = 0;

  return {
    reserve: (rows) => memory.reserve(bytesFor(rows)),

    write(position, direction) {
      memory.view().setFloat32(scaleAt(position), quantise(direction, centre, numbers), true);
      writeHalves(memory.bytes(), numbers, { upper: upperAt(position), lower: lowerAt(position) });
    },

    move(from, to) {
      const [bytes, view] = [memory.bytes(), memory.view()];
      view.setFloat32(scaleAt(to), view.getFloat32(scaleAt(from), true), true);
      bytes.copyWithin(upperAt(to), upperAt(from), upperAt(from) + rowBytes);
      bytes.copyWithin(lowerAt(to), lowerAt(from), lowerAt(from) + rowBytes);
    },

    shrink: (rows) => memory.shrink(bytesFor(rows)),

    setQuery(direction) {
      memory.reserve(bytesFor(0));
      query.set(direction);
      const largest = query.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      queryStep = largest / 127 || 1;
      querySum = query.reduce((sum, value) => sum + value, 0);
      centreProduct = centre.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
      new Int8Array(memory.bytes().buffer, 0, width).set(query.map((value) => Math.round(value / queryStep)));
    },

    estimate(start, end) {
      const upper = upperAt(start);
      const factor = 16 * queryStep;
      // The lower halves average 7.5.
      const offset = (7.5 - 128) * querySum;
      const { compare } = memory.comparer();
      compare(upper, upper + (end - start) * rowBytes, 0, rowBytes, scoresAt, scaleAt(start), factor, offset);
      return new Float32Array(memory.bytes().buffer, scoresAt, blockRows);
    },

    score(position) {
      const sum = multiplyHalves(memory.bytes(), query, { upper: upperAt(position), lower: lowerAt(position) });
      return centreProduct + (sum - 128 * querySum) * memory.view().getFloat32(scaleAt(position), true);
    },
  };
}

/**
 * Memory layout: the query and the scores of one block, then the blocks. A block has the scales of its rows, their
 * upper halves, and their lower halves.
 */
function toLayout(dimension: number) {
  const width = Math.ceil(dimension / numbersAtOnce) * numbersAtOnce;
  const rowBytes = width / 2;
  const scoresAt = width;
  const blocksAt = scoresAt + blockRows * 4;
  const blockBytes = blockRows * (4 + width);
  const blockOf = (position: number) => blocksAt + Math.floor(position / blockRows) * blockBytes;
  const upperAt = (position: number) => blockOf(position) + blockRows * 4 + (position % blockRows) * rowBytes;
  return {
    width,
    rowBytes,
    scoresAt,
    bytesFor: (rows: number) => blocksAt + Math.ceil(rows / blockRows) * blockBytes,
    scaleAt: (position: number) => blockOf(position) + (position % blockRows) * 4,
    upperAt,
    lowerAt: (position: number) => upperAt(position) + blockRows * rowBytes,
  };
}

const wasmPageBytes = 65_536;
/** Maximum of a memory with 32-bit addresses. */
const maxWasmPages = 65_536;
/** Maximum size of one collection's planes. */
export const maxPlanesBytes = (maxWasmPages - 1_024) * wasmPageBytes;
/** Minimum memory growth, and as a share. Untouched pages take none of the machine's memory. */
const growthPages = 16;
const growthShare = 1 / 8;

/** The memory of a comparer, which may be replaced by another one with the same content. */
function createMemory() {
  let comparer = createRowComparer();
  let bytes = new Uint8Array(comparer.memory.buffer);
  let view = new DataView(comparer.memory.buffer);

  /** Invalidates all earlier views of the memory. */
  function reserve(needed: number): void {
    const pages = bytes.length / wasmPageBytes;
    const missing = Math.ceil(needed / wasmPageBytes) - pages;
    if (missing <= 0) return;
    const wanted = Math.max(growthPages, Math.floor(pages * growthShare));
    comparer.memory.grow(Math.max(missing, Math.min(wanted, maxWasmPages - pages)));
    bytes = new Uint8Array(comparer.memory.buffer);
    view = new DataView(comparer.memory.buffer);
  }

  return {
    comparer: () => comparer,
    bytes: () => bytes,
    view: () => view,
    reserve,
    shrink(needed: number): void {
      if (bytes.length < 2 * (needed + growthPages * wasmPageBytes)) return;
      const kept = bytes.subarray(0, needed);
      comparer = createRowComparer();
      bytes = new Uint8Array(comparer.memory.buffer);
      view = new DataView(comparer.memory.buffer);
      reserve(needed);
      bytes.set(kept);
    },
  };
}

/** Fills `numbers` with 1 to 255, where 128 means zero, and returns the step size. */
function quantise(direction: Float32Array, centre: Float32Array, numbers: Uint8Array): number {
  let largest = 0;
  for (let at = 0; at < direction.length; at += 1) {
    const size = Math.abs((direction[at] ?? 0) - (centre[at] ?? 0));
    if (size > largest) largest = size;
  }
  const scale = largest / 127 || 1;
  const steps = 1 / scale;
  for (let at = 0; at < direction.length; at += 1) {
    // Truncation, which rounds positive numbers.
    numbers[at] = ((direction[at] ?? 0) - (centre[at] ?? 0)) * steps + 128.5;
  }
  return scale;
}

type HalvesAt = { upper: number; lower: number };

function writeHalves(bytes: Uint8Array, numbers: Uint8Array, { upper, lower }: HalvesAt): void {
  for (let first = 0, pair = 0; first < numbers.length; first += 2 * halfOfPair) {
    for (let at = first; at < first + halfOfPair; at += 1, pair += 1) {
      const [one, other] = [numbers[at] ?? 0, numbers[at + halfOfPair] ?? 0];
      bytes[upper + pair] = (one >> 4) | (other & 0xf0);
      bytes[lower + pair] = (one & 0x0f) | ((other & 0x0f) << 4);
    }
  }
}

function multiplyHalves(bytes: Uint8Array, query: Float32Array, { upper, lower }: HalvesAt): number {
  let sum = 0;
  for (let first = 0, pair = 0; first < query.length; first += 2 * halfOfPair) {
    for (let at = first; at < first + halfOfPair; at += 1, pair += 1) {
      const [high, low] = [bytes[upper + pair] ?? 0, bytes[lower + pair] ?? 0];
      sum += (query[at] ?? 0) * (((high & 0x0f) << 4) | (low & 0x0f));
      sum += (query[at + halfOfPair] ?? 0) * ((high & 0xf0) | (low >> 4));
    }
  }
  return sum;
}

/**
 * Normalises a vector to length 1. A vector without a direction (all zero, or not finite) becomes zero, and is near
 * nothing.
 */
export function normalise(vector: Float32Array): void {
  let sum = 0;
  for (let at = 0; at < vector.length; at += 1) sum += (vector[at] ?? 0) ** 2;
  const length = Math.sqrt(sum);
  if (length > 0 && Number.isFinite(length))
    for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) / length;
  else vector.fill(0);
}
