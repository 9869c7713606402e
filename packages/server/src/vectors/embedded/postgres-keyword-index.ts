import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import type { KeywordIndex } from "./keyword-index.ts";
import type { RankedRows, TermHit } from "./search-by-terms.ts";

/**
 * PostgreSQL's full text over a GIN index. The `tsvector` is written out here rather than parsed by the server, so that
 * both databases index the same words. As in SQLite a word is indexed with the number of its collection before it, so that
 * a search reads nothing of others. Filter keys are lexemes, too, told from words by their first character. PostgreSQL's
 * ranks know nothing of how rare a word is, so each word's `ts_rank` (which levels off with its repetitions, and falls with
 * the length of the text) counts with the word's weight, as in BM25.
 */
export const postgresKeywordIndex: KeywordIndex = {
  async put(tx, collectionKey, entries) {
    const rows = entries.map(({ rowKey, terms, filterKeys }) => {
      const words = terms.map((term) => toWord(collectionKey, term));
      return sql`(${rowKey}::bigint, ${toVectorText(filterKeys.map(filterLexeme), words)}::tsvector)`;
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

/** A table with a column `terms`, what its rows are known by, and the filter keys that a row must have all of. */
export type TermsTable = {
  table: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
  filterKeys: readonly string[];
  toLexeme(term: string): string;
};

export function rowsOfTable<Key>(read: QueryExecutorProvider, source: TermsTable): RankedRows<Key> {
  const quoteTerm = (term: string) => quote(source.toLexeme(term));
  const filtered = (query: string) => [...source.filterKeys.map(filterLexeme).map(quote), query].join(" & ");
  return {
    async count(terms, most) {
      const queries = terms.map((term) => filtered(quoteTerm(term)));
      const { rows } = await sql<{ count: number }>`
        select (select count(*) from (select 1 from ${source.table} where "terms" @@ query limit ${most}) as found)::float8
          as count
        from unnest(${queries}::tsquery[]) with ordinality as asked(query, at) order by at`.execute(read);
      return rows.map(({ count }) => count);
    },

    async rank({ required, needs, terms, atMost, limit }) {
      const query = filtered(`(${required.map(quoteTerm).join(needs === "any" ? " | " : " & ")})`);
      const ranks = terms.map(({ term, weight }) => {
        return sql`ts_rank("terms", ${quoteTerm(term)}::tsquery, 1) * ${weight}::float8`;
      });
      const { rows } = await sql<TermHit<Key>>`
        select ${source.key} as key, ${sql.join(ranks, sql` + `)} as score from (
          select * from ${source.table} where "terms" @@ ${query}::tsquery limit ${atMost ?? null}) as found
        order by score desc, key limit ${limit}`.execute(read);
      return rows;
    },
  };
}

/** The text of a tsvector. PostgreSQL keeps positions up to 16383, and 256 of one word. */
export function toVectorText(scope: readonly string[], terms: readonly string[]): string {
  const positions = new Map<string, number[]>(scope.map((lexeme) => [lexeme, []]));
  for (const [index, term] of terms.entries()) {
    const known = positions.get(term);
    if (known === undefined) positions.set(term, [index + 1]);
    else if (known.length < 255) known.push(index + 1);
  }
  return [...positions]
    .map(([lexeme, at]) => (at.length === 0 ? quote(lexeme) : `${quote(lexeme)}:${at.join(",")}`))
    .join(" ");
}

/** No two collections have a word in common: the number ends with the first letter. */
function toWord(collectionKey: number, term: string): string {
  return `${collectionKey}x${term}`;
}

export function filterLexeme(filterKey: string): string {
  return `=${filterKey}`;
}

/** Lexemes are letters, digits, marks, and the first characters above: none needs an escape. */
export function quote(lexeme: string): string {
  return `'${lexeme}'`;
}
