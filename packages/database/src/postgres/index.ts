/** A door of its own: what is loaded only where PostgreSQL is used. */
export { connectPostgres, fromPostgresText, toPostgresText } from "./connect-postgres.ts";
export { createRetryingReader, openPostgresDatabase } from "./open-postgres-database.ts";
