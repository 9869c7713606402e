import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../column-types.ts";

/**
 * The embedded vector store: collections, their records, and the keyword index. Texts are split into words outside
 * (`vector-stores/src/port/terms.ts`), so both databases index the same ones.
 */
export async function createVectorTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("vectorCollections")
    .addColumn("collectionKey", types.rowKey)
    .addColumn("collection", types.text, (made) => made.notNull().unique())
    .addColumn("embedderId", types.text, (made) => made.notNull())
    .addColumn("dimension", types.integer, (made) => made.notNull())
    .addColumn("changes", types.integer, (made) => made.notNull())
    .addColumn("lastRemoval", types.integer, (made) => made.notNull())
    .execute();
  await db.schema
    .createTable("vectorRecords")
    .addColumn("rowKey", types.rowKey)
    .addColumn("collectionKey", types.integer, (made) => made.notNull())
    .addColumn("id", types.text, (made) => made.notNull())
    .addColumn("change", types.integer, (made) => made.notNull())
    .addColumn("text", types.text, (made) => made.notNull())
    .addColumn("metadata", types.text, (made) => made.notNull())
    .addColumn("vector", types.bytes, (made) => made.notNull())
    .addUniqueConstraint("vectorRecordsById", ["collectionKey", "id"])
    .execute();
  await db.schema
    .createIndex("vectorRecordsByChange")
    .on("vectorRecords")
    .columns(["collectionKey", "change", "rowKey"])
    .execute();
  await (types.dialect === "sqlite" ? createSqliteKeywordIndex(db) : createPostgresKeywordIndex(db));
}

/**
 * SQLite's full-text table. It stores no copy of the texts; `scope` says which metadata a row has. It never merges by
 * itself, which would block the event loop: every write merges a little
 * (`vector-stores/src/embedded/sqlite-keyword-index.ts`).
 */
async function createSqliteKeywordIndex(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table "vectorTerms" using fts5(
    scope, terms, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0'
  )`.execute(db);
  await sql`insert into "vectorTerms" ("vectorTerms", rank) values ('automerge', 0)`.execute(db);
}

/**
 * PostgreSQL's: the same rows, with scope and terms in one `tsvector`, distinguished by the scope's first character.
 * Every search reads the whole pending list of the index, which is therefore kept short, at 256 KB.
 */
async function createPostgresKeywordIndex(db: Kysely<unknown>): Promise<void> {
  await sql`create table "vectorTerms" ("rowid" bigint primary key, "terms" tsvector not null)`.execute(db);
  await sql`create index "vectorTermsByTerm" on "vectorTerms" using gin ("terms") with (gin_pending_list_limit = 256)`.execute(
    db,
  );
}
