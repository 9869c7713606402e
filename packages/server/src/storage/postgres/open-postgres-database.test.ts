import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import { StorageError } from "../storage-error.ts";
import { forEachDatabase } from "../testing/test-databases.ts";

test("a server that cannot be reached is named as such, without the password", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const address = closed.address();
  closed.close();
  await once(closed, "close");
  assert.ok(typeof address === "object" && address !== null);
  const databaseUrl = `postgres://weft:hunter2@127.0.0.1:${address.port}/weft`;
  await assert.rejects(openDatabase({ databaseUrl, dataDir: "" }), (error: unknown) => {
    assert.ok(error instanceof StorageError);
    assert.match(error.message, /PostgreSQL at DATABASE_URL cannot be used: .*ECONNREFUSED.* Check the address/);
    assert.equal(error.message.includes("hunter2"), false);
    return true;
  });
});

test("an address that cannot be read is refused", async () => {
  await assert.rejects(openDatabase({ databaseUrl: "postgres://u:p@h:port/d", dataDir: "" }), (error: unknown) => {
    assert.ok(error instanceof StorageError);
    return true;
  });
});

await forEachDatabase(({ name, createTestStorage }) => {
  if (name === "sqlite") return;

  test("processes that start together share one schema", async (t) => {
    const storage = await createTestStorage(t);
    const [first, second] = await Promise.all([storage.open(), storage.open(), storage.open()]);
    await first.write((tx) => tx.insertInto("settings").values({ name: "a", value: "1" }).execute());
    assert.equal((await second.read.selectFrom("settings").selectAll().execute()).length, 1);
  });

  test("two processes that read, decide and write behave as if one came after the other", async (t) => {
    const storage = await createTestStorage(t);
    const databases = await Promise.all([storage.open(), storage.open()]);
    const [first] = databases;
    await first.write((tx) => tx.insertInto("settings").values({ name: "count", value: "0" }).execute());
    await Promise.all([...databases, ...databases, ...databases].map(increment));
    const row = await first.read.selectFrom("settings").select("value").executeTakeFirstOrThrow();
    assert.equal(row.value, "6");
  });

  test("a lost connection is reported and replaced", async (t) => {
    const storage = await createTestStorage(t);
    const lost = Promise.withResolvers<string>();
    const logger = { error: (event: string) => lost.resolve(event) };
    const database = await openDatabase({ ...storage, logger });
    t.after(() => database.close());
    const killer = await storage.open();
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.read);
    await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(killer.read);
    assert.equal(await lost.promise, "database-connection-lost");
    await database.ping();
  });
});

async function increment(database: Database): Promise<void> {
  await database.write(async (tx) => {
    const { value } = await tx.selectFrom("settings").select("value").executeTakeFirstOrThrow();
    await tx
      .updateTable("settings")
      .set({ value: String(Number(value) + 1) })
      .execute();
  });
}
