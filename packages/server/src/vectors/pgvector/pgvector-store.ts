import { defineVectorStore, type VectorStore, type VectorStoreServices } from "@weft/providers/vector-stores";
import { WeftError } from "@weft/schema";
import type { PoolConfig } from "pg";
import { openPgvectorCollection } from "./pgvector-collection.ts";
import { createPgvectorPools, type PgvectorPools } from "./pgvector-pools.ts";
import { type PgvectorConfig, pgvectorTraits } from "./pgvector-traits.ts";

export type PgvectorStoreDeps = {
  /** The platform's own database; empty when it is no PostgreSQL. */
  databaseUrl: string;
  /** Whether the operator allows connections to this host. */
  permitsHost(hostname: string, port: number): boolean;
  /** The password behind a stand-in. Throws when it must not be sent to this `host:port`. */
  reveal(text: string, host: string): string;
  /** Connections to one database. Default 4. */
  maxConnections?: number;
};

export type PgvectorStore = { definition: VectorStore<typeof pgvectorTraits.config>; close(): Promise<void> };

/** Vectors in a PostgreSQL that has pgvector, each collection in a table of its own. */
export function createPgvectorStore(deps: PgvectorStoreDeps): PgvectorStore {
  const pools: PgvectorPools = createPgvectorPools(deps.maxConnections ?? 4);
  return {
    definition: defineVectorStore({
      ...pgvectorTraits,
      async open(config, name, services) {
        const pool = pools.get(await toPoolConfig(config, deps, services));
        return openPgvectorCollection(name, pool);
      },
    }),
    close: pools.close,
  };
}

async function toPoolConfig(
  { host = "", port, database, ssl, credential = "" }: PgvectorConfig,
  { databaseUrl, permitsHost, reveal }: PgvectorStoreDeps,
  { readCredential }: VectorStoreServices,
): Promise<PoolConfig> {
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
  return { host, port, user, password, database: database ?? user, ssl: ssl ? { rejectUnauthorized: true } : false };
}

function notConfigured(reason: string): WeftError {
  return new WeftError("vector-store-not-configured", { params: { store: "pgvector", reason } });
}
