import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFile, mkdir, readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { type FlowiseSource, openFlowise } from "../index.ts";
import { buildFlowiseDatabase } from "../testing/build-flowise-database.ts";
import { makeFolder } from "../testing/test-sources.ts";

test("says what is wrong with a file", async (t) => {
  const folder = await makeFolder(t);
  const { keyFile } = await buildFlowiseDatabase({ folder });
  const other = join(folder, "other.db");
  new DatabaseSync(other).exec("create table chat_flow (id text, title text)");
  const empty = join(folder, "empty.db");
  await writeFile(empty, "");
  const text = join(folder, "text.db");
  await writeFile(text, "not a database ".repeat(100));
  const broken = join(folder, "broken.db");
  await copyFile(join(folder, "database.sqlite"), broken);
  await truncate(broken, 8_192);
  for (const [database, expected] of [
    [join(folder, "missing.sqlite"), /^There is no file .*missing\.sqlite/],
    [folder, /is a folder\. Name the database in it/],
    [keyFile, /is not a SQLite database/],
    [text, /is not a SQLite database/],
    [other, /not a database of Flowise/],
    [empty, /not a database of Flowise/],
    [broken, /broken\.db is damaged/],
  ] as const) {
    await assert.rejects(openFlowise({ database }), { name: "FlowiseSourceError", message: expected }, database);
  }
  assert.deepEqual(
    (await readdir(folder)).filter((name) => /-(wal|shm|journal)$/.test(name)),
    [],
  );
});

test("reads rows without an id, numbers too large and bytes that are no text", async (t) => {
  const folder = await makeFolder(t);
  const { database } = await buildFlowiseDatabase({ folder });
  using writer = new DatabaseSync(database);
  writer.exec(`drop table tool; create table tool (id varchar, name varchar, func text, "createdDate" datetime);
    insert into tool values (null, 'no id', 9223372036854775807, '2025-01-01T10:00:00.5+02:00');
    insert into tool values ('b', x'ff41', null, 'yesterday'), ('b', 'same id', '', null);
    insert into tool values (17, 'a number', '', '2025-01-01 07:59:59');
    update chat_flow set deployed = 'maybe' where deployed = 1`);
  const source = await open(t, database);
  const tools = (await source.rows("tool")[Symbol.asyncIterator]().next()).value;
  assert.deepEqual(
    tools?.map(({ id, name, func, createdDate, schema }: Record<string, unknown>) => [
      id,
      name,
      func,
      createdDate,
      schema,
    ]),
    [
      ["b", "\ufffdA", null, null, null],
      ["b", "same id", "", null, null],
      ["17", "a number", "", "2025-01-01T07:59:59.000Z", null],
      ["", "no id", "9223372036854775807", "2025-01-01T08:00:00.500Z", null],
    ],
  );
  for await (const flows of source.rows("chat_flow")) assert.ok(flows.every(({ deployed }) => deployed !== true));
});

test("reads beside a Flowise that keeps its database open, and can write nothing meanwhile", async (t) => {
  const { database } = await buildFlowiseDatabase({ folder: await makeFolder(t) });
  using flowise = new DatabaseSync(database, { timeout: 0 });
  flowise.exec("update variable set value = 'now'");
  const source = await open(t, database);
  assert.equal(await source.count("variable"), 4);
  assert.throws(() => flowise.exec("delete from variable"), /locked/);
  await source.close();
  flowise.exec("delete from variable where name = 'apiBase'");
  assert.equal(await (await open(t, database)).count("variable"), 3);
});

const canMount = spawnSync("mount", ["--version"]).status === 0 && process.getuid?.() === 0;

test("reads from a read-only folder, in WAL mode too", { skip: !canMount && "only root can mount" }, async (t) => {
  const folder = await makeFolder(t);
  const mounted = join(folder, "mounted");
  await mkdir(mounted);
  const { database } = await buildFlowiseDatabase({ folder });
  using writer = new DatabaseSync(database);
  await copyFile(database, join(mounted, "rollback.sqlite"));
  writer.exec("pragma journal_mode = wal; delete from variable where name = 'apiBase'");
  await copyFile(`${database}-wal`, join(mounted, "changed.sqlite-wal"));
  await copyFile(database, join(mounted, "changed.sqlite"));
  writer.exec("pragma wal_checkpoint(truncate)");
  await copyFile(database, join(mounted, "wal.sqlite"));
  execFileSync("mount", ["--bind", mounted, mounted]);
  try {
    execFileSync("mount", ["-o", "remount,bind,ro", mounted]);
    assert.equal(await countVariables(join(mounted, "rollback.sqlite")), 4);
    assert.equal(await countVariables(join(mounted, "wal.sqlite")), 3);
    await assert.rejects(countVariables(join(mounted, "changed.sqlite")), {
      name: "FlowiseSourceError",
      message: /cannot be opened\. If there is a file .*changed\.sqlite-wal, copy both/,
    });
  } finally {
    execFileSync("umount", ["--lazy", mounted]);
  }
});

async function countVariables(database: string): Promise<number> {
  const source = await openFlowise({ database });
  try {
    return await source.count("variable");
  } finally {
    await source.close();
  }
}

async function open(t: TestContext, database: string): Promise<FlowiseSource> {
  const source = await openFlowise({ database });
  t.after(source.close);
  return source;
}
