import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import { assertWritable } from "../readiness.ts";
import { StorageError } from "../storage-error.ts";
import { copySqliteDatabase, readSpace } from "./compact-sqlite-database.ts";

test("every acknowledged write survives SIGKILL", async (t) => {
  const dataDir = await makeDirectory(t);
  const acknowledged: string[] = [];
  const child = startWriter(t, dataDir);
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    acknowledged.push(line);
    if (acknowledged.length === 500) child.kill("SIGKILL");
  }
  // What the killed process had printed is read to the end; a torn last line is no acknowledgement.
  const database = await open(t, dataDir);
  const rows = await database.read.selectFrom("settings").select("name").execute();
  const stored = new Set(rows.map((row) => row.name));
  assert.ok(acknowledged.length >= 500);
  assert.deepEqual(
    acknowledged.filter((name) => /^\d+-\d+$/.test(name) && !stored.has(name)),
    [],
  );
  const { rows: check } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database.read);
  assert.deepEqual(check, [{ integrity_check: "ok" }]);
});

test("the space of deleted rows goes back to the file system, step by step, except for what the next rows take", async (t) => {
  const dataDir = await makeDirectory(t);
  const database = await open(t, dataDir);
  // The write-ahead log included.
  const size = () => readSpace(join(dataDir, "weft.db")).fileBytes;
  const value = "x".repeat(1_024 ** 2);
  for (let index = 0; index < 40; index += 1) {
    await database.write((tx) =>
      tx
        .insertInto("settings")
        .values({ name: `large-${index}`, value })
        .execute(),
    );
  }
  assert.equal(await database.giveBackSpace(), false);
  await database.write((tx) => tx.deleteFrom("settings").where("name", "like", "large-%").execute());
  const before = size();
  let steps = 0;
  while (await database.giveBackSpace()) steps += 1;
  // 256 pages each: more would keep other writers waiting, fewer would never end.
  assert.ok(steps > 10 && steps < 50, `${steps} steps`);
  await database.close();
  assert.ok(size() < before - 20 * 1_024 ** 2);
  assert.ok(size() >= 16 * 1_024 ** 2);
});

test("nothing of what was deleted stays in the files, nor in a copy of them", async (t) => {
  const dataDir = await makeDirectory(t);
  const database = await open(t, dataDir);
  const words = (index: number) => `Zebrafish-${index} `;
  // Short values, and some that need pages of their own.
  const rows = Array.from({ length: 400 }, (_, index) => ({
    name: `${(index * 7_919) % 400}-${index}`,
    value: words(index).repeat(index % 20 === 0 ? 2_000 : 3),
  }));
  for (const row of rows) await database.write((tx) => tx.insertInto("settings").values(row).execute());
  const findIn = async (folder: string) => {
    const found: string[] = [];
    for (const name of await readdir(folder)) {
      if ((await readFile(join(folder, name))).includes("Zebrafish-")) found.push(name);
    }
    return found;
  };
  assert.notDeepEqual(await findIn(dataDir), []);
  await database.write((tx) => tx.deleteFrom("settings").where("value", "like", "Zebrafish%").execute());
  await database.eraseDeleted();
  assert.deepEqual(await findIn(dataDir), []);
  const copies = await makeDirectory(t);
  copySqliteDatabase(join(dataDir, "weft.db"), join(copies, "weft.db"));
  assert.deepEqual(await findIn(copies), []);
});

test("a directory that another process uses is refused, until that process is gone", async (t) => {
  const dataDir = await makeDirectory(t);
  const child = startWriter(t, dataDir);
  await once(child.stdout ?? child, "data");
  await assert.rejects(openDatabase({ databaseUrl: "", dataDir }), (error: unknown) => {
    assert.ok(error instanceof StorageError);
    assert.ok(error.message.includes(dataDir));
    assert.match(error.message, /Another Weft process uses the data directory .* Stop that process first/);
    return true;
  });
  child.kill("SIGKILL");
  await once(child, "close");
  await assertWritable(await open(t, dataDir));
});

test("a directory is refused to the same process too, and given back by close", async (t) => {
  const dataDir = await makeDirectory(t);
  const first = await open(t, dataDir);
  await assert.rejects(openDatabase({ databaseUrl: "", dataDir }), StorageError);
  await first.write((tx) => tx.insertInto("settings").values({ name: "a", value: "1" }).execute());
  await first.close();
  await first.close();
  await assertWritable(await open(t, dataDir));
});

test("the directory is made, readable by its owner alone", async (t) => {
  const dataDir = join(await makeDirectory(t), "deep", "data");
  await open(t, dataDir);
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  assert.equal((await stat(join(dataDir, "weft.db"))).isFile(), true);
});

test("the settings that durability rests on are in force", async (t) => {
  const database = await open(t, await makeDirectory(t));
  const pragma = (name: string) => database.write((tx) => sql`pragma ${sql.raw(name)}`.execute(tx));
  assert.deepEqual((await pragma("journal_mode")).rows, [{ journal_mode: "wal" }]);
  assert.deepEqual((await pragma("synchronous")).rows, [{ synchronous: 1 }]);
  assert.deepEqual((await pragma("foreign_keys")).rows, [{ foreign_keys: 1 }]);
});

test("writing through the read handle is refused", async (t) => {
  const database = await open(t, await makeDirectory(t));
  await assert.rejects(
    database.read.insertInto("settings").values({ name: "a", value: "1" }).execute(),
    /attempt to write a readonly database/,
  );
});

test("a file that is no database is refused, and the directory given back", async (t) => {
  const dataDir = await makeDirectory(t);
  await writeFile(join(dataDir, "weft.db"), "not a database, but long enough to be looked at ".repeat(100));
  await assert.rejects(openDatabase({ databaseUrl: "", dataDir }), /weft\.db in DATA_DIR is damaged/);
  await rm(join(dataDir, "weft.db"));
  await assertWritable(await open(t, dataDir));
});

test("an address of another kind is refused", async (t) => {
  const dataDir = await makeDirectory(t);
  await assert.rejects(openDatabase({ databaseUrl: "mysql://localhost/weft", dataDir }), /must start with postgres:/);
});

async function makeDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "weft-test-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function open(t: TestContext, dataDir: string): Promise<Database> {
  const database = await openDatabase({ databaseUrl: "", dataDir });
  t.after(() => database.close());
  return database;
}

function startWriter(t: TestContext, dataDir: string): ChildProcess {
  const script = fileURLToPath(new URL("../testing/acknowledged-writer.ts", import.meta.url));
  const child = spawn(process.execPath, [script, dataDir], { stdio: ["pipe", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  return child;
}
