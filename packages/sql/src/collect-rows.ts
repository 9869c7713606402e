import type { SqlResult, SqlRowLimits } from "@weft/engine/ports/sql-client";
import type { JsonObject } from "@weft/schema";
import { type Ended, type Sink, SqlFailure } from "./driver.ts";

/** No database has a table with more columns. */
const maxColumns = 5_000;

export type Collector = Sink & {
  /** A row was left out. */
  readonly isFull: boolean;
  result(end: Ended): SqlResult;
};

/** Collects rows up to both limits. The first row beyond one of them ends the reading. */
export function collectRows({ maxRows, maxBytes }: SqlRowLimits): Collector {
  let names: string[] = [];
  let sizeBytes = 0;
  let isFull = false;
  const rows: SqlResult["rows"] = [];
  return {
    get isFull() {
      return isFull;
    },
    columns(given) {
      if (given.length > maxColumns)
        throw new SqlFailure(`The rows have more than ${maxColumns} columns. Select fewer.`);
      names = toDistinct(given);
    },
    row(values) {
      const row = Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]));
      sizeBytes += Buffer.byteLength(JSON.stringify(row));
      isFull ||= rows.length >= maxRows || sizeBytes > maxBytes;
      if (!isFull) rows.push(row);
      return !isFull;
    },
    result: ({ changedRows }) => ({
      columns: names,
      rows,
      truncated: isFull,
      ...(changedRows === undefined ? {} : { changedRows }),
    }),
  };
}

/** A join may give several columns one name: the second is `id_2`. */
function toDistinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let number = 2; taken.has(distinct); number += 1) distinct = `${name}_${number}`;
    taken.add(distinct);
    return distinct;
  });
}

/** A message of this size takes its reader no noticeable time. */
const partBytes = 64 * 1024;

/** Splits rows into messages. */
export function* toParts(rows: readonly JsonObject[]): Generator<JsonObject[]> {
  let part: JsonObject[] = [];
  let sizeBytes = 0;
  for (const row of rows) {
    part.push(row);
    sizeBytes += JSON.stringify(row).length;
    if (sizeBytes < partBytes) continue;
    yield part;
    part = [];
    sizeBytes = 0;
  }
  if (part.length > 0) yield part;
}
