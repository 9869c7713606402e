import { type DatabaseIntrospector, type Kysely, sql, type TableMetadata } from "kysely";

/**
 * Names the tables of the connection's own schema, which is all that migrations ask. Kysely's introspector reads
 * every schema of the database, which is slow on shared servers and fails when a table disappears meanwhile.
 */
export function createCurrentSchemaIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
  async function getTables(): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string }>`
      select tablename::text as name from pg_catalog.pg_tables where schemaname = current_schema()`.execute(db);
    return rows.map(({ name }) => ({ name, isView: false, isForeign: false, columns: [] }));
  }
  return { getTables, getSchemas: async () => [] };
}
