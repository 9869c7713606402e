import { Kysely, PostgresDialect } from "kysely";
import { Pool, type PoolClient, type PoolConfig } from "pg";
import type { StorageLogger } from "../storage-logger.ts";
import { createCurrentSchemaIntrospector } from "./current-schema-introspector.ts";
import { toPostgresText } from "./nul-safe-text.ts";
import { resultTypes } from "./result-types.ts";

/** How long to wait for a connection: the server's answer, or another request's release. */
const connectTimeoutMs = 10_000;

/**
 * A pool of connections that hold any text and whole numbers exactly. Nothing is connected before the first query.
 * Throws when the address cannot be read. The caller destroys it.
 */
export function connectPostgres<Schema>(config: PoolConfig, logger?: StorageLogger): Kysely<Schema> {
  const pool = new Pool({
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: "weft",
    keepAlive: true,
    types: resultTypes,
    ...config,
  });
  // Without listeners a connection that breaks would end the process: the pool listens only to those that are idle. It
  // replaces a broken one by itself, and the query in it fails.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => reportLoss(client, logger));
  return new Kysely<Schema>({ dialect: new CurrentSchemaDialect(createDialectConfig(pool)) });
}

/** Once for a connection, which may fail in several ways as it ends. */
function reportLoss(client: PoolClient, logger: StorageLogger | undefined): void {
  client.once("error", (cause) => logger?.error("database-connection-lost", { cause }));
  client.on("error", () => undefined);
}

class CurrentSchemaDialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>) {
    return createCurrentSchemaIntrospector(db);
  }
}

function createDialectConfig(pool: Pool): ConstructorParameters<typeof PostgresDialect>[0] {
  return {
    pool,
    onCreateConnection: async (connection) => {
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = (query) => execute({ ...query, parameters: query.parameters.map(toPostgresParameter) });
    },
  };
}

function toPostgresParameter(value: unknown): unknown {
  return typeof value === "string" ? toPostgresText(value) : value;
}
