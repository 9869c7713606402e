import type { CreateTableBuilder, Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";

/** `key` columns are text and make up the primary key; `integer-key` likewise. */
export type ColumnKind = "key" | "integer-key" | "text" | "nullable-text" | "integer" | "nullable-integer" | "bytes";

export type TableDefinition = {
  name: string;
  columns: Record<string, ColumnKind>;
  /**
   * Stores rows in primary key order if the database can. For tables whose keys are created in order of time: new rows
   * are neighbours, and one page fewer is written a row. Default false.
   */
  isClustered?: boolean;
};

/** Creates one table. Only migrations use it. */
export async function createTable(db: Kysely<unknown>, types: ColumnTypes, definition: TableDefinition): Promise<void> {
  const { name, columns, isClustered = false } = definition;
  let builder: CreateTableBuilder<string, string> = db.schema.createTable(name);
  for (const [column, kind] of Object.entries(columns)) {
    const type = kind === "bytes" ? types.bytes : kind.includes("integer") ? types.integer : types.text;
    builder = builder.addColumn(column, type, (made) => (kind.startsWith("nullable-") ? made : made.notNull()));
  }
  const keys = Object.keys(columns).filter((column) => columns[column]?.endsWith("key"));
  builder = builder.addPrimaryKeyConstraint(`${name}Key`, keys);
  await (isClustered && types.clustered ? builder.modifyEnd(types.clustered) : builder).execute();
}
