import { workerData } from "node:worker_threads";
import { type DatabaseReader, openReader, type Tables } from "@weft/database";
import type { CollectionName, VectorMatch } from "@weft/engine/ports/vector-store";
import { type Json, type JsonObject, WeftError } from "@weft/schema";
import { serveWorker } from "@weft/workers";
import type { Kysely } from "kysely";
import { enoughBesideNear, searchByTerms } from "../keywords/search-by-terms.ts";
import { assertSameEmbedder } from "../port/define-vector-store.ts";
import { candidatesOf, fuseMatches, toQueryTerms } from "../port/fuse-matches.ts";
import { isFilterable, type SearchFilter, toSearchFilter } from "../port/search-filter.ts";
import { keywordIndexes } from "./keyword-indexes.ts";
import { createVectorMatrix, normalise, type RowFacts, rowOverheadBytes, type VectorMatrix } from "./vector-matrix.ts";
import {
  countRecords,
  findCollection,
  type SearchAnswer,
  type SearchRequest,
  type SearchWorkerData,
  type StoredCollection,
} from "./vector-record.store.ts";

type CollectionSearcher = (request: SearchRequest, options: { signal: AbortSignal }) => Promise<SearchAnswer>;

/** Searches the embedded collections of one database. What was committed before a search began is found by it. */
function createCollectionSearcher(reader: DatabaseReader, memoryBytes: number): CollectionSearcher {
  const copies = createCopyCache(reader.read, memoryBytes);
  return async (request, { signal }) => {
    const stored = await findCollection(reader.read, request.name.collection);
    if (stored === undefined) return [];
    assertSameEmbedder(stored, request.name);
    return findMatches({ reader, copies, stored }, request, signal);
  };
}

type Source = { reader: DatabaseReader; copies: CopyCache; stored: StoredCollection };
type Hits = { key: number; score: number }[];

async function findMatches(source: Source, request: SearchRequest, signal: AbortSignal): Promise<VectorMatch[]> {
  const { mode, topK } = request;
  const filter = toSearchFilter(request.filter);
  if (filter.isImpossible) return [];
  const read = async (found: Promise<Hits>) => readMatches(source.reader, await found, filter);
  if (mode === "vector") return read(findNear(source, request, { filter, limit: topK, signal }));
  if (mode === "keyword") return read(findByTerms(source, request, { filter, limit: topK, signal }));
  const limit = candidatesOf(topK);
  const [near, byTerms] = await Promise.all([
    read(findNear(source, request, { filter, limit, signal })),
    read(findByTerms(source, request, { filter, limit, enough: enoughBesideNear, signal })),
  ]);
  return fuseMatches({ near, byTerms }, request);
}

type Scan = { filter: SearchFilter; limit: number; signal: AbortSignal };

async function findNear(
  { copies, stored }: Source,
  { name, vector, filter: asked }: SearchRequest,
  { filter, limit, signal }: Scan,
): Promise<Hits> {
  const { matrix } = await copies.open(stored, name);
  signal.throwIfAborted();
  const direction = Float32Array.from(vector);
  normalise(direction);
  return matrix.search({ vector: direction, limit, accepts: asked && filter.matches });
}

/** What the index cannot tell of a filter, the copy in memory can. */
async function findByTerms(
  { reader, copies, stored }: Source,
  { name, text }: SearchRequest,
  { filter, signal, ...some }: Scan & { enough?: number },
): Promise<Hits> {
  const { keyGroups, isExact } = filter;
  const only = isExact ? undefined : (await copies.open(stored, name)).matrix.keysOf(filter.matches);
  signal.throwIfAborted();
  const { collectionKey } = stored;
  const rows = keywordIndexes[reader.dialect].within(reader.read, { collectionKey, keyGroups, only });
  return searchByTerms(rows, { terms: toQueryTerms(text), ...some });
}

/** The records of the hits, in their order, without those that went or were changed meanwhile. */
async function readMatches({ read }: DatabaseReader, hits: Hits, filter: SearchFilter): Promise<VectorMatch[]> {
  if (hits.length === 0) return [];
  const rows = await read
    .selectFrom("vectorRecords")
    .select(["rowKey", "id", "text", "metadata"])
    .where(
      "rowKey",
      "in",
      hits.map(({ key }) => key),
    )
    .execute();
  const byKey = new Map(rows.map((row) => [row.rowKey, row]));
  return hits.flatMap(({ key, score }) => {
    const row = byKey.get(key);
    if (row === undefined) return [];
    const metadata = JSON.parse(row.metadata) as JsonObject;
    return filter.matches(metadata) ? [{ id: row.id, text: row.text, metadata, score }] : [];
  });
}

/** Collections in memory, within a limit: those used longest ago are forgotten when others need the room. */
type CopyCache = {
  /** An up-to-date copy. Rejects with `vector-store-failed` when the collection alone is larger than the limit. */
  open(stored: StoredCollection, name: CollectionName): Promise<CollectionCopy>;
};

