import type { Database, Tables } from "@weft/database";
import { type Kysely, sql } from "kysely";
import { rowsOfTable, toVectorText } from "../keywords/postgres-terms.ts";
import type { RankedRows, RankQuery, TermHit } from "../keywords/search-by-terms.ts";
import type { SearchFilter } from "../port/search-filter.ts";

/** Searchable parts of a record. Terms and filter keys contain only letters, digits and their marks. */
type KeywordEntry = {
  rowKey: number;
  terms: readonly string[];
  filterKeys: readonly string[];
};

/** The rows of one collection that have a key of each group, and are in `only` if given. */
type KeywordScope = {
  collectionKey: number;
  keyGroups: SearchFilter["keyGroups"];
  only: readonly number[] | undefined;
};

/** The full-text index of one kind of database. */
type KeywordIndex = {
  /** Adds entries, or replaces those of the same rows. */
  put(tx: Kysely<Tables>, collectionKey: number, entries: readonly KeywordEntry[]): Promise<void>;
  remove(tx: Kysely<Tables>, rowKeys: readonly number[]): Promise<void>;
  /**
   * Removes a little of the deleted content from the index's files. `begins`: the first call of several. False: nothing
   * is left.
   */
  eraseRemoved(tx: Kysely<Tables>, begins: boolean): Promise<boolean>;
  within(read: Kysely<Tables>, scope: KeywordScope): RankedRows<number>;
};

/**
 * PostgreSQL's full text over a GIN index. The `tsvector` is built here rather than parsed by the server, so that both
 * databases index the same words. As in SQLite a word is prefixed with the number of its collection, so that a search
 * reads nothing of others.
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

  // Its own vacuum does that.
  eraseRemoved: async () => false,

  within(read, { collectionKey, keyGroups, only }) {
    return rowsOfTable<number>(read, {
      table: sql`"vectorTerms"`,
      key: sql`"rowid"`,
      keyGroups,
      only: only && sql`"rowid" = any(${only}::bigint[])`,
      toLexeme: (term) => toWord(collectionKey, term),
    });
  },
};

/** Words of different collections never collide: the number ends at the first letter. */
function toWord(collectionKey: number, term: string): string {
  return `${collectionKey}x${term}`;
}

/**
 * SQLite's FTS5, ranked by its bm25. A word is prefixed with the number of its collection, so that a search reads and
 * counts only its own collection's occurrences. The column `scope` holds the filter keys as words and has no weight in
 * the rank.
 */
const sqliteKeywordIndex: KeywordIndex = {
  async put(tx, collectionKey, entries) {
    const rows = entries.map(({ rowKey, terms, filterKeys }) => {
      const words = terms.map((term) => toWord(collectionKey, term));
      return sql`(${rowKey}, ${filterKeys.map(filterWord).join(" ")}, ${words.join(" ")})`;
    });
    await sql`insert or replace into "vectorTerms" (rowid, scope, terms) values ${sql.join(rows)}`.execute(tx);
    // FTS5 would occasionally run one long merge; this does a little at a time.
    await sql`insert into "vectorTerms" ("vectorTerms", rank) values ('merge', ${mergedPages})`.execute(tx);
  },

  async remove(tx, rowKeys) {
    await sql`delete from "vectorTerms" where rowid in (${sql.join(rowKeys)})`.execute(tx);
    await sql`insert into "vectorTerms" ("vectorTerms", rank) values ('merge', ${mergedPages})`.execute(tx);
  },

  // Removed rows keep their words until all parts of the index are merged into one.
  async eraseRemoved(tx, begins) {
    const before = await countChanges(tx);
    const pages = begins ? -mergedPages : mergedPages;
    await sql`insert into "vectorTerms" ("vectorTerms", rank) values ('merge', ${pages})`.execute(tx);
    // FTS5 counts one change if it found nothing to merge.
    return (await countChanges(tx)) - before > 1;
  },

  within(read, { collectionKey, keyGroups, only }) {
    const filter = keyGroups.map((keys) => `scope : (${keys.map(filterWord).join(" OR ")}) AND `).join("");
    // The unary operator keeps SQLite from probing the index once for each row.
    const among =
      only === undefined ? sql`` : sql`and +rowid in (select value from json_each(${JSON.stringify(only)}))`;
    const match = (terms: string) => `${filter}terms : (${terms})`;
    const quote = (term: string) => `"${toWord(collectionKey, term)}"`;
    return {
      async count(terms, most) {
        const counts = terms.map(
          (term, at) => sql`select ${at} as "at", count(*) as "rows" from (
            select 1 from "vectorTerms" where "vectorTerms" match ${match(quote(term))} ${among} limit ${most})`,
        );
        const { rows } = await sql<{ rows: number }>`${sql.join(counts, sql` union all `)} order by "at"`.execute(read);
        return rows.map((row) => row.rows);
      },

      async rank(query) {
        const { terms, atMost, limit } = query;
        const required = match(toRequirement(query, quote));
        const any = terms.map(({ term }) => quote(term)).join(" OR ");
        // The required terms occur in both halves, and count double.
        const ranked = isRankedByOthers(query) ? match(`(${toRequirement(query, quote)}) AND (${any})`) : required;
        const first = sql`and rowid <= (select max(rowid) from (
          select rowid from "vectorTerms" where "vectorTerms" match ${required} ${among} limit ${atMost}))`;
        const { rows } = await sql<TermHit<number>>`
          select rowid as "key", -rank as "score" from "vectorTerms"
          where "vectorTerms" match ${ranked} and rank match 'bm25(0.0, 1.0)' ${among} ${atMost === undefined ? sql`` : first}
          order by rank limit ${limit}`.execute(read);
        return rows;
      },
    };
  },
};

async function countChanges(tx: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as "count"`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Index pages merged with every write: more than a write of `toWriteBatches` adds. */
const mergedPages = 40;

function toRequirement({ required, needs }: RankQuery, quote: (term: string) => string): string {
  return required.map(quote).join(needs === "any" ? " OR " : " AND ");
}

function isRankedByOthers({ required, terms }: RankQuery): boolean {
  return terms.length > required.length;
}

function filterWord(filterKey: string): string {
  return `f${filterKey}`;
}

export const keywordIndexes: Record<Database["dialect"], KeywordIndex> = {
  sqlite: sqliteKeywordIndex,
  postgres: postgresKeywordIndex,
};
