export { createForeignPool, type ForeignPool, type PostgresPlace } from "./foreign-pool.ts";
export { createSqlClient } from "./sql-client.ts";
