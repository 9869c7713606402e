import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";

/** What the migrations say differently to the two databases. */
export type ColumnTypes = {
  /** Text that compares and sorts by its bytes. */
  text: RawBuilder<unknown>;
  /** A whole number that JavaScript can hold exactly. */
  integer: RawBuilder<unknown>;
};

/** SQLite compares text by its bytes unless told otherwise; PostgreSQL needs the collation "C" for that. */
export const columnTypes: Record<Database["dialect"], ColumnTypes> = {
  sqlite: { text: sql`text`, integer: sql`integer` },
  postgres: { text: sql`text collate "C"`, integer: sql`bigint` },
};
