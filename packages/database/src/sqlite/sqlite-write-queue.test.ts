import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { createSqliteHandles, openSqliteConnection, type SqliteConnection } from "./sqlite-handle.ts";
import { createSqliteWriteQueue } from "./sqlite-write-queue.ts";

test("writes of one turn of the event loop share a commit, in order of arrival", async (t) => {
  const { queue, statements } = setUp(t);
  await Promise.all([1, 2, 3].map((id) => queue.write((tx) => insert(tx, id))));
  assert.deepEqual(
    statements.filter((text) => /^(begin|commit)/.test(text)),
    ["begin immediate", "commit"],
  );
  assert.deepEqual(statements.filter((text) => text.startsWith("insert")).length, 3);
});

test("nobody is answered before the disk has it; the next batch runs meanwhile and shares the next sync", async (t) => {
  const syncs: PromiseWithResolvers<void>[] = [];
  const { queue, connection } = setUp(t, () => {
    const asked = Promise.withResolvers<void>();
    syncs.push(asked);
    return asked.promise;
  });
  const answered: number[] = [];
  const write = async (id: number) => {
    await queue.write((tx) => insert(tx, id));
    answered.push(id);
  };
  const first = write(1);
  await nextTurn();
  await nextTurn();
  const others = [write(2), write(3)];
  await nextTurn();
  await nextTurn();
  assert.deepEqual(items(connection), [1, 2, 3]);
  assert.deepEqual(answered, []);
  syncs[0]?.resolve();
  await first;
  assert.deepEqual(answered, [1]);
  assert.equal(syncs.length, 2);
  syncs[1]?.resolve();
  await Promise.all(others);
  assert.deepEqual(answered, [1, 2, 3]);
});

test("when the disk refuses, who waited is told, and nothing more is accepted before a restart", async (t) => {
  const { queue } = setUp(t, () => Promise.reject(new Error("input/output error")));
  for (const id of [1, 2]) {
    await assert.rejects(
      queue.write((tx) => insert(tx, id)),
      { name: "DatabaseUnavailableError", reason: "its disk fails. Look after the disk, then restart the server" },
    );
  }
});

test("nobody is answered before COMMIT returned, and when it fails everybody is refused", async (t) => {
  const { queue, connection } = setUp(t);
  connection.run("create table child (id integer references item deferrable initially deferred)");
  const orphan = (tx: Kysely<Tables>) => sql`insert into child values (99)`.execute(tx);
  const results = await Promise.allSettled([queue.write((tx) => insert(tx, 1)), queue.write(orphan)]);
  for (const result of results) {
    assert.equal(result.status, "rejected");
    assert.match(String(result.reason), /nothing of it was written/);
    assert.match(String(result.reason.cause), /FOREIGN KEY constraint failed/);
  }
  assert.deepEqual(items(connection), []);
  await queue.write((tx) => insert(tx, 2));
  assert.deepEqual(items(connection), [2]);
});

test("when SQLite ends the transaction every write in it is refused, and later ones go on", async (t) => {
  const { queue, connection } = setUp(t);
  const results = await Promise.allSettled([
    queue.write((tx) => insert(tx, 1)),
    queue.write((tx) => sql`insert or rollback into item values (1)`.execute(tx)),
    queue.write((tx) => insert(tx, 3)),
  ]);
  assert.deepEqual(
    results.map((result) => result.status),
    ["rejected", "rejected", "fulfilled"],
  );
  assert.deepEqual(items(connection), [3]);
});

test("a full disk refuses the write that did not fit and keeps the others", async (t) => {
  const { queue, connection } = setUp(t);
  connection.execute({ sql: "pragma max_page_count = 20", parameters: [] });
  const big = (tx: Kysely<Tables>) => sql`insert into text_item values (${"x".repeat(1_000_000)})`.execute(tx);
  connection.run("create table text_item (value text)");
  const results = await Promise.allSettled([
    queue.write(big),
    queue.write((tx) => insert(tx, 2)),
    queue.write((tx) => insert(tx, 3)),
  ]);
  assert.ok(results[0].status === "rejected");
  assert.match(String(results[0].reason), /its disk is full. Free some space there/);
  const written = [2, 3].filter((_, index) => results[index + 1]?.status === "fulfilled");
  assert.deepEqual(items(connection), written);
  await queue.write((tx) => insert(tx, 4));
  assert.deepEqual(items(connection), [...written, 4]);
});

