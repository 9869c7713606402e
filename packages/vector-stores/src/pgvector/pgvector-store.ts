import type {
  CollectionName,
  VectorCollection,
  VectorMatch,
  VectorRecord,
  VectorSearch,
} from "@weft/engine/ports/vector-store";
import { type JsonObject, WeftError } from "@weft/schema";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { rowsOfTable, toFilterQuery, toVectorText } from "../keywords/postgres-terms.ts";
import { enoughBesideNear, searchByTerms } from "../keywords/search-by-terms.ts";
import {
  assertSameEmbedder,
  assertVectorLengths,
  defineVectorStore,
  lastOfEachId,
  type VectorStore,
  type VectorStoreServices,
} from "../port/define-vector-store.ts";
import { candidatesOf, fuseMatches, toIndexedTerms, toQueryTerms } from "../port/fuse-matches.ts";
import { type SearchFilter, toFilterKeys, toSearchFilter } from "../port/search-filter.ts";
import { buildNearestIndex, findNearest, type IndexedCollection, isIndexed, tableOf } from "./nearest-index.ts";
import {
  createPgvectorPools,
  type OpenForeign,
  type PgvectorCollectionRow,
  type PgvectorPlace,
  type PgvectorPool,
  type PgvectorPools,
  type PgvectorSchema,
  toPgvectorError,
} from "./pgvector-pools.ts";

const config = z.strictObject({
  credential: z
    .string()
    .optional()
    .meta({
      title: "Credential",
      help: "User and password of the database.",
      widget: "credential",
      ref: "credential",
      goesTo: [{ host: "host", port: "port", usual: 5432 }],
    }),
  host: z.string().max(255).optional().meta({
    title: "Host",
    ref: "address",
    help: "Empty: the platform's own PostgreSQL. Any other host and port must be in EGRESS_ALLOW.",
    placeholder: "db.example.com",
  }),
  port: z.coerce.number().int().min(1).max(65_535).default(5432).meta({ title: "Port" }),
  database: z.string().max(63).optional().meta({ title: "Database" }),
  ssl: z.boolean().default(false).meta({ title: "TLS", help: "Connect with TLS and check the certificate." }),
});
type PgvectorConfig = z.infer<typeof config>;

/** Traits for the catalogue. */
export const pgvectorTraits = {
  name: "pgvector",
  title: "PostgreSQL with pgvector",
  summary: "A PostgreSQL database that has the pgvector extension: the platform's own, or another.",
  credentialFields: [
    { name: "user", title: "User", secret: false, required: true },
    { name: "password", title: "Password", secret: true, required: true },
  ],
  config,
  aliases: { names: ["postgres"], config: {} },
} as const satisfies Omit<VectorStore<typeof config>, "open">;

export type PgvectorStoreOptions = {
  /** The platform's own database; empty if it is not PostgreSQL. */
  databaseUrl: string;
  /** Whether the operator allows connections to this host: see `createAllowList`. */
  permitsHost(hostname: string, port: number): boolean;
  /** The password behind a placeholder. Throws when it must not be sent to this `host:port`. */
  reveal(text: string, host: string): string;
  /** Connects to databases other than the platform's own. */
  openForeign: OpenForeign;
  /** Connections per database. Default 4. */
  maxConnections?: number;
  /** Collections with this many records get an approximate index. Default 20,000: smaller ones are as fast without. */
  indexedRows?: number;
};

type PgvectorStore = { definition: VectorStore<typeof pgvectorTraits.config>; close(): Promise<void> };

/** Vectors in a PostgreSQL that has pgvector, each collection in a table of its own. */
export function createPgvectorStore(options: PgvectorStoreOptions): PgvectorStore {
  const pools: PgvectorPools = createPgvectorPools(options.openForeign, options.maxConnections ?? 4);
  return {
    definition: defineVectorStore({
      ...pgvectorTraits,
      async open(config, name, services) {
        const pool = pools.get(await toPlace(config, options, services));
        return openPgvectorCollection(name, pool, options.indexedRows ?? 20_000);
      },
    }),
    close: pools.close,
  };
}

async function toPlace(
  { host = "", port, database, ssl, credential = "" }: PgvectorConfig,
  { databaseUrl, permitsHost, reveal }: PgvectorStoreOptions,
  { readCredential }: VectorStoreServices,
): Promise<PgvectorPlace> {
  if (host === "") {
    if (databaseUrl !== "") return { connectionString: databaseUrl };
    throw notConfigured("the platform's own database is no PostgreSQL. Name a host, or use the embedded store.");
  }
  if (!permitsHost(host, port)) {
    throw notConfigured(`${host}:${port} must not be connected to. The operator can permit it with EGRESS_ALLOW.`);
  }
  if (credential === "") throw notConfigured("it needs a credential with user and password. Choose one.");
  const { user, password: lent } = (await readCredential(credential)) ?? {};
  if (user === undefined || lent === undefined) {
    throw notConfigured("its credential has no user and password. Enter them, or choose another.");
  }
  const password = reveal(lent, `${host}:${port}`);
  return { host, port, user, password, database: database ?? user, tls: ssl };
}

