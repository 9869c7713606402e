import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import { startSilentProxy } from "../testing/silent-proxy.ts";
import { forEachDatabase, type TestDatabases } from "../testing/test-databases.ts";
import { until } from "../testing/until.ts";

/** A tenth of the usual. What waits for an answer has its usual patience. */
const times = { lookEveryMs: 100, silentMs: 300, askEveryMs: 200, answerWithinMs: 500, reconnectAfterMs: 100 };

/** A database behind a line that can go dead. */
async function openBehindProxy(t: Parameters<TestDatabases["createTestStorage"]>[0], databases: TestDatabases) {
  let database: Database | undefined;
  let end: () => void = () => undefined;
  t.after(async () => {
    await database?.close();
    end();
  });
  const storage = await databases.createTestStorage(t);
  const proxy = await startSilentProxy(storage.databaseUrl, 5432);
  end = proxy.close;
  database = await openDatabase({ ...storage, databaseUrl: proxy.url, times });
  return { database, proxy, other: await storage.open() };
}

await forEachDatabase((databases) => {
  if (databases.name === "sqlite") return;

  test("reads, writes and commits end when the lines to PostgreSQL go dead under them", async (t) => {
    const { database, proxy } = await openBehindProxy(t, databases);
    const insert = (name: string) =>
      database.write((tx) => tx.insertInto("settings").values({ name, value: "1" }).execute(), {
        isolation: "read-committed",
      });
    const commit = (name: string) => {
      const statements = [database.read.insertInto("settings").values({ name, value: "1" }).compile()];
      const proof = database.read.selectFrom("settings").select("name").where("name", "=", name).compile();
      return database.commit({ statements, proof });
    };
    const read = () => database.read.selectFrom("settings").select("name").execute();
    await Promise.all([insert("a"), commit("b"), read(), read(), read()]);
    proxy.silence();
    const names = ["c", "d", "e", "f", "g", "h"];
    await Promise.all([...names.map(insert), ...names.map((name) => commit(`${name}-commit`)), read(), read(), read()]);
    const found = (await read()).map(({ name }) => name);
    for (const name of names) {
      assert.equal(found.filter((one) => one === name).length, 1);
      assert.equal(found.filter((one) => one === `${name}-commit`).length, 1);
    }
  });

  test("a query that takes long is left alone", async (t) => {
    const { database } = await openBehindProxy(t, databases);
    const { rows } = await sql<{ done: number }>`select 1 as done from pg_sleep(1)`.execute(database.read);
    assert.deepEqual(rows, [{ done: 1 }]);
    const inTransaction = await database.write(async (tx) => (await sql`select 1 from pg_sleep(1)`.execute(tx)).rows);
    assert.equal(inTransaction.length, 1);
  });

  test("a process that only listens notices a dead line, does not trust what it keeps meanwhile, and hears again", async (t) => {
    const { database, proxy, other } = await openBehindProxy(t, databases);
    const heard: string[] = [];
    database.signals.hear("run-cancel-requested", (text) => heard.push(text));
    const hears = (since: number) =>
      until(async () => {
        await other.write((tx) => other.signals.send(tx, "run-cancel-requested", "a run"));
        return heard.length > since ? true : undefined;
      });
    await hears(0);
    assert.notEqual(database.changes(["agents"]), undefined);
    proxy.silence();
    await until(async () => (database.changes(["agents"]) === undefined ? true : undefined));
    await hears(heard.length);
  });
});
