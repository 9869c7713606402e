import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { createEgressClient, createSecretVault } from "@weft/egress";
import { createSqlClient } from "./index.ts";
import { forEachEngine, standardCall, type TestSource, toSource } from "./testing/test-sources.ts";

const signal = new AbortController().signal;

/** Statements that must end in a sentence, each with what it says. */
const refused = {
  sqlite: [
    ["attach 'other.db' as other", /can be run/],
    ["vacuum into '/tmp/weft-stolen.db'", /can be run/],
    ["pragma query_only = 0", /can be run/],
    ["pragma writable_schema = 1", /can be run/],
    ["select load_extension('x')", /can be run/],
    ["select fts3_tokenizer('simple')", /can be run|fts3_tokenizer/],
    ["create temp table x (a)", /can be run/],
    ["begin", /can be run/],
    ["explain delete from t", /can be run/],
    ["select zeroblob(1000000000)", /too big/],
    ["select hex(zeroblob(100000000))", /too big/],
    [
      `with recursive n(i, x) as (select 1, hex(randomblob(500000)) union all select i + 1, hex(randomblob(500000)) from n limit 2000)
      select i, length(x) from n order by x`,
      /more memory|longer than/,
    ],
  ],
  postgres: [
    ["copy (select 1) to program 'id'", /can be run/],
    ["copy t to '/tmp/weft-stolen'", /can be run/],
    ["do $$ begin delete from t; end $$", /can be run/],
    ["with gone as (delete from t returning 1) select * from gone", /can be run/],
    ["select * into u from t", /can be run/],
    ["select set_config('transaction_read_only', 'off', false)", /database says|can be run/],
    ["select pg_read_file('/etc/passwd')", /permission denied/],
    ["select lo_import('/etc/passwd')", /permission denied|can be run/],
    ["select nextval('s')", /can be run/],
    ["select 1; select 2", /one statement/i],
    ["select pg_sleep(30)", /longer than/],
    // Each row lifts the limit for those that are fetched next.
    ["select set_config('statement_timeout', '0', false), pg_sleep(0.2) from generate_series(1, 300)", /longer than/],
    ["select repeat('x', 30000000)", /much larger|longer than/],
  ],
  mysql: [
    ["select * from t into outfile '/tmp/weft-stolen'", /denied/i],
    ["set global max_connections = 1", /can be run/],
    ["kill 1", /can be run/],
    ["call anything()", /can be run/],
    ["/*! delete from t */", /executed/],
    ["select 1 /*!50000 into outfile '/tmp/weft-stolen' */", /executed/],
    ["set password = password('stolen')", /can be run/],
    ["begin not atomic delete from t; end", /can be run/],
    ["select 1 into @a", /can be run/],
    ["--\u0001\nset password = password('stolen')", /control characters/],
    ["analyze delete from t", /can be run/],
    ["load data local infile '/etc/passwd' into table t", /can be run/],
    ["select 1; select 2", /one statement/i],
    // The server ends it, and takes its value for that of the statement.
    ["select sleep(30)", /longer than|"sleep\(30\)"/],
    ["select repeat('x', 15000000) from t, t b, t c", /much larger|database says/],
  ],
} as const;

await forEachEngine(({ name, open }) => {
  describe(name, () => {
    test("refuses what leaves the database, what is several statements, and what takes too much", async (t) => {
      const source = await open(t);
      await source.prepare("create table t (a integer)", "insert into t values (1), (2)");
      if (name === "postgres") await source.prepare("create sequence s", "grant all on s to public");
      for (const [statement, reason] of refused[name]) {
        const outcome = await source.run(statement, { timeoutMs: 1_500 });
        assert.match(outcome.ok ? JSON.stringify(outcome.value) : outcome.reason, reason, statement);
      }
      assert.deepEqual(await source.rows("select count(*) as n from t"), [{ n: 2 }]);
      assert.ok(!existsSync("/tmp/weft-stolen.db") && !existsSync("/tmp/weft-stolen"));
    });

    if (name === "postgres") {
      test("refuses a member of a superuser like a superuser", async (t) => {
        const { database, prepare, run } = await open(t);
        assert.ok(database.engine === "postgres");
        const chief = `${database.user}_chief`;
        await prepare(`create role ${chief} superuser`, `grant ${chief} to ${database.user}`);
        const outcome = await run("select 1");
        await prepare(`drop role ${chief}`);
        assert.match(outcome.ok ? "" : outcome.reason, /a member of one/);
      });
    }

    if (name === "mysql") {
      test("what has no columns is refused by the server's own reading, and hashes of passwords are left out", async (t) => {
        const { database, prepare, rows, run } = await open(t);
        assert.ok(database.engine === "mysql");
        const shown = JSON.stringify(await rows("show grants"));
        assert.match(shown, /GRANT/);
        assert.doesNotMatch(shown, /\*[0-9A-F]{40}/);
        await prepare(`grant create user on *.* to ${database.user}@'%'`);
        const outcome = await run("select 1");
        assert.match(outcome.ok ? "" : outcome.reason, /CREATE USER/);
      });
    }

    if (name !== "sqlite") serverTests(open);
  });
});

