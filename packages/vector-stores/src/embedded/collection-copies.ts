import { setImmediate as nextTurn } from "node:timers/promises";
import type { Tables } from "@weft/database";
import type { CollectionName } from "@weft/engine/ports/vector-store";
import { type Json, type JsonObject, WeftError } from "@weft/schema";
import { type Kysely, sql } from "kysely";
import { isFilterable } from "../port/search-filter.ts";
import type { RowFacts } from "./matrix/filter-answers.ts";
import { createVectorMatrix, toMatrixBytes, type VectorMatrix } from "./matrix/vector-matrix.ts";
import { maxPlanesBytes, normalise } from "./matrix/vector-planes.ts";
import {
  countRecords,
  type HeldVectors,
  type StoredCollection,
  toNumbers,
  type VectorsLoading,
} from "./vector-record.store.ts";

export type CollectionCopies = {
  /**
   * The vectors of a collection, up to date. Rejects with `vector-store-failed` if the collection alone exceeds the
   * limit, and if reading it takes longer than `waitMs`; the reading continues.
   */
  open(stored: StoredCollection, name: CollectionName): Promise<VectorMatrix>;
};

export type CollectionCopiesOptions = {
  read: Kysely<Tables>;
  memoryBytes: number;
  waitMs: number;
  /** Called after every batch of this many rows, and once a collection of that size has been read. */
  tell(loading: VectorsLoading): void;
  toldRows: number;
  /**
   * Called when collections are added, grow or are removed: at most a few times a second while reading, and once at the
   * end.
   */
  show(held: HeldVectors): void;
};

/** Minimum time between two reports of memory use, except the last. */
const shownEveryMs = 250;

/**
 * Collections in memory, within a limit. Invariants:
 * 1. A copy is read by one reader at a time, for which everybody waits; no caller's cancellation ends it.
 * 2. The least recently used are evicted when others need the room, but never one that is being read: others wait for
 * it.
 */
export function createCollectionCopies(options: CollectionCopiesOptions): CollectionCopies {
  const { read, memoryBytes, waitMs } = options;
  const copies = new Map<number, CollectionCopy>();
  const limit = Math.min(memoryBytes, maxPlanesBytes);
  let shownAt = Number.NEGATIVE_INFINITY;

  function show(isLast: boolean): void {
    const now = performance.now();
    if (!isLast && now - shownAt < shownEveryMs) return;
    shownAt = now;
    options.show(toHeld([...copies.values()]));
  }

  /** Reserved before anything is read: a copy that does not fit would end the process. */
  async function makeRoom({ collectionKey: own }: StoredCollection, needed: number): Promise<void> {
    for (;;) {
      const others = [...copies].filter(([key]) => key !== own);
      let missing = needed - memoryBytes + others.reduce((sum, [, copy]) => sum + copy.bytes(), 0);
      for (const [key, copy] of others) {
        if (missing <= 0 || copy.reading() !== undefined) continue;
        missing -= copy.bytes();
        copies.delete(key);
      }
      if (missing <= 0) return;
      await Promise.race(others.map(([, copy]) => copy.reading()));
    }
  }

  async function bringUpToDate(stored: StoredCollection, name: CollectionName): Promise<VectorMatrix> {
    const key = stored.collectionKey;
    const isBehind = (copies.get(key)?.seen() ?? -1) < stored.changes;
    const total = isBehind ? await countRecords(read, stored) : 0;
    if (isBehind) {
      const needed = toMatrixBytes(total, stored.dimension);
      if (needed > limit) throw tooLarge(name, limit);
      await makeRoom(stored, needed);
    }
    const copy = copies.get(key) ?? createCollectionCopy(stored, { ...options, onGrown: show });
    copies.delete(key);
    copies.set(key, copy);
    await copy.follow(stored, total);
    return copy.matrix();
  }

  return {
    async open(stored, name) {
      const { promise: late, resolve } = Promise.withResolvers<undefined>();
      const timer = setTimeout(resolve, waitMs, undefined);
      const opened = bringUpToDate(stored, name).finally(() => clearTimeout(timer));
      // Avoids an unhandled rejection when nobody waits any more.
      opened.catch(() => {});
      const matrix = await Promise.race([opened, late]);
      if (matrix !== undefined) return matrix;
      throw stillLoading(name, copies.get(stored.collectionKey)?.share() ?? 0);
    },
  };
}

