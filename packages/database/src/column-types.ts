import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";

/** Parts of the migrations that differ between the two databases. */
export type ColumnTypes = {
  /** For parts without a counterpart in the other database. */
  dialect: Database["dialect"];
  /** An auto-incrementing primary key. */
  rowKey: RawBuilder<unknown>;
  /** Text that compares and sorts by its bytes. */
  text: RawBuilder<unknown>;
  /** A whole number that JavaScript can represent exactly. */
  integer: RawBuilder<unknown>;
  bytes: RawBuilder<unknown>;
  /** End of a CREATE TABLE that stores rows in primary key order. PostgreSQL has no such tables. */
  clustered?: RawBuilder<unknown>;
};

/** SQLite compares text by its bytes unless told otherwise; PostgreSQL needs the collation "C" for that. */
export const columnTypes: Record<Database["dialect"], ColumnTypes> = {
  sqlite: {
    dialect: "sqlite",
    rowKey: sql`integer primary key autoincrement`,
    text: sql`text`,
    integer: sql`integer`,
    bytes: sql`blob`,
    clustered: sql`without rowid`,
  },
  postgres: {
    dialect: "postgres",
    rowKey: sql`bigint generated always as identity primary key`,
    text: sql`text collate "C"`,
    integer: sql`bigint`,
    bytes: sql`bytea`,
  },
};
