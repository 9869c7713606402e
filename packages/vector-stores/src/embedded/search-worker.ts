import { workerData } from "node:worker_threads";
import { type DatabaseReader, openReader } from "@weft/database";
import type { VectorMatch } from "@weft/engine/ports/vector-store";
import type { JsonObject } from "@weft/schema";
import { serveWorker } from "@weft/workers";
import { enoughBesideNear, searchByTerms } from "../keywords/search-by-terms.ts";
import { assertSameEmbedder } from "../port/define-vector-store.ts";
import { candidatesOf, fuseMatches, toQueryTerms } from "../port/fuse-matches.ts";
import { type SearchFilter, toSearchFilter } from "../port/search-filter.ts";
import { type CollectionCopies, createCollectionCopies } from "./collection-copies.ts";
import { keywordIndexes } from "./keyword-indexes.ts";
import type { RowFilter } from "./matrix/filter-answers.ts";
import { normalise } from "./matrix/vector-planes.ts";
import {
  findCollection,
  type SearchAnswer,
  type SearchNote,
  type SearchRequest,
  type SearchWorkerData,
  type StoredCollection,
  toNumbers,
} from "./vector-record.store.ts";

type CollectionSearcher = (request: SearchRequest, options: { signal: AbortSignal }) => Promise<SearchAnswer>;

/** Searches the embedded collections of one database. Finds everything committed before the search began. */
function createCollectionSearcher(reader: DatabaseReader, copies: CollectionCopies): CollectionSearcher {
  return async (request, { signal }) => {
    const stored = await findCollection(reader.read, request.name.collection);
    if (stored === undefined) return [];
    assertSameEmbedder(stored, request.name);
    return findMatches({ reader, copies, stored }, request, signal);
  };
}

type Source = { reader: DatabaseReader; copies: CollectionCopies; stored: StoredCollection };
type Hits = { key: number; score: number }[];

async function findMatches(source: Source, request: SearchRequest, signal: AbortSignal): Promise<VectorMatch[]> {
  const { mode, topK } = request;
  const filter = toSearchFilter(request.filter);
  if (filter.isImpossible) return [];
  const near = (limit: number) => findNear(source, request, { filter, limit, signal });
  const byTerms = async (scan: Scan & { enough?: number }) =>
    readMatches(source.reader, await findByTerms(source, request, scan), filter);
  if (mode === "vector") return near(topK);
  if (mode === "keyword") return byTerms({ filter, limit: topK, signal });
  const limit = candidatesOf(topK);
  const both = [near(limit), byTerms({ filter, limit, enough: enoughBesideNear, signal })] as const;
  const [nearest, worded] = await Promise.all(both);
  return fuseMatches({ near: nearest, byTerms: worded }, request);
}

type Scan = { filter: SearchFilter; limit: number; signal: AbortSignal };

/** Compares the nearest in memory once more with their stored vectors. */
async function findNear(
  { reader, copies, stored }: Source,
  { name, vector, filter: asked }: SearchRequest,
  { filter, limit, signal }: Scan,
): Promise<VectorMatch[]> {
  const matrix = await copies.open(stored, name);
  signal.throwIfAborted();
  const direction = Float32Array.from(vector);
  normalise(direction);
  const hits = matrix.search({ vector: direction, limit, accepts: asked && toRowFilter(asked, filter) });
  const vectors = await readVectors(reader, hits);
  const compared = hits.flatMap(({ key }) => {
    const bytes = vectors.get(key);
    return bytes === undefined ? [] : [{ key, score: toCosine(direction, toNumbers(bytes)) }];
  });
  const nearest = compared.sort((a, b) => b.score - a.score).slice(0, limit);
  return readMatches(reader, nearest, filter);
}

function toRowFilter(asked: JsonObject, { matches }: SearchFilter): RowFilter {
  return { name: JSON.stringify(asked), accepts: matches };
}

async function readVectors({ read }: DatabaseReader, hits: Hits): Promise<Map<number, Uint8Array>> {
  if (hits.length === 0) return new Map();
  const keys = hits.map(({ key }) => key);
  const rows = await read
    .selectFrom("vectorRecords")
    .select(["rowKey", "vector"])
    .where("rowKey", "in", keys)
    .execute();
  return new Map(rows.map(({ rowKey, vector }) => [rowKey, vector]));
}

/** `direction` has length 1 or 0. */
function toCosine(direction: Float32Array, vector: Float32Array): number {
  normalise(vector);
  let product = 0;
  for (let at = 0; at < direction.length; at += 1) product += (direction[at] ?? 0) * (vector[at] ?? 0);
  return product;
}

/** The copy in memory evaluates those parts of a filter that the index cannot. */
async function findByTerms(
  { reader, copies, stored }: Source,
  { name, text, filter: asked = {} }: SearchRequest,
  { filter, signal, ...some }: Scan & { enough?: number },
): Promise<Hits> {
  const { keyGroups, isExact } = filter;
  const only = isExact ? undefined : (await copies.open(stored, name)).keysOf(toRowFilter(asked, filter));
  signal.throwIfAborted();
  const { collectionKey } = stored;
  const rows = keywordIndexes[reader.dialect].within(reader.read, { collectionKey, keyGroups, only });
  return searchByTerms(rows, { terms: toQueryTerms(text), ...some });
}

/** The records of the hits, in order, without those deleted or changed meanwhile. */
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
    const metadata: JsonObject = JSON.parse(row.metadata);
    return filter.matches(metadata) ? [{ id: row.id, text: row.text, metadata, score }] : [];
  });
}

// Entry of the search worker: it reads, compares and ranks off the process's event loop.

/** How long a search waits for vectors that are being read. */
const waitMs = 30_000;

const { memoryBytes, toldRows, ...storage }: SearchWorkerData = workerData;
const reader = await openReader(storage);
const copies = createCollectionCopies({
  read: reader.read,
  memoryBytes,
  waitMs,
  toldRows,
  tell: (loading) => served.tell({ loading }),
  show: (held) => served.tell({ held }),
});
const served = serveWorker<SearchRequest, SearchAnswer, SearchNote>(createCollectionSearcher(reader, copies));
