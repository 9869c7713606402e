import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { Database } from "./database.ts";
import { keepUntilChange, tablesWrittenBy } from "./table-changes.ts";
import { forEachDatabase } from "./testing/test-databases.ts";
import { until } from "./testing/until.ts";

test("the tables that a statement writes are read from its text, those of parts of it included", () => {
  assert.deepEqual(tablesWrittenBy('insert into "a" ("x") select "y" from "b"'), ["a"]);
  assert.deepEqual(tablesWrittenBy('with "m" as (delete from "a" returning "id") update "b" set "x" = 1'), ["a", "b"]);
  assert.deepEqual(tablesWrittenBy('select "id" from "a" for update'), []);
});

test("an answer is kept until the next change, one that comes while it is read included", async () => {
  let changes: number | undefined = 0;
  let reads = 0;
  const kept = keepUntilChange<string>({ changes: () => changes }, ["agents"], 2);
  const ask = (key: string, whileRead = () => {}) =>
    kept(key, async () => {
      const answer = `${key} ${changes}`;
      await Promise.resolve();
      whileRead();
      reads += 1;
      return answer;
    });
  assert.deepEqual([await ask("a"), await ask("a"), reads], ["a 0", "a 0", 1]);
  changes = 1;
  assert.deepEqual([await ask("a"), await ask("a"), reads], ["a 1", "a 1", 2]);
  const change = () => {
    changes = 2;
  };
  assert.equal(await ask("b", change), "b 1");
  assert.deepEqual([await ask("b"), await ask("a"), await ask("c")], ["b 2", "a 2", "c 2"]);
  const before = reads;
  await ask("b");
  assert.equal(reads, before + 1, "no more than two are kept");
  await assert.rejects(
    kept("d", () => Promise.reject(new Error("gone"))),
    /gone/,
  );
  assert.equal(await ask("d"), "d 2");
  changes = undefined;
  assert.equal(await ask("d"), "d undefined");
});

await forEachDatabase(({ name, openTestDatabase, createTestStorage }) => {
  const choose = (database: Database, value: string) =>
    database.write(async (tx) => {
      await tx
        .insertInto("settings")
        .values({ name: "n", value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
        .execute();
      if (value === "refused") throw new Error("refused");
    });
  const count = (database: Database) => until(async () => database.changes(["settings"]));

  test("a commit is counted before its writer knows of it, and only for the tables that it wrote", async (t) => {
    const database = await openTestDatabase(t);
    const before = await count(database);
    const ofAgents = database.changes(["agents"]);
    await choose(database, "a");
    const after = await count(database);
    assert.ok(after > before);
    assert.equal(database.changes(["agents"]), ofAgents);
    await assert.rejects(choose(database, "refused"), /refused/);
    await choose(database, "b");
    assert.ok((await count(database)) > after);
  });

  test("what is kept is never older than the last write", async (t) => {
    const database = await openTestDatabase(t);
    const kept = keepUntilChange<string | undefined>(database, ["settings"], 10);
    const read = () => database.read.selectFrom("settings").select("value").where("name", "=", "n").executeTakeFirst();
    const ask = () => kept("n", async () => (await read())?.value);
    for (let round = 0; round < 100; round += 1) {
      await Promise.all([
        ask(),
        choose(database, `${round}`).then(async () => assert.equal(await ask(), `${round}`)),
        ask(),
      ]);
    }
  });

  if (name === "sqlite") return;

  test("a change of another process is heard, and nothing is kept while it could not be", async (t) => {
    const storage = await createTestStorage(t);
    const [database, other] = await Promise.all([storage.open(), storage.open()]);
    const before = await count(database);
    await choose(other, "a");
    await until(async () => ((await count(database)) > before ? true : undefined));
    const { rows } = await sql<{ pid: number }>`
      select pg_terminate_backend(pid, 60000) from pg_stat_activity
      where query = 'listen weft' and datname = current_database()`.execute(other.read);
    assert.equal(rows.length, 2);
    await until(async () => (database.changes(["settings"]) === undefined ? true : undefined));
    const later = await count(database);
    assert.ok(later > before + 1, "what was said meanwhile is lost: everything counts as changed");
  });
});
