import type { SqlDatabase, SqlTable } from "@weft/engine/ports/sql-client";
import type { JsonObject } from "@weft/schema";

/** The columns that the user may read, in order: `table`, `column`, `type`, `nullable`, `key`. */
export const describeQueries: Readonly<Record<SqlDatabase["engine"], string>> = {
  postgres: `select case when n.nspname = current_schema() then c.relname else n.nspname || '.' || c.relname end as "table",
      a.attname as "column", pg_catalog.format_type(a.atttypid, a.atttypmod) as "type", not a.attnotnull as "nullable",
      exists (select 1 from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary
        and a.attnum = any (i.indkey)) as "key"
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^(pg_|information_schema$)'
      and pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_column_privilege(c.oid, a.attnum, 'select')
    order by n.nspname <> current_schema(), 1, a.attnum`,
  mysql: `select case when table_schema = database() then table_name else concat(table_schema, '.', table_name) end as \`table\`,
      column_name as \`column\`, column_type as \`type\`, is_nullable = 'YES' as \`nullable\`, column_key = 'PRI' as \`key\`
    from information_schema.columns
    where table_schema = database() or (database() is null
      and table_schema not in ('mysql', 'information_schema', 'performance_schema', 'sys'))
    order by table_schema, table_name, ordinal_position`,
  sqlite: `select m.name as "table", c.name as "column", c.type as "type", not c."notnull" as "nullable", c.pk > 0 as "key"
    from sqlite_schema m join pragma_table_info(m.name) c
    where m.type in ('table', 'view') and m.name not like 'sqlite\\_%' escape '\\' order by m.name, c.cid`,
};

export function toTables(rows: readonly JsonObject[]): SqlTable[] {
  const columns = Map.groupBy(rows, ({ table }) => String(table));
  return Array.from(columns, ([name, of]) => ({
    name,
    columns: of.map(({ column, type, nullable, key }) => ({
      name: String(column),
      type: String(type),
      nullable: Boolean(nullable),
      key: Boolean(key),
    })),
  }));
}