function serverTests(open: (t: { after(fn: () => Promise<void>): void }) => Promise<TestSource>): void {
  test("connects to no host that the operator does not allow, and sends no secret to a host that it is not bound to", async (t) => {
    const { database } = await open(t);
    if (database.engine === "sqlite") return;
    const { host, port } = database;
    const vault = createSecretVault();
    const password = vault.placeholderFor("p", { value: database.password, name: "Shop", hosts: ["db.example:5432"] });
    const call = { statement: "select 1", signal, ...standardCall };
    const closed = createEgressClient({ allow: [], vault });
    const shut = createSqlClient({ connect: closed.connect, reveal: (text) => text, filesDir: "" });
    t.after(shut.close);
    await assert.rejects(shut.run({ ...call, database }), { code: "egress-refused" });
    const allowing = createEgressClient({ allow: [`${host}:${port}`], vault });
    const bound = createSqlClient({ connect: allowing.connect, reveal: allowing.reveal, filesDir: "" });
    t.after(bound.close);
    await assert.rejects(bound.run({ ...call, database: { ...database, password } }), { code: "credential-host" });
  });

  test("says what is wrong with user, password, database and host, and nothing secret", async (t) => {
    const { database } = await open(t);
    if (database.engine === "sqlite") return;
    const { host, port } = database;
    const { run } = toSource(t, database, { allow: [`${host}:${port}`, `${host}:1`] });
    const reasonOf = async (changes: object) => {
      const outcome = await run("select 1", { database: { ...database, ...changes } }).catch(
        (error: Error) => ({ ok: false, reason: error.message }) as const,
      );
      return outcome.ok ? "" : outcome.reason;
    };
    const wrong = await reasonOf({ user: "weft_nobody", password: "hunter2" });
    assert.match(wrong, /refuses this user with this password/);
    assert.doesNotMatch(wrong, /hunter2/);
    assert.match(await reasonOf({ database: "nowhere" }), /no such database/);
    assert.match(await reasonOf({ user: "" }), /has no user/);
    assert.match(await reasonOf({ port: 1 }), /connection refused/);
    const owner = database.engine === "postgres" ? { user: "postgres", password: "" } : { user: "root", password: "" };
    assert.match(await reasonOf(owner), /Use a user with rights on the tables alone/);
    assert.match(await reasonOf({ tls: true }), /(TLS|SSL|secure|certificate)/i);
  });
}

describe("files of SQLite", () => {
  test("are opened below the operator's folder alone", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "weft-sql-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const filesDir = join(folder, "open");
    await mkdir(join(filesDir, "deep"), { recursive: true });
    for (const path of ["secret.db", "open/shop.db", "open/deep/inner.db"]) {
      const database = new DatabaseSync(join(folder, path));
      database.exec("create table t (a); insert into t values (1)");
      database.close();
    }
    await symlink(join(folder, "secret.db"), join(filesDir, "link.db"));
    await symlink(folder, join(filesDir, "up"));
    await writeFile(join(filesDir, "notes.txt"), "no database ".repeat(100));
    const rowsOf = (file: string, dir = filesDir) =>
      toSource(t, { engine: "sqlite", file }, { filesDir: dir }).rows("select a from t");
    for (const file of ["shop.db", "deep/inner.db", "deep/../shop.db"])
      assert.deepEqual(await rowsOf(file), [{ a: 1 }]);
    const outside = [
      "../secret.db",
      join(folder, "secret.db"),
      "link.db",
      "up/secret.db",
      "deep",
      "none.db",
      "a\0b",
      ".",
    ];
    for (const file of outside)
      assert.match(String(await rowsOf(file)), /The folder of SQL_FILES_DIR has no file/, file);
    assert.match(String(await rowsOf("notes.txt")), /not a database/);
    assert.match(String(await rowsOf("")), /Enter its name/);
    assert.match(String(await rowsOf("shop.db", "")), /SQL_FILES_DIR/);
    assert.match(String(await rowsOf("shop.db", join(folder, "gone"))), /does not exist/);
  });
});
