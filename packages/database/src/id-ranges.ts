import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables.ts";

/** Rows with ids after `after`, and up to `until` if given. */
export type IdRange = { after: string; until: string | undefined };

type TableWithId = { [Name in keyof Tables]: Tables[Name] extends { id: string } ? Name : never }[keyof Tables];

/**
 * All rows of a table in ranges of ids, for queries without an index: each range has at most `size` rows, and the event
 * loop turns between them. Rows added meanwhile may be missing.
 */
export async function* idRanges(
  read: Kysely<Tables>,
  table: TableWithId & string,
  size: number,
): AsyncGenerator<IdRange> {
  for (let after = ""; ; ) {
    const { rows } = await sql<{ id: string }>`
      select ${sql.ref("id")} from ${sql.table(table)} where ${sql.ref("id")} > ${after}
      order by ${sql.ref("id")} limit 1 offset ${size - 1}`.execute(read);
    const until = rows[0]?.id;
    yield { after, until };
    if (until === undefined) return;
    after = until;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export function inIdRange({ after, until }: IdRange, id = "id") {
  const column = sql.ref(id);
  return until === undefined
    ? sql<boolean>`${column} > ${after}`
    : sql<boolean>`${column} > ${after} and ${column} <= ${until}`;
}
