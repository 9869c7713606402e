import type { Tables } from "@weft/database";
import { type PageQuery, WeftError } from "@weft/schema";
import type { Kysely, SelectQueryBuilder } from "kysely";

type Handle = Kysely<Tables>;

/** When a resource was made and last changed, for one that comes from elsewhere. */
export type RowDates = { createdDate: string; updatedDate: string };

/** Statements for one row of a resource. Those that take an id reject with `not-found` for an unknown one, except `find`. */
export type Rows<Row> = {
  find(db: Handle, id: string): Promise<Row | undefined>;
  get(db: Handle, id: string): Promise<Row>;
  /** What was found in another way. */
  found<T>(value: T | undefined, id: string): T;
  /** Reads a row and keeps every other writer away from it until the transaction ends, on both databases. */
  lock(tx: Handle, id: string): Promise<Row>;
  /** Rejects with `conflict` when the id is taken: then nothing was written. */
  insert(tx: Handle, row: Row): Promise<Row>;
  /** Sets the given columns of a row that is locked, or was read in the transaction. */
  update(tx: Handle, row: Partial<Row> & { id: string }): Promise<void>;
  remove(tx: Handle, id: string): Promise<void>;
};

/** `name`: one of them in a sentence, such as `API key`. */
export function defineRows<Row extends { id: string }>(table: keyof Tables, name: string): Rows<Row> {
  const within = (db: Handle) => db as unknown as Kysely<Record<typeof table, { id: string }>>;
  const found = <T>(row: T | undefined, id: string) => {
    if (row === undefined) throw new WeftError("not-found", { params: { resource: name, id } });
    return row;
  };
  const find = async (db: Handle, id: string) =>
    (await within(db).selectFrom(table).selectAll().where("id", "=", id).executeTakeFirst()) as Row | undefined;

  return {
    find,
    found,

    get: async (db, id) => found(await find(db, id), id),

    async lock(tx, id) {
      const locking = within(tx)
        .updateTable(table)
        .set((eb) => ({ id: eb.ref("id") }))
        .where("id", "=", id);
      return found((await locking.returningAll().executeTakeFirst()) as Row | undefined, id);
    },

    async insert(tx, row) {
      const inserting = within(tx)
        .insertInto(table)
        .values(row)
        .onConflict((conflict) => conflict.column("id").doNothing());
      if ((await inserting.returning("id").executeTakeFirst()) !== undefined) return row;
      const reason = `${capitalised(withArticle(name))} with the id ${row.id} already exists.`;
      throw new WeftError("conflict", { params: { reason } });
    },

    async update(tx, { id, ...changes }) {
      await within(tx).updateTable(table).set(changes).where("id", "=", id).execute();
    },

    async remove(tx, id) {
      found(await within(tx).deleteFrom(table).where("id", "=", id).returning("id").executeTakeFirst(), id);
    },
  };
}

/** What a query finds, or the page that is asked for. The query has an order. */
export async function listOrPage<DB, TB extends keyof DB, Row, T>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  { page, limit }: PageQuery,
  show: (row: Row) => T,
): Promise<T[] | { data: T[]; total: number }> {
  if (page === undefined || limit === undefined) return (await rows.execute()).map(show);
  const data = await rows
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const counting = rows
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as("total"));
  const { total } = (await counting.executeTakeFirstOrThrow()) as { total: number };
  return { data: data.map(show), total: Number(total) };
}

export function withArticle(name: string): string {
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
