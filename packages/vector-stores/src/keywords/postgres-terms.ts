import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import type { SearchFilter } from "../port/search-filter.ts";
import type { RankedRows, TermHit } from "./search-by-terms.ts";

/** A table with a column `terms`, and the key of its rows. */
export type TermsTable = {
  table: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
  /** A row must have one key of each group. */
  keyGroups: SearchFilter["keyGroups"];
  /** Additional condition; undefined: none. */
  only: RawBuilder<unknown> | undefined;
  toLexeme(term: string): string;
};

/**
 * The rows of such a table. PostgreSQL's ranks ignore how rare a word is, so each word's `ts_rank` (which levels off
 * with its repetitions, and falls with the length of the text) is multiplied by the word's weight, as in BM25.
 */
export function rowsOfTable<Key>(read: QueryExecutorProvider, source: TermsTable): RankedRows<Key> {
  const quoteTerm = (term: string) => quote(source.toLexeme(term));
  const filter = toFilterQuery(source.keyGroups);
  const only = source.only === undefined ? sql`` : sql`and ${source.only}`;
  const filtered = (query: string) => (filter === "" ? query : `${filter} & ${query}`);
  return {
    async count(terms, most) {
      const queries = terms.map((term) => filtered(quoteTerm(term)));
      const { rows } = await sql<{ count: number }>`
        select (select count(*) from (select 1 from ${source.table} where "terms" @@ query ${only} limit ${most}) as found)::float8
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
          select * from ${source.table} where "terms" @@ ${query}::tsquery ${only} limit ${atMost ?? null}) as found
        order by score desc, key limit ${limit}`.execute(read);
      return rows;
    },
  };
}

/** The text of a tsquery for rows that have a key of each group; empty if there are none. */
export function toFilterQuery(keyGroups: SearchFilter["keyGroups"]): string {
  return keyGroups.map((keys) => `(${keys.map(filterLexeme).map(quote).join(" | ")})`).join(" & ");
}

/** The text of a tsvector. PostgreSQL keeps positions up to 16383, and 256 of one word. */
export function toVectorText(filterKeys: readonly string[], terms: readonly string[]): string {
  const positions = new Map<string, number[]>(filterKeys.map((key) => [filterLexeme(key), []]));
  for (const [index, term] of terms.entries()) {
    const known = positions.get(term);
    if (known === undefined) positions.set(term, [index + 1]);
    else if (known.length < 255) known.push(index + 1);
  }
  return [...positions]
    .map(([lexeme, at]) => (at.length === 0 ? quote(lexeme) : `${quote(lexeme)}:${at.join(",")}`))
    .join(" ");
}

/** Filter keys are lexemes too, distinguished from words by their first character. */
function filterLexeme(filterKey: string): string {
  return `=${filterKey}`;
}

/** Lexemes contain only letters, digits, marks, and the first characters above: none needs escaping. */
function quote(lexeme: string): string {
  return `'${lexeme}'`;
}
