import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";

/** What the migrations say differently to the two databases. */
export type ColumnTypes = {
  /** For what has no counterpart in the other database. */
  dialect: Database["dialect"];
  /** A primary key that the database counts up by itself. */
  rowKey: RawBuilder<unknown>;
  /** Text that compares and sorts by its bytes. */
  text: RawBuilder<unknown>;
  /** A whole number that JavaScript can hold exactly. */
  integer: RawBuilder<unknown>;
  /** Bytes as they are. */
  bytes: RawBuilder<unknown>;
  /** End of a CREATE TABLE whose rows lie in the order of the primary key. PostgreSQL has no such tables. */
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
