import type { DatabaseReader } from "@weft/database";
import type { VectorMatch } from "@weft/engine";
import {
  assertSameEmbedder,
  candidatesOf,
  fuseMatches,
  matchesFilter,
  toFilterKeys,
  toQueryTerms,
} from "@weft/providers/vector-stores";
import type { JsonObject } from "@weft/schema";
import { enoughBesideNear, searchByTerms } from "../keywords/search-by-terms.ts";
import { toNumericFilterKeys } from "./collection-copy.ts";
import { type CopyCache, createCopyCache } from "./copy-cache.ts";
import { keywordIndexes } from "./keyword-indexes.ts";
import type { SearchAnswer, SearchRequest } from "./search-protocol.ts";
import { normalise } from "./vector-matrix.ts";
import { findCollection, type StoredCollection } from "./vector-record.store.ts";

export type CollectionSearcher = (request: SearchRequest, options: { signal: AbortSignal }) => Promise<SearchAnswer>;

/** Searches the embedded collections of one database. What was committed before a search began is found by it. */
export function createCollectionSearcher(reader: DatabaseReader, memoryBytes: number): CollectionSearcher {
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
  const { mode, topK, filter = {} } = request;
  const read = async (found: Promise<Hits>) => readMatches(source.reader, await found, filter);
  if (mode === "vector") return read(findNear(source, request, { limit: topK, signal }));
  if (mode === "keyword") return read(findByTerms(source, request, { limit: topK }));
  const limit = candidatesOf(topK);
  const [near, byTerms] = await Promise.all([
    read(findNear(source, request, { limit, signal })),
    read(findByTerms(source, request, { limit, enough: enoughBesideNear })),
  ]);
  return fuseMatches({ near, byTerms }, request);
}

async function findNear(
  { copies, stored }: Source,
  { name, vector, filter = {} }: SearchRequest,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<Hits> {
  const { matrix } = await copies.open(stored, name);
  signal.throwIfAborted();
  const direction = Float32Array.from(vector);
  normalise(direction);
  return matrix.search({ vector: direction, limit, filterKeys: toNumericFilterKeys(filter) });
}

function findByTerms(
  { reader, stored }: Source,
  { text, filter = {} }: SearchRequest,
  some: { limit: number; enough?: number },
): Promise<Hits> {
  const scope = { collectionKey: stored.collectionKey, filterKeys: toFilterKeys(filter) };
  const rows = keywordIndexes[reader.dialect].within(reader.read, scope);
  return searchByTerms(rows, { terms: toQueryTerms(text), ...some });
}

/** The records of the hits, in their order, without those that went meanwhile. */
async function readMatches({ read }: DatabaseReader, hits: Hits, filter: JsonObject): Promise<VectorMatch[]> {
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
    return matchesFilter(metadata, filter) ? [{ id: row.id, text: row.text, metadata, score }] : [];
  });
}
