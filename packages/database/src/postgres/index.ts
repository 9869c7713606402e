/** An entry point of its own: loaded only if PostgreSQL is used. */
export { connectPostgres, fromPostgresText, toPostgresText } from "./connect-postgres.ts";
export { createRetryingReader, openPostgresDatabase } from "./open-postgres-database.ts";
