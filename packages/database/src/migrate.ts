import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { columnTypes } from "./column-types.ts";
import type { Database } from "./database.ts";
import { migrations } from "./migrations/migrations.ts";
import { StorageError } from "./storage-error.ts";
import type { Tables } from "./tables.ts";

/**
 * Migrates the schema; does nothing if it is current. Processes that start together wait for each other.
 * Rejects with `StorageError` if the data is of a newer version, and then changes nothing. One transaction changes all;
 * `attempt` repeats it if it loses against running servers of an earlier release.
 */
export async function migrate(
  db: Kysely<unknown>,
  dialect: Database["dialect"],
  attempt = (change: () => Promise<void>): Promise<void> => change(),
): Promise<void> {
  const types = columnTypes[dialect];
  const entries = Object.entries(migrations);
  const provided = Object.fromEntries(
    entries.map(([name, up]) => [name, { up: (tx: Kysely<unknown>) => up(tx, types) }]),
  );
  // Data that was opened between two changes of the code may lack one that is followed by another.
  const allowUnorderedMigrations = true;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => provided }, allowUnorderedMigrations });
  const error = await findFailure(migrator, attempt);
  if (error === undefined) return;
  const executed = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const unknown = executed.rows.map((row) => row.name).filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) {
    throw new StorageError(
      `The data was written by a newer version of Weft (it has ${unknown.join(", ")}). Start that version, or restore a backup from before the upgrade.`,
      error,
    );
  }
  throw new StorageError("The database's schema could not be brought up to date; nothing was changed.", error);
}

async function findFailure(
  migrator: Migrator,
  attempt: (change: () => Promise<void>) => Promise<void>,
): Promise<unknown> {
  const change = async (): Promise<void> => {
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
  };
  return attempt(change).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Names of a database's schema changes, in order. */
export async function listSchemaChanges(read: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(read);
  return rows.map(({ name }) => name);
}

/** Changes unknown to this version: a newer one made them. */
export function unknownChanges(names: readonly string[]): string[] {
  return names.filter((name) => !Object.hasOwn(migrations, name));
}
