import type { SqlCall, SqlResult } from "@weft/engine/ports/sql-client";
import type { Json } from "@weft/schema";
import type { Ended, Sink } from "./driver.ts";

export type Collector = Sink & {
  /** Whether a row was left out. */
  readonly isFull: boolean;
  result(end: Ended): SqlResult;
};

/** Keeps rows up to both limits. The first row beyond one of them ends the reading. */
export function collectRows({ maxRows, maxBytes }: Pick<SqlCall, "maxRows" | "maxBytes">): Collector {
  let names: string[] = [];
  let sizeBytes = 0;
  let isFull = false;
  const rows: SqlResult["rows"] = [];
  return {
    get isFull() {
      return isFull;
    },
    columns(given) {
      names = toDistinct(given);
    },
    row(values) {
      const row = Object.fromEntries(names.map((name, index) => [name, values[index] ?? null] as [string, Json]));
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
