import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const folder = join(tmpdir(), `weft-attacks-${process.pid}`);

/** Environment of a server whose agents may use the SQLite files that `openSqliteShop` makes. */
export const sqliteEnv = { SQL_FILES_DIR: folder };

/** A database with two orders. `count`: how many are left and unchanged. `files`: how many there are beside it. */
export type SqliteShop = { file: string; count(): number; tables(): number; files(): number };

let opened = 0;

export function openSqliteShop(): SqliteShop {
  if (opened === 0) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  opened += 1;
  const file = `shop-${opened}.db`;
  const ask = (statement: string) => {
    const database = new DatabaseSync(join(folder, file));
    const row = database.prepare(statement).get();
    database.close();
    return Number(row?.n);
  };
  const database = new DatabaseSync(join(folder, file));
  database.exec(
    "create table orders (id integer primary key, total integer); insert into orders values (1, 10), (2, 20)",
  );
  database.close();
  return {
    file,
    count: () => ask("select count(*) as n from orders where total = id * 10"),
    tables: () => ask("select count(*) as n from sqlite_schema"),
    files: () => readdirSync(folder).length,
  };
}
