import { hash } from "node:crypto";
import { connectPostgres } from "@weft/database/postgres";
import { WeftError } from "@weft/schema";
import { type Kysely, sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { PoolConfig } from "pg";

/** A database with pgvector. */
export type PgvectorPool = {
  /** Makes what is needed there, once. Rejects with `vector-store-not-configured` where there is no pgvector. */
  ready(): Promise<Kysely<PgvectorSchema>>;
};

/** Databases that are connected to, kept while the process runs; the one used longest ago is left first. */
export type PgvectorPools = {
  /** Connects to nothing yet. */
  get(config: PoolConfig): PgvectorPool;
  close(): Promise<void>;
};

const maxPools = 8;

export function createPgvectorPools(maxConnections: number): PgvectorPools {
  const pools = new LRUCache<string, PgvectorPool & { db: Kysely<PgvectorSchema> }>({
    max: maxPools,
    // It ends when its queries have.
    dispose: ({ db }, _key, reason) => void (reason === "evict" && db.destroy()),
  });
  return {
    get(config) {
      const key = hash("sha256", JSON.stringify(config));
      const known = pools.get(key);
      if (known !== undefined) return known;
      const pool = createPool({ ...config, max: maxConnections });
      pools.set(key, pool);
      return pool;
    },
    async close() {
      for (const { db } of pools.values()) await db.destroy();
      pools.clear();
    },
  };
}

function createPool(config: PoolConfig): PgvectorPool & { db: Kysely<PgvectorSchema> } {
  const db = connectPostgres<PgvectorSchema>(config);
  let prepared: Promise<void> | undefined;
  return {
    db,
    async ready() {
      prepared ??= prepare(db).catch((error: unknown) => {
        prepared = undefined;
        throw error;
      });
      await prepared;
      return db;
    },
  };
}

async function prepare(db: Kysely<PgvectorSchema>): Promise<void> {
  try {
    const { rows } = await sql`select 1 from pg_extension where extname = 'vector'`.execute(db);
    if (rows.length === 0) await createExtension(db);
    await db.transaction().execute(async (tx) => {
      // "if not exists" alone fails when two processes start at once.
      await sql`select pg_advisory_xact_lock(hashtext('weft_vector_collections'))`.execute(tx);
      await sql`create table if not exists weft_vector_collections (
        collection_key bigint generated always as identity primary key,
        collection text collate "C" not null unique,
        embedder_id text not null,
        dimension bigint not null)`.execute(tx);
    });
  } catch (error) {
    throw toPgvectorError(error);
  }
}

async function createExtension(db: Kysely<PgvectorSchema>): Promise<void> {
  try {
    await sql`create extension if not exists vector`.execute(db);
  } catch (cause) {
    const reason = "its database has no pgvector. Install pgvector on the server, and run: create extension vector.";
    throw new WeftError("vector-store-not-configured", { params: { store: "pgvector", reason }, cause });
  }
}

/** One collection. Its vectors are in the table `weft_vectors_<collection_key>`. */
export type PgvectorSchema = {
  weft_vector_collections: {
    collection_key: number;
    collection: string;
    embedder_id: string;
    dimension: number;
  };
};

export type PgvectorCollectionRow = PgvectorSchema["weft_vector_collections"];

/** What went wrong at the database, as a failure of the store. Classes 08, 40, 53 and 57 of SQLSTATE pass by waiting. */
export function toPgvectorError(error: unknown): unknown {
  if (error instanceof WeftError || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const isNetwork = /^E[A-Z]{3,}$/.test(code) || /connection|timeout/i.test(error.message);
  if (code === "" && !isNetwork) return error;
  if (code.startsWith("28")) {
    const reason = "the database refuses the user or the password. Correct the credential.";
    return new WeftError("vector-store-not-configured", { params: { store: "pgvector", reason }, cause: error });
  }
  const words = error.message.split("\n")[0]?.slice(0, 300).replace(/\.$/, "") || code;
  return new WeftError("vector-store-failed", {
    params: { store: "pgvector", reason: `the database answers: ${words}.` },
    retryable: isNetwork || /^(08|40|53|57)/.test(code),
    cause: error,
  });
}