test("a write that waits for something else is rolled back and refused, and the others go on", async (t) => {
  const { queue, connection } = setUp(t);
  const slow = queue.write(async (tx) => {
    await insert(tx, 1);
    await nextTurn();
    await nextTurn();
    await insert(tx, 2);
  });
  const never = queue.write(async (tx) => {
    await insert(tx, 3);
    await new Promise(() => {});
  });
  const good = queue.write((tx) => insert(tx, 4));
  await assert.rejects(slow, /waited for something other than the database/);
  await assert.rejects(never, /waited for something other than the database/);
  await good;
  await nextTurn();
  assert.deepEqual(items(connection), [4]);
});

test("a database that is locked refuses the writes that wait, and serves later ones", async (t) => {
  const { queue, connection } = setUp(t);
  connection.run("begin");
  await assert.rejects(
    queue.write((tx) => insert(tx, 1)),
    /nothing of it was written/,
  );
  await queue.write((tx) => insert(tx, 2));
  assert.deepEqual(items(connection), [2]);
});

test("a batch ends after 10 ms, and the event loop turns before the next", async (t) => {
  const { queue, statements, time } = setUp(t);
  const writeForLong = (id: number) =>
    queue.write(async (tx) => {
      await insert(tx, id);
      time.ms += 11;
    });
  const turns: string[] = [];
  await Promise.all([
    writeForLong(1).then(() => setImmediate(() => turns.push("turn"))),
    writeForLong(2).then(() => turns.push("second")),
  ]);
  await writeForLong(3);
  assert.equal(statements.filter((text) => text === "commit").length, 3);
  assert.ok(turns.includes("turn"));
});

test("many writes are settled in order of arrival", async (t) => {
  const { queue, connection } = setUp(t);
  const settled: number[] = [];
  const ids = Array.from({ length: 2_000 }, (_, id) => id);
  await Promise.all(ids.map((id) => queue.write((tx) => insert(tx, id)).then(() => settled.push(id))));
  assert.deepEqual(settled, ids);
  assert.deepEqual(items(connection), ids);
});

test("a write runs in its caller's asynchronous context", async (t) => {
  const { queue } = setUp(t);
  const context = new AsyncLocalStorage<string>();
  const ask = (name: string) => context.run(name, () => queue.write(async () => context.getStore()));
  assert.deepEqual(await Promise.all([ask("a"), ask("b")]), ["a", "b"]);
});

test("a writer that throws at once is refused like any other", async (t) => {
  const { queue, connection } = setUp(t);
  await assert.rejects(
    queue.write(() => {
      throw new TypeError("no promise");
    }),
    /no promise/,
  );
  await queue.write((tx) => insert(tx, 1));
  assert.deepEqual(items(connection), [1]);
});

test("closing an idle queue resolves, and a closed one refuses", async (t) => {
  const { queue } = setUp(t);
  await queue.close();
  await assert.rejects(
    queue.write((tx) => insert(tx, 1)),
    /closed/,
  );
});

function setUp(t: TestContext, sync: () => Promise<void> = async () => {}) {
  const connection = openSqliteConnection({ path: ":memory:" });
  t.after(() => connection.close());
  connection.run("create table item (id integer primary key)");
  const statements: string[] = [];
  // Stands still, so that a busy machine ends no batch.
  const time = { ms: 0 };
  const recording: SqliteConnection = {
    ...connection,
    run(text) {
      statements.push(text);
      connection.run(text);
    },
    execute(query) {
      statements.push(query.sql);
      return connection.execute(query);
    },
  };
  return {
    queue: createSqliteWriteQueue({
      connection: recording,
      handles: createSqliteHandles(recording),
      sync,
      now: () => time.ms,
    }),
    time,
    connection,
    statements,
  };
}

async function insert(tx: Kysely<Tables>, id: number): Promise<void> {
  await sql`insert into item values (${id})`.execute(tx);
}

function items(connection: SqliteConnection): number[] {
  return connection
    .execute<{ id: number }>({ sql: "select id from item order by id", parameters: [] })
    .rows.map((row) => row.id);
}
