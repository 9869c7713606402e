import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CompiledQuery, sql } from "kysely";
import type { Commit, Database } from "./database.ts";
import { prepareQuery } from "./prepared-query.ts";
import { isUniqueViolation } from "./storage-error.ts";
import { forEachDatabase } from "./testing/test-databases.ts";

const insert = prepareQuery<{ name: string; value: string }, { name: string }>(["name", "value"], (db, row) =>
  db.insertInto("settings").values(row).returning("name"),
);
const find = prepareQuery<{ name: string }, { name: string }>(["name"], (db, { name }) =>
  db.selectFrom("settings").select("name").where("name", "=", name),
);

function commitOf({ read }: Database, ...names: string[]): Commit {
  return {
    statements: names.map((name) => insert.statement(read, { name, value: "a\u0000b" })),
    proof: find.statement(read, { name: names[0] ?? "" }),
  };
}

async function stored({ read }: Database): Promise<string[]> {
  const rows = await read.selectFrom("settings").select("name").orderBy("name").execute();
  return rows.map(({ name }) => name);
}

await forEachDatabase(({ name: dialect, openTestDatabase, createTestStorage }) => {
  describe("commit", () => {
    test("writes all of it, and resolves with the rows that its statements return", async (t) => {
      const database = await openTestDatabase(t);
      assert.deepEqual(await database.commit(commitOf(database, "a", "b")), [{ name: "a" }, { name: "b" }]);
      assert.deepEqual(await stored(database), ["a", "b"]);
      const { value } = await database.read.selectFrom("settings").select("value").executeTakeFirstOrThrow();
      assert.equal(value, "a\u0000b");
    });

    test("writes nothing of one that fails, and everything of those beside it", async (t) => {
      const database = await openTestDatabase(t);
      await database.commit(commitOf(database, "taken"));
      const [first, failing, last, write] = await Promise.allSettled([
        database.commit(commitOf(database, "1")),
        database.commit(commitOf(database, "2", "taken")),
        database.commit(commitOf(database, "3")),
        database.write((tx) => insert(tx, { name: "4", value: "" })),
      ]);
      assert.deepEqual([first.status, last.status, write.status], ["fulfilled", "fulfilled", "fulfilled"]);
      assert.ok(failing.status === "rejected" && isUniqueViolation(failing.reason));
      assert.deepEqual(await stored(database), ["1", "3", "4", "taken"]);
    });

    test("many at once are all written", async (t) => {
      const database = await openTestDatabase(t);
      const names = Array.from({ length: 300 }, (_, index) => `n${String(index).padStart(3, "0")}`);
      const lock = (index: number) => ({ lock: `session ${index % 7}` });
      await Promise.all(names.map((name, index) => database.commit({ ...commitOf(database, name), ...lock(index) })));
      assert.deepEqual(await stored(database), names);
    });

    test("a closed database refuses it, and a write that it would be part of", async (t) => {
      const storage = await createTestStorage(t);
      const database = await storage.open();
      await assert.rejects(
        database.write(async () => database.commit(commitOf(database, "a"))),
        /cannot be started inside a write/,
      );
      const last = database.commit(commitOf(database, "b"));
      await database.close();
      assert.deepEqual(await last, [{ name: "b" }]);
      await assert.rejects(async () => database.commit(commitOf(database, "c")), /closed/);
    });

    if (dialect === "sqlite") return;

    test("is not repeated when the connection is lost after the server took it", async (t) => {
      const storage = await createTestStorage(t);
      const [database, killer] = await Promise.all([storage.open(), storage.open()]);
      const suicide = CompiledQuery.raw(
        `select pg_terminate_backend(pid) from pg_stat_activity where pid = pg_backend_pid() and 'x' = $1`,
        ["x"],
      );
      // Two flights: the first one ends its own connection, its proof is there already.
      await database.commit(commitOf(database, "there"));
      const { statements } = commitOf(database, "there");
      const { proof } = commitOf(database, "there");
      assert.deepEqual(await database.commit({ statements: [suicide, ...statements], proof }), [{ name: "there" }]);
      assert.deepEqual(await stored(killer), ["there"]);
    });

    test("is repeated when the connection is lost before it", async (t) => {
      const storage = await createTestStorage(t);
      const [database, other] = await Promise.all([storage.open(), storage.open()]);
      await sql`create table attempts (n int)`.execute(other.read);
      const lock = Promise.withResolvers<void>();
      const isLocked = Promise.withResolvers<void>();
      const holding = other.write(async (tx) => {
        await sql`lock table settings in access exclusive mode`.execute(tx);
        isLocked.resolve();
        await lock.promise;
      });
      await isLocked.promise;
      const commit = database.commit(commitOf(database, "a"));
      const waiting = sql<{ pid: number }>`
        select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      let pid: number | undefined;
      while (pid === undefined) pid = (await waiting.execute(other.read)).rows[0]?.pid;
      await sql`select pg_terminate_backend(${pid}::int, 60000)`.execute(other.read);
      lock.resolve();
      await holding;
      assert.deepEqual(await commit, [{ name: "a" }]);
      assert.deepEqual(await stored(other), ["a"]);
    });
  });
});
