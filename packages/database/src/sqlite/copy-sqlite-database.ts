import { backup, DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { keepPrivate } from "./private-file.ts";

/** More pages than a database can have: all in one step, so that one moment is copied, however much is written meanwhile. */
const allPages = 2 ** 31 - 1;

/**
 * Copies an SQLite database as it is at one moment into a new file, while others read and write it. What was committed
 * before the call is in the copy. Resolves with the names of its schema changes; rejects where the copy is damaged.
 */
export async function copySqliteDatabase(from: string, to: string): Promise<string[]> {
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 });
  try {
    keepPrivate(to);
    await backup(source, to, { rate: allPages });
  } finally {
    source.close();
  }
  return examine(to);
}

/** Nobody writes the copy: `immutable` spares it the files that SQLite lays beside a database in use. */
function examine(path: string): string[] {
  const copy = new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), { readOnly: true });
  try {
    const { quick_check: found } = copy.prepare("pragma quick_check(1)").get() ?? {};
    if (found !== "ok") {
      throw new Error(
        `The database is damaged: ${String(found).replaceAll("\n", "; ")}. No backup was made. Restore an earlier one, or repair it.`,
      );
    }
    return copy
      .prepare("select name from kysely_migration order by name")
      .all()
      .map(({ name }) => String(name));
  } finally {
    copy.close();
  }
}