function toHeld(copies: readonly CollectionCopy[]): HeldVectors {
  const sum = (of: (copy: CollectionCopy) => number, some = copies) =>
    some.reduce((total, copy) => total + of(copy), 0);
  const growing = copies.filter((copy) => copy.reading() !== undefined && copy.matrix().size < copy.rows());
  const loading = { done: sum((copy) => copy.matrix().size, growing), total: sum((copy) => copy.rows(), growing) };
  return {
    bytes: sum((copy) => copy.heldBytes()),
    collections: copies.length,
    loading: growing.length === 0 ? null : loading,
  };
}

function tooLarge({ collection }: CollectionName, limit: number): WeftError {
  const megabytes = Math.floor(limit / 1024 / 1024);
  const reason = `${collection} has more vectors than may be kept in memory (${megabytes} MB). Raise VECTOR_MEMORY, or use pgvector or Qdrant for it.`;
  return new WeftError("vector-store-failed", { params: { store: "embedded", reason } });
}

function stillLoading({ collection }: CollectionName, share: number): WeftError {
  const reason = `the vectors of ${collection} are still being read into memory (${Math.floor(share * 100)} %). Try again in a moment.`;
  return new WeftError("vector-store-failed", { params: { store: "embedded", reason }, retryable: true });
}

/** The vectors of one collection in memory, brought up to date from the database when asked. */
type CollectionCopy = {
  matrix(): VectorMatrix;
  /** Its size in memory, including what is still to be read. */
  bytes(): number;
  /** Its current size in memory. */
  heldBytes(): number;
  /** Number of vectors to be read. */
  rows(): number;
  /** From 0 to 1: the share read so far. */
  share(): number;
  /** The number of the last change that it contains. */
  seen(): number;
  /** Settles when the current reading ends. */
  reading(): Promise<void> | undefined;
  /**
   * Resolves once the copy has at least the changes in the collection's row, from any process. `total`: number of rows.
   */
  follow(stored: StoredCollection, total: number): Promise<void>;
};

/** Size of a page that is read. */
const pageBytes = 256 * 1024;
/** With this many rows the mean shows what all have in common. */
const tellingRows = 512;

function createCollectionCopy(
  { collectionKey, collection, dimension }: StoredCollection,
  { read, tell, toldRows, onGrown }: CollectionCopiesOptions & { onGrown(isLast: boolean): void },
): CollectionCopy {
  const facts = createFactsTable(() => matrix.size);
  const pageRows = Math.min(4_096, Math.max(64, Math.floor(pageBytes / (dimension * 4))));
  let matrix = createVectorMatrix(dimension);
  /** Rows whose mean is the matrix's centre. */
  let centredRows = 0;
  let seen = 0;
  let rows = 0;
  let turn: Promise<void> = Promise.resolve();
  let reading: Promise<void> | undefined;

  /**
   * Sets the centre to what rows have in common, and again once the rows that determined it are few among the others.
   */
  async function centre(): Promise<void> {
    if (centredRows >= tellingRows || rows <= centredRows * 16) return;
    const after = { change: 0, rowKey: Number.MAX_SAFE_INTEGER };
    const sample = await readPage(read, { collectionKey, after, limit: tellingRows });
    centredRows = sample.length;
    matrix = createVectorMatrix(dimension, toMean(sample, dimension));
    seen = 0;
  }

  /** Rows that change during the reading are read again with their new number: hence the order by change. */
  async function readChanges(): Promise<void> {
    let after = { change: seen, rowKey: Number.MAX_SAFE_INTEGER };
    for (let count = 0; ; ) {
      const page = await readPage(read, { collectionKey, after, limit: pageRows });
      for (const { rowKey, vector, metadata } of page) matrix.put({ rowKey, vector, facts: facts.of(metadata) });
      const last = page.at(-1);
      if (last === undefined || page.length < pageRows) return;
      after = last;
      if (Math.floor((count + page.length) / toldRows) > Math.floor(count / toldRows)) {
        tell({ collection, done: matrix.size, total: rows });
      }
      count += page.length;
      onGrown(false);
      // Lets others search in between.
      await nextTurn();
    }
  }

  async function catchUp({ changes, lastRemoval }: StoredCollection): Promise<void> {
    if (changes <= seen) return;
    const before = matrix.size;
    await centre();
    const isBehindRemoval = lastRemoval > seen && matrix.size > 0;
    await readChanges();
    if (isBehindRemoval) matrix.retain(await readRowKeys(read, collectionKey));
    seen = changes;
    if (matrix.size - before >= toldRows) tell({ collection, done: matrix.size, total: matrix.size });
  }

  return {
    matrix: () => matrix,
    heldBytes: () => matrix.bytes() + facts.bytes(),
    rows: () => rows,
    bytes: () => Math.max(toMatrixBytes(rows, dimension), matrix.bytes()) + facts.bytes(),
    share: () => Math.min(1, matrix.size / Math.max(1, rows)),
    seen: () => seen,
    reading: () => reading,
    follow(stored, total) {
      if (stored.changes > seen) rows = total;
      const own = turn.then(() => catchUp(stored));
      const settled = own.catch(() => {});
      turn = settled;
      reading = settled;
      settled.then(() => {
        if (reading !== settled) return;
        reading = undefined;
        onGrown(true);
      });
      return own;
    },
  };
}

