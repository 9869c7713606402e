import assert from "node:assert/strict";
import { test } from "node:test";
import { openSqliteConnection } from "./sqlite-handle.ts";

test("more statements than are kept all work, in any order, and rows are plain objects", (t) => {
  const connection = openSqliteConnection({ path: ":memory:", maxStatements: 2 });
  t.after(() => connection.close());
  connection.run("create table item (id integer primary key, name text)");
  const insert = { sql: "insert into item (name) values (?)" };
  for (const name of ["a", "b", "c"]) {
    const { numAffectedRows, rows } = connection.execute({ ...insert, parameters: [name] });
    assert.equal(numAffectedRows, 1n);
    assert.deepEqual(rows, []);
    const count = connection.execute({ sql: "select count(*) as count from item where id > ?", parameters: [0] });
    assert.equal(count.rows.length, 1);
    const named = connection.execute({ sql: "select name from item where name = ?", parameters: [name] });
    assert.deepEqual(named.rows, [{ name }]);
  }
});

test("an insert that returns its row does both", (t) => {
  const connection = openSqliteConnection({ path: ":memory:" });
  t.after(() => connection.close());
  connection.run("create table item (id integer primary key, name text)");
  const inserted = connection.execute({ sql: "insert into item (name) values (?) returning *", parameters: ["a"] });
  assert.deepEqual(inserted.rows, [{ id: 1, name: "a" }]);
  assert.throws(() => connection.execute({ sql: "insert into item (id) values (?)", parameters: [undefined] }));
});

test("a statement has the columns of the table as it is, also after these change", (t) => {
  const connection = openSqliteConnection({ path: ":memory:" });
  t.after(() => connection.close());
  connection.run("create table item (id integer primary key, name text, bytes blob)");
  const insert = { sql: "insert into item (name, bytes) values (?, ?)", parameters: [null, new Uint8Array([1, 2])] };
  connection.execute(insert);
  const all = { sql: "select *, id as again from item", parameters: [] };
  assert.deepEqual(connection.execute(all).rows, [{ id: 1, name: null, bytes: new Uint8Array([1, 2]), again: 1 }]);
  connection.execute({ sql: "alter table item rename column name to title", parameters: [] });
  connection.run("alter table item drop column bytes");
  assert.deepEqual(connection.execute(all).rows, [{ id: 1, title: null, again: 1 }]);
});
