import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { connectPostgres, fromPostgresText, toPostgresText } from "@weft/database/postgres";
import { WeftError } from "@weft/schema";
import { Kysely, PostgresDialect, type PostgresPool, sql } from "kysely";
import { LRUCache } from "lru-cache";

/** A database with pgvector. */
export type PgvectorPool = {
  /** Creates the schema, once. Rejects with `vector-store-not-configured` if there is no pgvector. */
  ready(): Promise<PgvectorConnection>;
  /** Continues `work` after its request. Its errors are ignored, and closing the pool cancels it. */
  goOn(work: (connection: PgvectorConnection, onStart: (processId: number) => void) => Promise<unknown>): void;
};

/** `version`: of pgvector, see `toVersionNumber`. */
export type PgvectorConnection = { db: Kysely<PgvectorSchema>; version: number };

/** The platform's own database, or a store's, with the actual secrets. */
export type PgvectorPlace =
  | { connectionString: string }
  | { host: string; port: number; user: string; password: string; database: string; tls: boolean };

/** Connects to a third-party database, whose responses are parsed in another process. */
export type OpenForeign = (
  place: Exclude<PgvectorPlace, { connectionString: string }>,
  maxConnections: number,
) => ForeignPool;

/** Kysely's pool interface, without cursors. */
export type ForeignPool = {
  connect(): Promise<{
    query(text: string, values: readonly unknown[]): Promise<{ command: string; rowCount: number; rows: object[] }>;
    release(): void;
  }>;
  end(): Promise<void>;
};

/** Database connections, kept while the process runs; the least recently used is evicted first. */
export type PgvectorPools = {
  /** Does not connect yet. */
  get(place: PgvectorPlace): PgvectorPool;
  close(): Promise<void>;
};

const maxPools = 8;

export function createPgvectorPools(openForeign: OpenForeign, maxConnections: number): PgvectorPools {
  const pools = new LRUCache<string, PgvectorPool & { close(): Promise<void> }>({
    max: maxPools,
    // It ends once its queries have.
    dispose: ({ close }, _key, reason) => void (reason === "evict" && close()),
  });
  return {
    get(place) {
      const key = hash("sha256", JSON.stringify(place));
      const known = pools.get(key);
      if (known !== undefined) return known;
      const pool = createPool(place, openForeign, maxConnections);
      pools.set(key, pool);
      return pool;
    },
    async close() {
      for (const { close } of pools.values()) await close();
      pools.clear();
    },
  };
}

function createPool(
  place: PgvectorPlace,
  openForeign: OpenForeign,
  maxConnections: number,
): PgvectorPool & { close(): Promise<void> } {
  const isOwn = "connectionString" in place;
  const db = isOwn
    ? connectPostgres<PgvectorSchema>({ ...place, max: maxConnections })
    : new Kysely<PgvectorSchema>({
        dialect: new PostgresDialect({ pool: toPool(openForeign(place, maxConnections)) }),
      });
  const going = new Map<Promise<unknown>, number | undefined>();
  let prepared: Promise<PgvectorConnection> | undefined;

  function ready(): Promise<PgvectorConnection> {
    prepared ??= prepare(db).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  }

  return {
    ready,
    goOn(work) {
      const own: Promise<unknown> = ready()
        .then((connection) => work(connection, (processId) => going.set(own, processId)))
        .catch(() => {})
        .finally(() => going.delete(own));
      going.set(own, undefined);
    },
    async close() {
      const processes = [...going.values()].filter((processId) => processId !== undefined);
      // With a single connection there is none to cancel from.
      const cancelled =
        processes.length > 0 && maxConnections !== 1
          ? sql`select pg_cancel_backend(pid) from unnest(${processes}::int[]) as pid`.execute(db).catch(() => {})
          : undefined;
      const settled = Promise.resolve(cancelled).then(() => Promise.all(going.keys()));
      // A third-party database may never respond; its connections are closed regardless.
      await (isOwn ? settled : Promise.race([settled, pause(closeMs, undefined, { ref: false })]));
      await db.destroy();
    },
  };
}

/** Time for a third-party database to finish. */
const closeMs = 2_000;

/** Allows any text, as in the platform's own database. */
function toPool(foreign: ForeignPool): PostgresPool {
  const connect = async () => {
    const session = await foreign.connect();
    const query = async (text: string, values: readonly unknown[] = []) => {
      const result = await session.query(text, values.map(toStored));
      return { ...result, rows: result.rows.map(fromStored) };
    };
    return { query, release: session.release };
  };
  return { connect, end: foreign.end } as unknown as PostgresPool;
}

function toStored(value: unknown): unknown {
  if (typeof value === "string") return toPostgresText(value);
  return Array.isArray(value) ? value.map(toStored) : value;
}

function fromStored(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? fromPostgresText(value) : value]),
  );
}

async function prepare(db: Kysely<PgvectorSchema>): Promise<PgvectorConnection> {
  try {
    const version = (await findVersion(db)) ?? (await createExtension(db));
    await db.transaction().execute(async (tx) => {
      // "if not exists" alone fails if two processes start at once.
      await sql`select pg_advisory_xact_lock(hashtext('weft_vector_collections'))`.execute(tx);
      await sql`create table if not exists weft_vector_collections (
        collection_key bigint generated always as identity primary key,
        collection text collate "C" not null unique,
        embedder_id text not null,
        dimension bigint not null)`.execute(tx);
    });
    return { db, version };
  } catch (error) {
    throw toPgvectorError(error);
  }
}

async function findVersion(db: Kysely<PgvectorSchema>): Promise<number | undefined> {
  const { rows } = await sql<{ version: string }>`
    select extversion as version from pg_extension where extname = 'vector'`.execute(db);
  return rows[0] && toVersionNumber(rows[0].version);
}

async function createExtension(db: Kysely<PgvectorSchema>): Promise<number> {
  try {
    await sql`create extension if not exists vector`.execute(db);
    return (await findVersion(db)) ?? 0;
  } catch (cause) {
    const reason = "its database has no pgvector. Install pgvector on the server, and run: create extension vector.";
    throw new WeftError("vector-store-not-configured", { params: { store: "pgvector", reason }, cause });
  }
}

/** `0.8.1` as 8001. */
export function toVersionNumber(text: string): number {
  const [major = 0, minor = 0, patch = 0] = text.split(".").map(Number);
  return major * 1_000_000 + minor * 1_000 + patch;
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

/** Converts a database error to a failure of the store. Classes 08, 40, 53 and 57 of SQLSTATE are temporary. */
export function toPgvectorError(error: unknown): unknown {
  if (error instanceof WeftError && /^egress-(failed|timeout)$/.test(error.code)) {
    return new WeftError("vector-store-failed", {
      params: { store: "pgvector", reason: error.message },
      retryable: true,
      cause: error,
    });
  }
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