function notConfigured(reason: string): WeftError {
  return new WeftError("vector-store-not-configured", { params: { store: "pgvector", reason } });
}

type Db = Kysely<PgvectorSchema>;
type Hits = { key: string; score: number }[];

/** Rows per statement. */
const writeBatch = 100;

/** A collection in its own table, created by the first upsert. A large one gets an approximate index. */
function openPgvectorCollection(name: CollectionName, pool: PgvectorPool, indexedRows: number): VectorCollection {
  /** Translates rejections of `fn`; an abort rejects at once, while the statement ends on its own. */
  async function run<T>(signal: AbortSignal, fn: (db: Db, version: number) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const { promise, reject } = Promise.withResolvers<never>();
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([pool.ready().then(({ db, version }) => fn(db, version)), promise]);
    } catch (error) {
      throw signal.aborted ? signal.reason : toPgvectorError(error);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  return {
    async upsert(records, { signal }) {
      assertVectorLengths(
        name,
        records.map(({ vector }) => vector),
      );
      const unique = lastOfEachId(records);
      signal.throwIfAborted();
      if (unique.length === 0) return;
      const stored = await run(signal, async (db) => {
        const found = (await findCollection(db, name)) ?? (await createCollection(db, name));
        assertSameEmbedder(toTraits(found), name);
        return found;
      });
      for (let start = 0; start < unique.length; start += writeBatch) {
        await run(signal, (db) => putRecords(db, tableOf(stored), unique.slice(start, start + writeBatch)));
      }
      if (stored.is_indexed) return;
      pool.goOn(({ db, version }, onStart) => {
        return buildNearestIndex(db, stored, { leastRows: indexedRows, version, onStart });
      });
    },

    delete: (ids, { signal }) =>
      run(signal, async (db) => {
        const stored = await findCollection(db, name);
        if (stored !== undefined) await sql`delete from ${tableOf(stored)} where id = any(${ids}::text[])`.execute(db);
      }),

    search: (search) =>
      run(search.signal, async (db, version) => {
        assertVectorLengths(name, [search.vector]);
        const stored = await findCollection(db, name);
        if (stored === undefined) return [];
        assertSameEmbedder(toTraits(stored), name);
        return findMatches({ db, stored, version }, search);
      }),

    count: ({ signal }) =>
      run(signal, async (db) => {
        const stored = await findCollection(db, name);
        if (stored === undefined) return 0;
        const { rows } = await sql<{ count: number }>`select count(*) as count from ${tableOf(stored)}`.execute(db);
        return rows[0]?.count ?? 0;
      }),

    drop: ({ signal }) =>
      run(signal, (db) =>
        db.transaction().execute(async (tx) => {
          const stored = await tx
            .deleteFrom("weft_vector_collections")
            .where("collection", "=", name.collection)
            .returningAll()
            .executeTakeFirst();
          if (stored !== undefined) await sql`drop table if exists ${tableOf(stored)}`.execute(tx);
        }),
      ),
  };
}

function findCollection(db: Db, { collection }: CollectionName): Promise<IndexedCollection | undefined> {
  return db
    .selectFrom("weft_vector_collections")
    .selectAll()
    .select(isIndexed.as("is_indexed"))
    .where("collection", "=", collection)
    .executeTakeFirst();
}

/** Creates row and table together; of concurrent processes one creates them, and the others find them. */
function createCollection(db: Db, name: CollectionName): Promise<IndexedCollection> {
  const { collection, embedderId, dimension } = name;
  return db.transaction().execute(async (tx) => {
    await sql`insert into weft_vector_collections (collection, embedder_id, dimension)
      values (${collection}, ${embedderId}, ${dimension}) on conflict (collection) do nothing`.execute(tx);
    const stored = await findCollection(tx, name);
    if (stored === undefined) throw new Error(`The collection ${collection} was dropped while it was made.`);
    const table = tableOf(stored);
    const key = stored.collection_key;
    await sql`create table if not exists ${table} (
      id text collate "C" primary key, text text not null, metadata text not null,
      embedding vector(${sql.lit(stored.dimension)}) not null, terms tsvector not null)`.execute(tx);
    const gin = sql.id(`weft_vectors_${key}_terms`);
    await sql`create index if not exists ${gin} on ${table} using gin (terms) with (gin_pending_list_limit = 256)`.execute(
      tx,
    );
    return stored;
  });
}

async function putRecords(db: Db, table: RawBuilder<unknown>, records: readonly VectorRecord[]): Promise<void> {
  const rows = records.map(({ id, text, metadata, vector }) => {
    const terms = toVectorText(toFilterKeys(metadata), toIndexedTerms(text));
    return sql`(${id}, ${text}, ${JSON.stringify(metadata)}, ${toVectorLiteral(vector)}::vector, ${terms}::tsvector)`;
  });
  await sql`insert into ${table} (id, text, metadata, embedding, terms) values ${sql.join(rows)}
    on conflict (id) do update set text = excluded.text, metadata = excluded.metadata,
      embedding = excluded.embedding, terms = excluded.terms`.execute(db);
}

type Source = { db: Db; stored: IndexedCollection; version: number };

/** The searched part of a table: rows with the filter's keys, restricted to `only` if keys do not decide everything. */
type Scope = Source & { filter: SearchFilter; only: readonly string[] | undefined };

async function findMatches(source: Source, search: VectorSearch): Promise<VectorMatch[]> {
  const { mode, topK } = search;
  const filter = toSearchFilter(search.filter);
  if (filter.isImpossible) return [];
  const scope = { ...source, filter, only: filter.isExact ? undefined : await findAllowed(source, filter) };
  const read = async (found: Promise<Hits>) => readMatches(scope, await found);
  if (mode === "vector") return read(findNear(scope, search, topK));
  if (mode === "keyword") return read(findByTerms(scope, search, { limit: topK }));
  const limit = candidatesOf(topK);
  const [near, byTerms] = await Promise.all([
    read(findNear(scope, search, limit)),
    read(findByTerms(scope, search, { limit, enough: enoughBesideNear })),
  ]);
  return fuseMatches({ near, byTerms }, search);
}

/**
 * The ids of the rows that a filter matches. Evaluated here rather than in SQL, so that a filter means the same in
 * every store, and because jsonb accepts neither NUL nor lone surrogates.
 */
async function findAllowed({ db, stored }: Source, filter: SearchFilter): Promise<string[]> {
  const { rows } = await sql<{ id: string; metadata: string }>`
    select id, metadata from ${tableOf(stored)} where true ${withKeys(filter)}`.execute(db);
  return rows.flatMap(({ id, metadata }) => (filter.matches(JSON.parse(metadata)) ? [id] : []));
}

function withKeys({ keyGroups }: SearchFilter): RawBuilder<unknown> {
  const query = toFilterQuery(keyGroups);
  return query === "" ? sql`` : sql`and terms @@ ${query}::tsquery`;
}

async function findNear(
  { db, filter, only, ...source }: Scope,
  { vector }: VectorSearch,
  limit: number,
): Promise<Hits> {
  const among = only === undefined ? sql`` : sql`and id = any(${only}::text[])`;
  const where = sql`${withKeys(filter)} ${among}`;
  const isFiltered = only !== undefined || filter.keyGroups.length > 0;
  const hits = await findNearest(db, source, { literal: toVectorLiteral(vector), where, isFiltered, limit });
  // The distance to a vector without a direction is NaN.
  return hits.map(({ key, score }) => ({ key, score: Number.isNaN(score) ? 0 : score }));
}

function findByTerms(
  { db, stored, filter: { keyGroups }, only }: Scope,
  { text }: VectorSearch,
  some: { limit: number; enough?: number },
): Promise<Hits> {
  const rows = rowsOfTable<string>(db, {
    table: tableOf(stored),
    key: sql`id`,
    keyGroups,
    only: only && sql`id = any(${only}::text[])`,
    toLexeme: (term) => term,
  });
  return searchByTerms(rows, { terms: toQueryTerms(text), ...some });
}

async function readMatches({ db, stored, filter }: Scope, hits: Hits): Promise<VectorMatch[]> {
  const ids = hits.map(({ key }) => key);
  const { rows } = await sql<{ id: string; text: string; metadata: string }>`
    select id, text, metadata from ${tableOf(stored)} where id = any(${ids}::text[])`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return hits.flatMap(({ key, score }) => {
    const row = byId.get(key);
    if (row === undefined) return [];
    const metadata: JsonObject = JSON.parse(row.metadata);
    return filter.matches(metadata) ? [{ id: key, text: row.text, metadata, score }] : [];
  });
}

function toTraits({ embedder_id, dimension }: PgvectorCollectionRow) {
  return { embedderId: embedder_id, dimension };
}

function toVectorLiteral(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}
