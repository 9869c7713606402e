import type { ReadableDatabase, Tables, WritableDatabase } from "@weft/database";
import type { FlowiseRow, FlowiseSource, FlowiseTable } from "@weft/flowise-source";
import { WeftError } from "@weft/schema";
import { type Kysely, sql } from "kysely";
import type { ReportCollector, TableTally } from "./report.ts";

export type ImportContext = {
  source: FlowiseSource;
  /** Ids of the workspaces to import, one after the other; undefined: all. */
  workspaces: readonly (string | undefined)[];
  database: ReadableDatabase & WritableDatabase;
  dryRun: boolean;
  report: ReportCollector;
  /** Reports how many rows of a table were read so far. */
  progress(table: string, done: number, total: number): void;
};

export type Page<T extends FlowiseTable> = { rows: FlowiseRow<T>[]; tally: TableTally };

/** Yields all pages of a table, in all chosen workspaces, and counts their rows as read. */
export async function* pagesOf<T extends FlowiseTable>(
  { source, workspaces, report, progress }: ImportContext,
  table: T,
): AsyncGenerator<Page<T>> {
  const tally = report.table(table);
  let done = 0;
  let total = 0;
  for (const workspace of workspaces) total += await source.count(table, { workspace });
  for (const workspace of workspaces) {
    for await (const rows of source.rows(table, { workspace })) {
      tally.read(rows.length);
      yield { rows, tally };
      done += rows.length;
      progress(table, done, total);
    }
  }
}

/** Yields all rows of a table, in all chosen workspaces, without counting. */
export async function* rowsOf<T extends FlowiseTable>(
  { source, workspaces }: ImportContext,
  table: T,
): AsyncGenerator<FlowiseRow<T>> {
  for (const workspace of workspaces) for await (const rows of source.rows(table, { workspace })) yield* rows;
}

/** Yields the rows of a table that are not `into` yet. Rows without a usable id are skipped. */
export async function* freshPagesOf<T extends FlowiseTable>(
  context: ImportContext,
  table: T,
  into: keyof Tables,
): AsyncGenerator<Page<T>> {
  for await (const { rows, tally } of pagesOf(context, table)) {
    yield { rows: await onlyFresh(context, rows, { into, tally }), tally };
  }
}

/** Those of the rows that are not `into` yet; the others are counted. */
export async function onlyFresh<Row extends { id: string }>(
  { database }: ImportContext,
  rows: readonly Row[],
  { into, tally }: { into: keyof Tables; tally: TableTally },
): Promise<Row[]> {
  const usable = rows.filter(({ id }) => {
    if (uuidPattern.test(id)) return true;
    tally.left("Its id is not a UUID.", id);
    return false;
  });
  const here = await idsHere(
    database.read,
    into,
    usable.map(({ id }) => id),
  );
  tally.there(here.size);
  return usable.filter(({ id }) => !here.has(id));
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The ids that a table contains, in `column`. */
export async function idsHere(
  read: Kysely<Tables>,
  table: keyof Tables,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select "id" from ${sql.table(table)} where "id" in (${sql.join(ids)})`.execute(read);
  return new Set(rows.map(({ id }) => id));
}

/** A statement takes only so many values. */
const rowsAtOnce = 250;

/** Writes rows in one transaction, and counts them. `insert` returns the ids of those that were written. */
export async function writeRows<Row>(
  { database, dryRun }: ImportContext,
  { rows, tally }: { rows: readonly Row[]; tally: TableTally },
  insert: (tx: Kysely<Tables>, some: readonly Row[]) => Promise<readonly unknown[]>,
): Promise<void> {
  if (rows.length === 0) return;
  if (dryRun) return tally.written(rows.length);
  const written = await database.write(
    async (tx) => {
      let count = 0;
      for (let start = 0; start < rows.length; start += rowsAtOnce) {
        count += (await insert(tx, rows.slice(start, start + rowsAtOnce))).length;
      }
      return count;
    },
    { isolation: "read-committed" },
  );
  tally.written(written);
  tally.there(rows.length - written);
}

/**
 * Writes one row through the service that owns its rules. A rejected row is reported as left with the reason; a row
 * created meanwhile counts as present.
 */
export async function writeOne(
  { dryRun }: ImportContext,
  { name, tally }: { name: string; tally: TableTally },
  write: () => Promise<unknown>,
): Promise<boolean> {
  try {
    if (!dryRun) await write();
    tally.written(1);
    return true;
  } catch (cause) {
    if (!(cause instanceof WeftError) || cause.retryable) throw cause;
    if (cause.code === "conflict") tally.there(1);
    else tally.left(cause.message, name);
    return false;
  }
}

/** The dates of a row; the epoch if it has none. */
export function datesOf(row: { createdDate: string | null; updatedDate?: string | null }) {
  const createdDate = row.createdDate ?? row.updatedDate ?? unknownDate;
  return { createdDate, updatedDate: row.updatedDate ?? createdDate };
}

export const unknownDate = "1970-01-01T00:00:00.000Z";
