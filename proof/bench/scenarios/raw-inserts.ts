import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Rows a second that a bare SQLite makes durable, one at a time: what this disk allows. */
export function measureRawInserts(folder: string, seconds: number): number {
  const sqlite = new DatabaseSync(join(folder, "raw.db"));
  sqlite.exec("pragma journal_mode = wal; pragma synchronous = full; create table t (id text primary key, value text)");
  const insert = sqlite.prepare("insert into t values (?, ?)");
  const startedAt = performance.now();
  let rows = 0;
  for (; performance.now() - startedAt < seconds * 1_000; rows += 1) insert.run(randomUUID(), "x".repeat(300));
  const perSecond = (rows * 1_000) / (performance.now() - startedAt);
  sqlite.close();
  return perSecond;
}
