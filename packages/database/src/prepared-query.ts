import { type Compilable, CompiledQuery, type DialectAdapter, type Kysely, type RawBuilder } from "kysely";
import type { Tables } from "./tables.ts";

type Values = Record<string, string | number | null | readonly string[]>;

/** Runs a query that was built once, with these values. */
export type PreparedQuery<V extends Values, R> = ((db: Kysely<Tables>, values: V) => Promise<R[]>) & {
  /** The same as a statement for `Database.commit`. */
  statement(db: Kysely<Tables>, values: V): CompiledQuery<R>;
};

/** Text and parameters, as one database needs them; for a parameter that is a placeholder, the value's name. */
type Prepared = { sql: string; parameters: readonly unknown[]; names: readonly (string | undefined)[] };

/**
 * A query for hot paths, where building a statement costs more than running it. `build` is called once for each kind of
 * database with a placeholder for every value, and must put each into the query as it is.
 */
export function prepareQuery<V extends Values, R>(
  names: readonly (keyof V & string)[],
  build: (db: Kysely<Tables>, places: V) => Compilable<R> | RawBuilder<R>,
): PreparedQuery<V, R> {
  const places = Object.fromEntries(names.map((name) => [name, `place of ${name}`]));
  const nameOf = new Map<unknown, keyof V & string>(names.map((name) => [places[name], name]));
  const byDatabase = new WeakMap<DialectAdapter["constructor"], Prepared>();

  function prepare(db: Kysely<Tables>): Prepared {
    const kind = db.getExecutor().adapter.constructor;
    const known = byDatabase.get(kind);
    if (known) return known;
    const { sql, parameters } = build(db, places as V).compile(db);
    const prepared = { sql, parameters, names: parameters.map((parameter) => nameOf.get(parameter)) };
    byDatabase.set(kind, prepared);
    return prepared;
  }

  function statement(db: Kysely<Tables>, values: V): CompiledQuery<R> {
    const { sql, parameters, names: given } = prepare(db);
    const actual = [...parameters];
    for (const [index, name] of given.entries()) if (name !== undefined) actual[index] = values[name];
    return CompiledQuery.raw(sql, actual) as CompiledQuery<R>;
  }

  const run = async (db: Kysely<Tables>, values: V) => (await db.executeQuery<R>(statement(db, values))).rows;
  return Object.assign(run, { statement });
}
