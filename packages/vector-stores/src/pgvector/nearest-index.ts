import { type Kysely, type RawBuilder, sql } from "kysely";
import { type PgvectorCollectionRow, type PgvectorSchema, toVersionNumber } from "./pgvector-pools.ts";

/** A collection, and whether its vector index can be used. */
export type IndexedCollection = PgvectorCollectionRow & { is_indexed: boolean };

type Db = Kysely<PgvectorSchema>;

/** The table of a collection. */
export function tableOf({ collection_key }: PgvectorCollectionRow): RawBuilder<unknown> {
  return sql.id(`weft_vectors_${collection_key}`);
}

/** For `IndexedCollection.is_indexed`. An index is invalid while it is being built, or if its building failed. */
export const isIndexed = sql<boolean>`exists (select 1 from pg_index where indisvalid
  and indexrelid = to_regclass('weft_vectors_' || collection_key || '_nearest'))`;

/**
 * Builds the approximate index (HNSW) of a collection that has at least `leastRows`, concurrently with reads and
 * writes. Resolves with whether it did: not if there is one, another process is building it, or pgvector has none for
 * such vectors.
 */
export async function buildNearestIndex(
  db: Db,
  stored: PgvectorCollectionRow,
  { leastRows, version, onStart }: { leastRows: number; version: number; onStart(processId: number): void },
): Promise<boolean> {
  const column = toIndexedColumn(stored, version);
  if (column === undefined) return false;
  const table = tableOf(stored);
  const { rows: some } = await sql`select 1 from ${table} offset ${leastRows - 1} limit 1`.execute(db);
  if (some.length === 0) return false;
  return db.connection().execute(async (own) => {
    const lock = sql`hashtext('weft_vectors'), ${stored.collection_key}::int`;
    const { rows } = await sql<{ locked: boolean; pid: number }>`
      select pg_try_advisory_lock(${lock}) as locked, pg_backend_pid() as pid`.execute(own);
    const [session] = rows;
    if (!session?.locked) return false;
    try {
      onStart(session.pid);
      const name = sql.id(`weft_vectors_${stored.collection_key}_nearest`);
      const { rows: valid } = await sql`select 1 from weft_vector_collections
        where collection_key = ${stored.collection_key} and ${isIndexed}`.execute(own);
      if (valid.length > 0) return false;
      // An interrupted build leaves an index that is never finished.
      await sql`drop index concurrently if exists ${name}`.execute(own);
      await sql`create index concurrently ${name} on ${table} using hnsw (${column.indexed} ${column.operators})`.execute(
        own,
      );
      return true;
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(own);
    }
  });
}

export type NearestQuery = {
  literal: string;
  /** Starts with `and`, or is empty. */
  where: RawBuilder<unknown>;
  isFiltered: boolean;
  limit: number;
};

export type NearestHit = { key: string; score: number };

/**
 * The nearest rows. The index returns somewhat more than wanted, which are then compared exactly. It is not used where
 * it would lose rows: for more than it scans, and with a filter in versions that scan only once. If it finds too few,
 * all rows are compared exactly.
 */
export async function findNearest(
  db: Db,
  { stored, version }: { stored: IndexedCollection; version: number },
  query: NearestQuery,
): Promise<NearestHit[]> {
  const column = toIndexedColumn(stored, version);
  const isAsked = query.limit <= mostFromIndex && (!query.isFiltered || version >= iterativeVersion);
  if (!stored.is_indexed || column === undefined) return findExactly(db, stored, query);
  return db.transaction().execute(async (tx) => {
    if (isAsked) {
      const found = await findByIndex(tx, { stored, version, column }, query);
      if (found.length >= query.limit) return found;
    }
    await sql`select set_config('enable_indexscan', 'off', true), set_config('enable_seqscan', 'on', true)`.execute(tx);
    return findExactly(tx, stored, query);
  });
}

async function findExactly(db: Db, stored: IndexedCollection, query: NearestQuery): Promise<NearestHit[]> {
  const { literal, where, limit } = query;
  const { rows } = await sql<NearestHit>`
    select id as key, 1 - (embedding <=> ${literal}::vector) as score from ${tableOf(stored)} where true ${where}
    order by embedding <=> ${literal}::vector limit ${limit}`.execute(db);
  return rows;
}

async function findByIndex(
  tx: Db,
  { stored, version, column }: { stored: IndexedCollection; version: number; column: IndexedColumn },
  { literal, where, limit }: NearestQuery,
): Promise<NearestHit[]> {
  const wanted = Math.ceil(limit * 1.2) + 10;
  const looks = Math.min(1_000, Math.max(leastLooks, 2 * wanted));
  // Without statistics, which a new table lacks, all rows would be read. An index on the filter's keys can still be
  // used.
  await sql`select set_config('enable_seqscan', 'off', true), set_config('hnsw.ef_search', ${String(looks)}, true)`.execute(
    tx,
  );
  if (version >= iterativeVersion) {
    await sql`select set_config('hnsw.iterative_scan', 'relaxed_order', true)`.execute(tx);
  }
  const { rows } = await sql<NearestHit>`
    with near as materialized (
      select id, embedding from ${tableOf(stored)} where true ${where}
      order by ${column.indexed} <=> ${column.toValue(literal)} limit ${wanted})
    select id as key, 1 - (embedding <=> ${literal}::vector) as score from near
    order by embedding <=> ${literal}::vector limit ${limit}`.execute(tx);
  return rows;
}

type IndexedColumn = {
  /** The indexed column, in parentheses if it is an expression. */
  indexed: RawBuilder<unknown>;
  operators: RawBuilder<unknown>;
  toValue(literal: string): RawBuilder<unknown>;
};

/** Indexes support 2,000 dimensions with 32-bit numbers, and since version 0.7, 4,000 with 16-bit ones. */
function toIndexedColumn({ dimension }: PgvectorCollectionRow, version: number): IndexedColumn | undefined {
  if (version < indexVersion) return undefined;
  if (dimension <= 2_000) {
    const toValue = (literal: string) => sql`${literal}::vector`;
    return { indexed: sql`embedding`, operators: sql`vector_cosine_ops`, toValue };
  }
  if (dimension > 4_000 || version < halfVersion) return undefined;
  const type = sql`halfvec(${sql.lit(dimension)})`;
  // 16-bit floats end at 65,504.
  const toValue = (literal: string) => sql`l2_normalize(${literal}::vector)::${type}`;
  return { indexed: sql`(l2_normalize(embedding)::${type})`, operators: sql`halfvec_cosine_ops`, toValue };
}

const indexVersion = toVersionNumber("0.5.0");
const halfVersion = toVersionNumber("0.7.0");
/** Since this version a search continues until the filter accepts enough rows. */
const iterativeVersion = toVersionNumber("0.8.0");

/** Minimum number of rows that the index scans per search. */
const leastLooks = 200;
/** Limit up to which the index avoids a full scan. */
const mostFromIndex = 400;
