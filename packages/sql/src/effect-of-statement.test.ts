import assert from "node:assert/strict";
import { test } from "node:test";
import { effectOfStatement } from "./effect-of-statement.ts";

const statements: Record<"read" | "write" | "destructive", string[]> = {
  read: [
    "SELECT * FROM orders",
    "  select 1 ;  ",
    "-- newest first\nSELECT * FROM orders ORDER BY id DESC",
    "/* a */ SELECT 'delete from orders; drop table x' AS text",
    'SELECT "update", \'into\' FROM "delete"',
    "SELECT * FROM orders WHERE id = $1 FOR UPDATE",
    "SELECT * FROM orders FOR NO KEY UPDATE SKIP LOCKED",
    "WITH recent AS (SELECT * FROM orders) SELECT count(*) FROM recent",
    "SELECT updated, deleted_at, replaced FROM orders",
  ],
  write: [
    "INSERT INTO orders (id) VALUES ($1)",
    "insert into notes (text) values ('delete all; drop table x') returning id",
    "INSERT INTO orders SELECT * FROM incoming",
    "INSERT INTO orders (id) VALUES (1) ON CONFLICT DO NOTHING",
  ],
  destructive: [
    "",
    ";",
    "UPDATE orders SET total = 0",
    "DELETE FROM orders",
    "DROP TABLE orders",
    "TRUNCATE orders",
    "REPLACE INTO orders VALUES (1)",
    "INSERT OR REPLACE INTO orders VALUES (1)",
    "INSERT INTO orders (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET total = 0",
    "INSERT INTO orders (id) VALUES (1) ON DUPLICATE KEY UPDATE total = 0",
    "WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone",
    "WITH x AS (SELECT 1) INSERT INTO orders SELECT * FROM x",
    "SELECT * INTO copy FROM orders",
    "SELECT 1; DROP TABLE orders",
    "INSERT INTO a VALUES (1); DELETE FROM b",
    "CALL remove_all()",
    "DO $$ BEGIN PERFORM remove_all(); END $$",
    "EXPLAIN ANALYZE DELETE FROM orders",
    "SET role postgres",
    "/*! DROP TABLE orders */ SELECT 1",
    "sel/**/ect 1",
    "(SELECT 1) UNION (SELECT 2); DELETE FROM orders",
    "PRAGMA writable_schema = 1",
  ],
};

for (const [effect, texts] of Object.entries(statements)) {
  for (const engine of ["postgres", "mysql", "sqlite"] as const) {
    test(`${engine}: ${effect}`, () => {
      const wrong = texts.filter((text) => effectOfStatement(engine, text) !== effect);
      assert.deepEqual(wrong, []);
    });
  }
}

test("what is a comment for one database and code for another is judged as that database reads it", () => {
  assert.equal(effectOfStatement("mysql", "SELECT 1 # ;\n; DELETE FROM orders"), "destructive");
  assert.equal(effectOfStatement("postgres", "SELECT $tag$ ; DELETE FROM orders $tag$"), "read");
  assert.equal(effectOfStatement("mysql", "SELECT 1 --; DELETE FROM orders"), "destructive");
});
