import { type Kysely, sql } from "kysely";
import { migrations } from "./migrations/migrations.ts";
import type { Tables } from "./tables.ts";

/** Names of the schema changes that a database has, in order. */
export async function listSchemaChanges(read: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(read);
  return rows.map(({ name }) => name);
}

/** Those that this version does not know: a newer one made them. */
export function unknownChanges(names: readonly string[]): string[] {
  return names.filter((name) => !Object.hasOwn(migrations, name));
}