/** The mean of their directions. */
function toMean(rows: readonly { vector: Uint8Array }[], dimension: number): Float32Array {
  const sum = new Float64Array(dimension);
  for (const { vector } of rows) {
    const direction = toNumbers(vector);
    normalise(direction);
    for (let at = 0; at < dimension; at += 1) sum[at] = (sum[at] ?? 0) + (direction[at] ?? 0);
  }
  return Float32Array.from(sum, (value) => value / Math.max(1, rows.length));
}

/** Shares one object among equal facts: passages of one document have most of their metadata in common. */
type FactsTable = {
  /** Facts of the JSON text of a row's metadata. */
  of(metadata: string): RowFacts;
  /** Estimated size in memory. */
  bytes(): number;
};

/** Ratio of an object's size in memory to its text's. */
const bytesOfCharacter = 4;

/** Facts that new ones are compared with. Duplicates beyond these cost only a little memory. */
const mostKnown = 10_000;

/** `rows`: number of rows. */
function createFactsTable(rows: () => number): FactsTable {
  const known = new Map<string, RowFacts>();
  let made = 0;
  let characters = 0;
  return {
    of(metadata) {
      const facts = toFacts(JSON.parse(metadata));
      const text = JSON.stringify(facts);
      const before = known.get(text);
      if (before !== undefined) return before;
      if (known.size >= mostKnown) known.clear();
      known.set(text, facts);
      made += 1;
      characters += text.length;
      return facts;
    },
    // Facts that rows no longer use do not count.
    bytes: () => (made === 0 ? 0 : (characters / made) * Math.min(made, rows()) * bytesOfCharacter),
  };
}

/** The parts that filters read: of an object only that it exists. */
function toFacts(metadata: JsonObject): RowFacts {
  const facts = Object.entries(metadata).flatMap(([name, value]): [string, Json][] => {
    if (value === null) return [];
    if (Array.isArray(value)) return [[name, value.filter(isFilterable)]];
    return [[name, isFilterable(value) ? value : {}]];
  });
  return Object.fromEntries(facts);
}

type PageQuery = { collectionKey: number; after: { change: number; rowKey: number }; limit: number };

function readPage(read: Kysely<Tables>, { collectionKey, after, limit }: PageQuery) {
  return read
    .selectFrom("vectorRecords")
    .select(["rowKey", "change", "vector", "metadata"])
    .where("collectionKey", "=", collectionKey)
    .where((row) => row.eb(row.refTuple("change", "rowKey"), ">", row.tuple(after.change, after.rowKey)))
    .orderBy("change")
    .orderBy("rowKey")
    .limit(limit)
    .execute();
}

/** As one text: an object per row would take much longer. */
async function readRowKeys(read: Kysely<Tables>, collectionKey: number): Promise<number[]> {
  const { rows } = await sql<{ keys: string | null }>`
    select string_agg(cast("rowKey" as text), ',') as "keys" from "vectorRecords"
    where "collectionKey" = ${collectionKey}`.execute(read);
  const keys = rows[0]?.keys ?? "";
  return keys === "" ? [] : keys.split(",").map(Number);
}
