export { createSqlClient } from "./sql-client.ts";
