import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import { assertWritable } from "../readiness.ts";
import { StorageError } from "../storage-error.ts";
import type { Tables } from "../tables.ts";
import { forEachDatabase } from "../testing/test-databases.ts";
import { until } from "../testing/until.ts";

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

  for (const poolSize of [4, 8, 11, 20]) {
    test(`a process of ${poolSize} connections holds no others, and does everything over them`, async (t) => {
      const { databaseUrl, dataDir, open } = await createTestStorage(t);
      const watcher = await open();
      const connected = async () => {
        const { rows } = await sql<{ pid: number }>`
          select pid from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend'`.execute(watcher.read);
        return rows.map(({ pid }) => pid);
      };
      const before = await until(async () => {
        const pids = await connected();
        // One asks, one listens.
        return pids.length === 2 ? pids : undefined;
      });
      // On a busy machine a connection may be silent for long enough to be asked about over another one.
      const times = { silentMs: 600_000, answerWithinMs: 600_000 };
      const database = await openDatabase({ databaseUrl, dataDir, poolSize, times });
      t.after(() => database.close());
      const seen = new Set<number>();
      const write = (index: number) =>
        database.write(
          async (tx) => {
            await sql`select pg_sleep(0.01)`.execute(tx);
            await tx
              .insertInto("settings")
              .values({ name: `write ${index}`, value: "" })
              .execute();
          },
          { isolation: "read-committed" },
        );
      const commit = (index: number) => {
        const row = { name: `commit ${index}`, value: "" };
        const proof = database.read.selectFrom("settings").select("name").where("name", "=", row.name).compile();
        return database.commit({ statements: [database.read.insertInto("settings").values(row).compile()], proof });
      };
      const read = () => sql`select pg_sleep(0.01)`.execute(database.read);
      const work = Array.from({ length: 60 }, (_, index) => [write(index), commit(index), read()]).flat();
      let isOver = false;
      const over = Promise.all(work).finally(() => {
        isOver = true;
      });
      while (!isOver) for (const pid of await connected()) seen.add(pid);
      await over;
      const own = [...seen].filter((pid) => !before.includes(pid));
      assert.ok(own.length <= poolSize, `${own.length} connections`);
      assert.ok(own.length >= 3, `${own.length} connections`);
      const { total } = await watcher.read
        .selectFrom("settings")
        .select(({ fn }) => fn.countAll<number>().as("total"))
        .where("name", "like", "% %")
        .executeTakeFirstOrThrow();
      assert.equal(Number(total), 120);
    });
  }

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
    await assertWritable(database);
  });

  test("a connection that ends within a write is reported, and the write is done over another one, once", async (t) => {
    const storage = await createTestStorage(t);
    const events: string[] = [];
    const database = await openDatabase({ ...storage, logger: { error: (event) => events.push(event) } });
    t.after(() => database.close());
    const killer = await storage.open();
    let attempts = 0;
    await database.write(async (tx) => {
      attempts += 1;
      await tx
        .insertInto("settings")
        .values({ name: `attempt ${attempts}`, value: "" })
        .execute();
      if (attempts === 1) await endConnection(killer, await pidOf(tx));
      await tx.insertInto("settings").values({ name: "done", value: "" }).execute();
    });
    const names = await database.read.selectFrom("settings").select("name").orderBy("name").execute();
    assert.deepEqual(names, [{ name: "attempt 2" }, { name: "done" }]);
    assert.deepEqual(events, ["database-connection-lost"]);
  });

  test("a write fails with what it failed with, also when its connection has ended", async (t) => {
    const storage = await createTestStorage(t);
    const [database, killer] = await Promise.all([storage.open(), storage.open()]);
    const write = database.write(async (tx) => {
      await endConnection(killer, await pidOf(tx));
      throw new Error("No such agent.");
    });
    await assert.rejects(write, { message: "No such agent." });
  });

  test("the rows of a transaction that a stopped process has left open are soon free", async (t) => {
    const storage = await createTestStorage(t);
    const database = await storage.open();
    await database.write((tx) => tx.insertInto("settings").values({ name: "held", value: "" }).execute());
    const holder = fileURLToPath(new URL("../testing/row-holder.ts", import.meta.url));
    const child = spawn(process.execPath, [holder, storage.databaseUrl], { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    await once(child.stdout, "data");
    child.kill("SIGSTOP");
    await database.write((tx) =>
      tx.updateTable("settings").set({ value: "taken" }).where("name", "=", "held").execute(),
    );
    const row = await database.read
      .selectFrom("settings")
      .select("value")
      .where("name", "=", "held")
      .executeTakeFirst();
    assert.equal(row?.value, "taken");
  });

  test("a change of the schema that loses against a server at work is made again", async (t) => {
    const storage = await createTestStorage(t);
    const database = await storage.open();
    await database.write(async (tx) => {
      await sql`delete from kysely_migration where name = '0034-chats-of-loaders'`.execute(tx);
      await sql`alter table "documentLoaders" drop column "chatId", drop column "chatAgentId"`.execute(tx);
    });
    const isLocked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const locking = database.write(async (tx) => {
      await sql`lock table "documentLoaders" in access share mode`.execute(tx);
      isLocked.resolve();
      // Longer than anybody waits for a lock, and busy, so that nobody ends it.
      await sql`select pg_sleep(5)`.execute(tx);
      await release.promise;
    });
    await isLocked.promise;
    const opening = storage.open();
    release.resolve();
    await Promise.all([locking, opening]);
    const { rows } = await sql`select "chatId" from "documentLoaders"`.execute((await opening).read);
    assert.deepEqual(rows, []);
  });

  test("a read whose connection ends is asked again", async (t) => {
    const storage = await createTestStorage(t);
    const [database, locker] = await Promise.all([storage.open(), storage.open()]);
    const isLocked = Promise.withResolvers<number>();
    const release = Promise.withResolvers<void>();
    const locking = locker.write(async (tx) => {
      await sql`lock table settings in access exclusive mode`.execute(tx);
      isLocked.resolve(await pidOf(tx));
      await release.promise;
    });
    const blocker = await isLocked.promise;
    const reading = database.read.selectFrom("settings").selectAll().execute();
    const blocked = await until(async () => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity where ${blocker}::int = any(pg_blocking_pids(pid))`.execute(locker.read);
      return rows[0]?.pid;
    });
    await endConnection(locker, blocked);
    release.resolve();
    await locking;
    assert.deepEqual(await reading, []);
  });
});

async function pidOf(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? 0;
}

/** Resolves when the server has ended it. */
async function endConnection(by: Database, pid: number): Promise<void> {
  await sql`select pg_terminate_backend(${pid}::int, 60000)`.execute(by.read);
}

async function increment(database: Database): Promise<void> {
  await database.write(async (tx) => {
    const { value } = await tx.selectFrom("settings").select("value").executeTakeFirstOrThrow();
    await tx
      .updateTable("settings")
      .set({ value: String(Number(value) + 1) })
      .execute();
  });
}
