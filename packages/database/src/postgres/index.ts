/** A door of its own: what is loaded only where PostgreSQL is used. */
export { connectPostgres } from "./connect-postgres.ts";
export { createRetryingReader, openPostgresDatabase } from "./open-postgres-database.ts";
