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
   * The vectors of a collection, up to date. Rejects with `vector-store-failed` when the collection alone is larger than
   * the limit, and when it takes longer than `waitMs` to read it, which goes on meanwhile.
   */
  open(stored: StoredCollection, name: CollectionName): Promise<VectorMatrix>;
};

export type CollectionCopiesOptions = {
  read: Kysely<Tables>;
  memoryBytes: number;
  waitMs: number;
  /** Called whenever so many rows were read at once, and when all are read of a collection that has so many. */
  tell(loading: VectorsLoading): void;
  toldRows: number;
  /** Called when collections come, grow or go: a few times a second at most while they are read, and once they are. */
  show(held: HeldVectors): void;
};

/** The least time between two reports of what is in memory, but for the last one. */
const shownEveryMs = 250;

/**
 * Collections in memory, within a limit. Invariants:
 * 1. A copy is read by one reader at a time, to whose end everybody waits; nobody's leaving ends it.
 * 2. Those used longest ago are forgotten when others need the room, but never one that is being read: others wait for it.
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

  /** Counted before anything is read: a copy that does not fit would end the process. */
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
      // It may fail when nobody waits any more.
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
  /** What it takes, or will when all is read. */
  bytes(): number;
  /** What it takes now. */
  heldBytes(): number;
  /** How many vectors there are to be read. */
  rows(): number;
  /** From 0 to 1: what is read of all that there is. */
  share(): number;
  /** The number of the last change that is in it. */
  seen(): number;
  /** Settles when what is being read is read. */
  reading(): Promise<void> | undefined;
  /**
   * Resolves when the copy has at least the changes that the row of the collection speaks of, whoever made them. `total`:
   * how many rows there are.
   */
  follow(stored: StoredCollection, total: number): Promise<void>;
};

/** What is read at a time. */
const pageBytes = 256 * 1024;
/** Of so many rows the mean says what all have in common. */
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

  /** Begins with what rows have in common, and again when those that said it were few and are lost among the others. */
  async function centre(): Promise<void> {
    if (centredRows >= tellingRows || rows <= centredRows * 16) return;
    const after = { change: 0, rowKey: Number.MAX_SAFE_INTEGER };
    const sample = await readPage(read, { collectionKey, after, limit: tellingRows });
    centredRows = sample.length;
    matrix = createVectorMatrix(dimension, toMean(sample, dimension));
    seen = 0;
  }

  /** Rows that change while this reads come again with their new number: that is why the order is that of changes. */
  async function readChanges(): Promise<void> {
    let after = { change: seen, rowKey: Number.MAX_SAFE_INTEGER };
    for (let count = 0; ; ) {
      const page = await readPage(read, { collectionKey, after, limit: pageRows });
      for (const { rowKey, vector, metadata } of page) {
        matrix.put({ rowKey, vector, facts: facts.of(metadata) });
      }
      const last = page.at(-1);
      if (last === undefined || page.length < pageRows) return;
      after = last;
      if (Math.floor((count + page.length) / toldRows) > Math.floor(count / toldRows)) {
        tell({ collection, done: matrix.size, total: rows });
      }
      count += page.length;
      onGrown(false);
      // Others want to search meanwhile.
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
    for (let at = 0; at < dimension; at += 1) sum[at] = (sum[at] as number) + (direction[at] as number);
  }
  return Float32Array.from(sum, (value) => value / Math.max(1, rows.length));
}

/** Makes one object of equal facts: passages of one document have most of their metadata in common. */
type FactsTable = {
  /** Of the JSON text of a row's metadata. */
  of(metadata: string): RowFacts;
  /** What they take in memory. An estimate. */
  bytes(): number;
};

/** Between texts in memory and what objects of them take. */
const bytesOfCharacter = 4;

/** Facts that are compared with new ones. Others that are equal to them are only a little more than are needed. */
const mostKnown = 10_000;

/** `rows`: how many rows there are. */
function createFactsTable(rows: () => number): FactsTable {
  const known = new Map<string, RowFacts>();
  let made = 0;
  let characters = 0;
  return {
    of(metadata) {
      const facts = toFacts(JSON.parse(metadata) as JsonObject);
      const text = JSON.stringify(facts);
      const before = known.get(text);
      if (before !== undefined) return before;
      if (known.size >= mostKnown) known.clear();
      known.set(text, facts);
      made += 1;
      characters += text.length;
      return facts;
    },
    // What rows no longer have counts for nothing.
    bytes: () => (made === 0 ? 0 : (characters / made) * Math.min(made, rows()) * bytesOfCharacter),
  };
}

/** What filters look at: of an object only that it is there. */
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

/** As one text: an object for each of many rows would take much longer. */
async function readRowKeys(read: Kysely<Tables>, collectionKey: number): Promise<number[]> {
  const { rows } = await sql<{ keys: string | null }>`
    select string_agg(cast("rowKey" as text), ',') as "keys" from "vectorRecords"
    where "collectionKey" = ${collectionKey}`.execute(read);
  const keys = rows[0]?.keys ?? "";
  return keys === "" ? [] : keys.split(",").map(Number);
}
