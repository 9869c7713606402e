/** Tables read more often than they change. On PostgreSQL a trigger of each notifies the other processes. */
export type WatchedTable =
  | "agents"
  | "apiKeys"
  | "assistants"
  | "conversations"
  | "credentials"
  | "settings"
  | "tools"
  | "variables";

/** Counts commits by the tables that they may have changed. */
export type TableChanges = {
  note(tables: Iterable<string>): void;
  /** Records a change of every table. */
  noteAll(): void;
  /** Grows with every change of these tables. */
  count(tables: readonly string[]): number;
};

export function createTableChanges(): TableChanges {
  const counts = new Map<string, number>();
  let ofAll = 0;
  return {
    note(tables) {
      for (const table of tables) counts.set(table, (counts.get(table) ?? 0) + 1);
    },
    noteAll() {
      ofAll += 1;
    },
    count: (tables) => tables.reduce((sum, table) => sum + (counts.get(table) ?? 0), ofAll),
  };
}

const written = /\b(?:insert\s+into|update|delete\s+from)\s+"(\w+)"/gi;

/** The tables that a statement writes. Kysely quotes every name. */
export function tablesWrittenBy(statement: string): readonly string[] {
  return [...statement.matchAll(written)].map(([, table = ""]) => table);
}

/** Resolves with the result of `read`, or with the earlier one if nothing has changed since. */
export type Kept<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Caches at most `max` results, oldest evicted first, until one of the tables changes. `database` defines how exact
 * that is. Rejections are not cached.
 */
export function keepUntilChange<T>(
  { changes }: { changes(tables: readonly WatchedTable[]): number | undefined },
  tables: readonly WatchedTable[],
  max: number,
): Kept<T> {
  const answers = new Map<string, T>();
  let keptAt: number | undefined;
  return async (key, read) => {
    const now = changes(tables);
    if (now === undefined) return read();
    if (now !== keptAt) answers.clear();
    keptAt = now;
    const known = answers.get(key);
    if (known !== undefined || answers.has(key)) return known as T;
    const answer = await read();
    if (changes(tables) === now) answers.set(key, answer);
    if (answers.size > max) answers.delete(answers.keys().next().value ?? "");
    return answer;
  };
}
