import type { Database } from "@weft/database";
import { sql } from "kysely";
import { rowsOfTable, toVectorText } from "../keywords/postgres-terms.ts";
import type { KeywordIndex } from "./keyword-index.ts";
import { sqliteKeywordIndex } from "./sqlite-keyword-index.ts";

/**
 * PostgreSQL's full text over a GIN index. The `tsvector` is written out here rather than parsed by the server, so that
 * both databases index the same words. As in SQLite a word is indexed with the number of its collection before it, so that
 * a search reads nothing of others.
 */
const postgresKeywordIndex: KeywordIndex = {
  async put(tx, collectionKey, entries) {
    const rows = entries.map(({ rowKey, terms, filterKeys }) => {
      const words = terms.map((term) => toWord(collectionKey, term));
      return sql`(${rowKey}::bigint, ${toVectorText(filterKeys, words)}::tsvector)`;
    });
    await sql`insert into "vectorTerms" ("rowid", "terms") values ${sql.join(rows)}
      on conflict ("rowid") do update set "terms" = excluded."terms"`.execute(tx);
  },

  async remove(tx, rowKeys) {
    await sql`delete from "vectorTerms" where "rowid" = any(${rowKeys}::bigint[])`.execute(tx);
  },

  within(read, { collectionKey, filterKeys }) {
    return rowsOfTable<number>(read, {
      table: sql`"vectorTerms"`,
      key: sql`"rowid"`,
      filterKeys,
      toLexeme: (term) => toWord(collectionKey, term),
    });
  },
};

/** No two collections have a word in common: the number ends with the first letter. */
function toWord(collectionKey: number, term: string): string {
  return `${collectionKey}x${term}`;
}

export const keywordIndexes: Record<Database["dialect"], KeywordIndex> = {
  sqlite: sqliteKeywordIndex,
  postgres: postgresKeywordIndex,
};