function createCopyCache(read: Kysely<Tables>, memoryBytes: number): CopyCache {
  const copies = new Map<number, CollectionCopy>();

  /** Counted before anything is read: a copy that does not fit would end the process. */
  async function makeRoom(stored: StoredCollection, name: CollectionName): Promise<void> {
    const needed = (await countRecords(read, stored)) * (stored.dimension * 4 + rowOverheadBytes);
    if (needed > memoryBytes) throw tooLarge(name, memoryBytes);
    let others = 0;
    for (const [key, copy] of [...copies].reverse()) {
      if (key === stored.collectionKey) continue;
      others += copy.bytes();
      if (others + needed > memoryBytes) copies.delete(key);
    }
  }

  return {
    async open(stored, name) {
      const key = stored.collectionKey;
      const known = copies.get(key);
      if (known === undefined || known.seen() < stored.changes) await makeRoom(stored, name);
      const copy = copies.get(key) ?? createCollectionCopy(read, stored);
      copies.delete(key);
      copies.set(key, copy);
      await copy.follow(stored);
      return copy;
    },
  };
}

function tooLarge({ collection }: CollectionName, memoryBytes: number): WeftError {
  const megabytes = Math.floor(memoryBytes / 1024 / 1024);
  const reason = `${collection} has more vectors than are kept in memory (${megabytes} MB). Use pgvector or Qdrant for it.`;
  return new WeftError("vector-store-failed", { params: { store: "embedded", reason } });
}

/** The vectors of one collection in memory, brought up to date from the database when asked. */
type CollectionCopy = {
  readonly matrix: VectorMatrix;
  bytes(): number;
  /** The number of the last change that is in it. */
  seen(): number;
  /** Resolves when the copy has at least the changes that the row of the collection speaks of, whoever made them. */
  follow(stored: StoredCollection): Promise<void>;
};

/** What is read at a time. */
const pageBytes = 1024 * 1024;

function createCollectionCopy(read: Kysely<Tables>, { collectionKey, dimension }: StoredCollection): CollectionCopy {
  const matrix = createVectorMatrix(dimension);
  const facts = createFactsTable(() => matrix.size);
  const pageRows = Math.min(4_096, Math.max(64, Math.floor(pageBytes / (dimension * 4))));
  let seen = 0;
  let turn: Promise<void> = Promise.resolve();

  /** Rows that change while this reads come again with their new number: that is why the order is that of changes. */
  async function readChanges(): Promise<void> {
    let after = { change: seen, rowKey: Number.MAX_SAFE_INTEGER };
    for (;;) {
      const page = await readPage(read, { collectionKey, after, limit: pageRows });
      for (const { rowKey, vector, metadata } of page) {
        matrix.put({ rowKey, vector, facts: facts.of(metadata) });
      }
      const last = page.at(-1);
      if (last === undefined || page.length < pageRows) return;
      after = last;
    }
  }

  async function catchUp({ changes, lastRemoval }: StoredCollection): Promise<void> {
    if (changes <= seen) return;
    const isBehindRemoval = lastRemoval > seen && matrix.size > 0;
    await readChanges();
    if (isBehindRemoval) matrix.retain(await readRowKeys(read, collectionKey));
    seen = changes;
  }

  return {
    matrix,
    bytes: () => matrix.bytes() + facts.bytes(),
    seen: () => seen,
    follow(stored) {
      const own = turn.then(() => catchUp(stored));
      turn = own.catch(() => {});
      return own;
    },
  };
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

/** `rows`: how many rows there are. Facts that none of them has any more are forgotten after a while. */
function createFactsTable(rows: () => number): FactsTable {
  const known = new Map<string, RowFacts>();
  let characters = 0;
  return {
    of(metadata) {
      const facts = toFacts(JSON.parse(metadata) as JsonObject);
      const text = JSON.stringify(facts);
      const before = known.get(text);
      if (before !== undefined) return before;
      if (known.size > 2 * rows() + 1_000) {
        known.clear();
        characters = 0;
      }
      known.set(text, facts);
      characters += text.length;
      return facts;
    },
    bytes: () => characters * bytesOfCharacter,
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

async function readRowKeys(read: Kysely<Tables>, collectionKey: number): Promise<Set<number>> {
  const rows = await read
    .selectFrom("vectorRecords")
    .select("rowKey")
    .where("collectionKey", "=", collectionKey)
    .execute();
  return new Set(rows.map(({ rowKey }) => rowKey));
}

// Entry of the search worker: it reads, compares and ranks beside the event loop of the process.

const { memoryBytes, ...storage } = workerData as SearchWorkerData;
const search = createCollectionSearcher(await openReader(storage), memoryBytes);
serveWorker<SearchRequest, SearchAnswer>(search);
