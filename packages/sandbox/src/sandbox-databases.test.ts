import assert from "node:assert/strict";
import { after, describe, type TestContext, test } from "node:test";
import { createEgressClient } from "@weft/egress";
import type { SandboxCall } from "@weft/engine/ports/sandbox";
import type { SqlDatabase } from "@weft/engine/ports/sql-client";
import type { Json, JsonObject } from "@weft/schema";
import { createSqlClient } from "@weft/sql";
import { until } from "../../database/src/testing/until.ts";
import { forEachEngine, type TestEngine, type TestSource } from "../../sql/src/testing/test-sources.ts";
import { createSandbox, type SandboxLimits } from "./index.ts";

const sandbox = createSandbox({ workers: 1 });
after(() => sandbox.close());
const { signal } = new AbortController();

type Ask = { limits?: Partial<SandboxLimits>; call?: Partial<SandboxCall> };

/** A database with three orders, and code that sees where it is as `$db`. */
async function openShop(t: TestContext, { open }: TestEngine) {
  const source = await open(t);
  await source.prepare(
    "create table orders (id integer primary key, customer varchar(50) not null, total numeric(10, 2))",
    "insert into orders values (1, 'Ada', 12.5), (2, 'Bob''s', 7), (3, 'Ada', 1)",
  );
  return { ...source, ask: askerOf(t, source) };
}

/** The value that the code returns, or its error in words. */
function askerOf(t: TestContext, { client, database }: Pick<TestSource, "client" | "database">) {
  return async (code: string, { limits, call = {} }: Ask = {}): Promise<Json> => {
    const own = limits === undefined ? sandbox : createSandbox({ workers: 1, limits });
    if (limits !== undefined) t.after(() => own.close());
    const globals = { $db: toOptions(database) };
    const result = await own.run({ code, globals, sql: client, signal, ...call });
    return result.ok ? result.value : `${result.error.name}: ${result.error.message}`;
  };
}

function toOptions(database: SqlDatabase): JsonObject {
  if (database.engine === "sqlite") return { type: "sqlite", database: database.file };
  const { engine: type, host, port, database: name, user, password } = database;
  return { type, host, port, database: name, user, username: user, password };
}

const withTypeorm = `
  const { DataSource } = require("typeorm");
  const source = new DataSource({ ...$db, synchronize: false, logging: false });
  await source.initialize();`;

await forEachEngine((engine) => {
  const mark = engine.name === "postgres" ? "$1" : "?";

  describe(`typeorm on ${engine.name}`, () => {
    test("asks with bound values, also through a query runner", async (t) => {
      const { ask } = await openShop(t, engine);
      const value = await ask(`${withTypeorm}
        const seen = [source.isInitialized];
        const rows = await source.query("select id from orders where customer = ${mark} order by id;", ["Ada"]);
        const runner = source.createQueryRunner();
        await runner.connect();
        const [{ id }] = await runner.query("select id from orders where customer = ${mark}", ["Bob's"]);
        await runner.release();
        await source.destroy();
        return [...seen, rows, id, source.isInitialized];`);
      assert.deepEqual(value, [true, [{ id: 1 }, { id: 3 }], 2, false]);
    });

    test("changes nothing, and says where changes are made", async (t) => {
      const { ask, rows } = await openShop(t, engine);
      const refusals: [string, RegExp][] = [
        ["delete from orders", /^Error: Code can only read databases\. Change data with an SQL query step/],
        ["/* x */ update orders set total = 0", /^Error: .*Only statements that read can be run here/],
        ["select 1; delete from orders", /^Error: .*/],
        ["with gone as (delete from orders returning id) select id from gone", /^Error: .*/],
      ];
      for (const [statement, reason] of refusals) {
        assert.match(String(await ask(`${withTypeorm} await source.query(${JSON.stringify(statement)});`)), reason);
      }
      assert.deepEqual(await rows("select count(*) as n from orders where total > 0"), [{ n: 3 }]);
    });

    test("gives the database's own words to the code, which may go on", async (t) => {
      const { ask } = await openShop(t, engine);
      const value = await ask(`${withTypeorm}
        const words = await source.query("select * from nowhere").catch((error) => error.message);
        return [words, await source.query("select count(*) as n from orders")];`);
      assert.ok(Array.isArray(value));
      assert.match(String(value[0]), /nowhere.*Look up the tables/);
      assert.deepEqual(value[1], [{ n: 3 }]);
    });

    test("says what it does not have, and what was forgotten", async (t) => {
      const { ask } = await openShop(t, engine);
      const failures: [string, RegExp][] = [
        [`${withTypeorm} source.getRepository("Order")`, /no DataSource\.getRepository\. It has initialize, query/],
        [`${withTypeorm} await source.createQueryRunner().startTransaction()`, /no QueryRunner\.startTransaction/],
        [`const { Entity } = require("typeorm")`, /no typeorm\.Entity\. It has DataSource alone/],
        [
          `const { DataSource } = require("typeorm"); await new DataSource($db).query("select 1")`,
          /is not initialized/,
        ],
        [
          `const { DataSource } = require("typeorm"); new DataSource({ type: "oracle" })`,
          /no databases of the type oracle/,
        ],
        [`${withTypeorm} await source.initialize()`, /initialized already/],
        [`${withTypeorm} await source.destroy(); await source.query("select 1")`, /is not initialized/],
        [`${withTypeorm} await source.query("select 1", { a: 1 })`, /as a list alone/],
        [`${withTypeorm} await source.query(7)`, /must be a text/],
      ];
      for (const [code, reason] of failures) assert.match(String(await ask(code)), reason, code);
    });

    test("can be printed and passed on like other objects", async (t) => {
      const { ask } = await openShop(t, engine);
      const value = await ask(`${withTypeorm}
        console.log(source, source.createQueryRunner());
        const [same] = await Promise.all([source]);
        return [same === source, String(source), source instanceof DataSource, typeof JSON.stringify(source)];`);
      assert.deepEqual(value, [true, "[object Object]", true, "string"]);
    });

    test("keeps to the limits of statements, rows and bytes, and says so", async (t) => {
      const { ask, prepare } = await openShop(t, engine);
      for (let id = 4; id < 40; id += 1) await prepare(`insert into orders values (${id}, 'Eve ${"x".repeat(40)}', 1)`);
      const all = `${withTypeorm} return (await source.query("select * from orders")).length`;
      assert.equal(await ask(all), 39);
      assert.match(String(await ask(all, { limits: { rows: 20 } })), /more than 20 rows.*Add a LIMIT/);
      const bytes = { rowBytes: 1_000 };
      assert.match(String(await ask(all, { limits: bytes })), /may have 1000 bytes at most|larger than the \d+ bytes/);
      const long = `${withTypeorm} await source.query("select 1 -- " + "x".repeat(300_000))`;
      assert.match(String(await ask(long)), /A statement with its values may have 262144 bytes at most/);
      const many = `${withTypeorm} for (let each = 0; each < 9; each += 1) await source.query("select 1");`;
      assert.match(String(await ask(many, { limits: { statements: 5 } })), /may ask databases 5 times at most/);
      const atOnce = `${withTypeorm}
        const asked = Array.from({ length: 60 }, (_, id) => source.query("select ${mark} as id", [String(id)]));
        return (await Promise.all(asked)).map(([row]) => row.id).join()`;
      if (engine.name !== "sqlite") assert.equal(await ask(atOnce), Array.from({ length: 60 }, (_, id) => id).join());
    });
  });

  if (engine.name === "postgres") definePostgres(engine);
  if (engine.name === "mysql") defineMysql(engine);
});

function definePostgres(engine: TestEngine): void {
  const withPool = `const { Pool, Client } = require("pg"); const pool = new Pool($db);`;

  describe("pg", () => {
    test("answers from pools and clients, with the parts of a result", async (t) => {
      const { ask } = await openShop(t, engine);
      const value = await ask(`${withPool}
        pool.on("error", () => {});
        const { rows, rowCount, fields, command } = await pool.query("select id, total from orders where id = any($1) order by id", [[1, 3]]);
        const client = await pool.connect();
        const lists = await client.query({ text: "select customer from orders where id = $1", values: [2], rowMode: "array" });
        client.release();
        await pool.end();
        const own = new Client({ connectionString: \`postgres://\${$db.user}:\${encodeURIComponent($db.password)}@\${$db.host}:\${$db.port}/\${$db.database}?sslmode=disable\` });
        await own.connect();
        const { rows: [moment] } = await own.query("select $1::timestamptz as at, $2::jsonb as data, $3::text as none", [new Date(0), { a: [1] }, undefined]);
        await own.end();
        return { rows, rowCount, fields, command, lists: lists.rows, moment };`);
      assert.deepEqual(value, {
        rows: [
          { id: 1, total: "12.50" },
          { id: 3, total: "1.00" },
        ],
        rowCount: 2,
        fields: [{ name: "id" }, { name: "total" }],
        command: "SELECT",
        lists: [["Bob's"]],
        moment: { at: "1970-01-01T00:00:00Z", data: { a: [1] }, none: null },
      });
    });

    test("gives results to callbacks", async (t) => {
      const { ask } = await openShop(t, engine);
      const value = await ask(`${withPool}
        return new Promise((resolve) => pool.connect((error, client, release) => {
          client.query("select id from orders where id = $1", [2], (failed, result) => {
            client.query("select nothing", (second) => { release(); resolve([error, failed, result.rows, second.message]); });
          });
        }));`);
      assert.ok(Array.isArray(value));
      assert.deepEqual(value.slice(0, 3), [null, null, [{ id: 2 }]]);
      assert.match(String(value[3]), /nothing/);
    });

    test("fails in words where it cannot answer", async (t) => {
      const { ask } = await openShop(t, engine);
      const failures: [string, RegExp][] = [
        ["await new Client({ ...$db, database: 'nowhere' }).connect()", /no such database/],
        ["await new Client({ host: $db.host }).query('select 1')", /names no user/],
        ["await new Client({ ...$db, port: 'x' }).query('select 1')", /port of the database/],
        ["await new Client('nonsense').connect()", /address of the database cannot be read/],
        ["await new Client({ ...$db, host: '10.1.2.3' }).connect()", /10\.1\.2\.3:\d+ is not allowed.*EGRESS_ALLOW/],
        ["await pool.end(); await pool.query('select 1')", /was closed/],
        ["await pool.query('select $1', [Buffer.from('a')])", /base64 or hex/],
        ["await pool.query('begin')", /Give one statement/],
        ["pool.totalCount", /no pg\.totalCount/],
        ["require('pg').types.setTypeParser(1, Number)", /no pg\.types\. It has Client and Pool/],
      ];
      for (const [code, reason] of failures) assert.match(String(await ask(withPool + code)), reason, code);
    });

    test("leaves no connection behind, whatever the code does", async (t) => {
      const { ask, database, prepare, rows } = await openShop(t, engine);
      const { user } = database as Extract<SqlDatabase, { host: string }>;
      await prepare(`grant pg_read_all_stats to ${user}`);
      const open = () =>
        rows(`select query from pg_stat_activity where usename = $1 and pid <> pg_backend_pid()`, [user]);
      await ask(`${withPool} pool.query("select 1"); await pool.connect(); throw new Error("gone")`);
      await ask(`${withPool} await pool.query("select pg_sleep(20)")`, { call: { timeoutMs: 300 } });
      await ask(`${withPool} pool.query("select pg_sleep(20)"); return 1`);
      await until(async () => ((await open()).length === 0 ? true : undefined));
    });
  });
}

function defineMysql(engine: TestEngine): void {
  describe("mysql2", () => {
    test("answers with rows and fields, from connections and pools", async (t) => {
      const { ask } = await openShop(t, engine);
      const value = await ask(`
        const mysql = require("mysql2/promise");
        const connection = await mysql.createConnection($db);
        const [rows, fields] = await connection.execute("select id from orders where customer = ? order by id", ["Ada"]);
        const [some] = await connection.query("select id from orders where id in (?) order by id", [[1, 2]]);
        const [lists] = await connection.query({ sql: "select id, customer from orders where id = ?", rowsAsArray: true }, 3);
        const [[{ at }]] = await connection.query("select cast(? as datetime) as at", [new Date(1000)]);
        await connection.end();
        const pool = mysql.createPool(\`mysql://\${$db.user}:\${encodeURIComponent($db.password)}@\${$db.host}:\${$db.port}/\${$db.database}\`);
        const pooled = await pool.getConnection();
        const [[{ n }]] = await pooled.query("select count(*) as n from orders");
        pooled.release();
        await pool.end();
        return { rows, fields, some, lists, at, n };`);
      assert.deepEqual(value, {
        rows: [{ id: 1 }, { id: 3 }],
        fields: [{ name: "id" }],
        some: [{ id: 1 }, { id: 2 }],
        lists: [[3, "Ada"]],
        at: "1970-01-01T00:00:01",
        n: 3,
      });
    });

    test("gives results to callbacks", async (t) => {
      const { ask } = await openShop(t, engine);
      const value = await ask(`
        const connection = require("mysql2").createConnection($db);
        return new Promise((resolve) => connection.connect((error) => {
          connection.query("select id from orders where id = ?", [2], (failed, rows, fields) => {
            connection.execute("select nothing", (second) => { connection.end(); resolve([error, failed, rows, fields, second.message]); });
          });
        }));`);
      assert.ok(Array.isArray(value));
      assert.deepEqual(value.slice(0, 4), [null, null, [{ id: 2 }], [{ name: "id" }]]);
      assert.match(String(value[4]), /nothing/);
    });

    test("fails in words where it cannot answer", async (t) => {
      const { ask } = await openShop(t, engine);
      const begin = `const mysql = require("mysql2/promise");`;
      const failures: [string, RegExp][] = [
        ["await mysql.createConnection({ ...$db, password: 'wrong' })", /refuses this user/],
        ["const c = await mysql.createConnection($db); await c.query('select :a', { a: 1 })", /no named placeholders/],
        ["const c = await mysql.createConnection($db); await c.beginTransaction()", /no mysql2\.beginTransaction/],
        ["const c = await mysql.createConnection($db); await c.end(); await c.query('select 1')", /was closed/],
        ["mysql.escape('a')", /no mysql2\.escape/],
      ];
      for (const [code, reason] of failures) assert.match(String(await ask(begin + code)), reason, code);
    });
  });
}

describe("databases in the sandbox", () => {
  test("are asked by no code that was not given a client for them", async () => {
    const code = `await new (require("pg").Client)({ user: "a" }).connect()`;
    const result = await sandbox.run({ code, globals: {}, signal });
    assert.match(String(!result.ok && result.error.message), /^This code may not ask databases\.$/);
  });

  test("are files only where the operator names their folder", async (t) => {
    const { connect, reveal } = createEgressClient({ allow: [] });
    const client = createSqlClient({ connect, reveal, filesDir: "" });
    t.after(client.close);
    const ask = askerOf(t, { client, database: { engine: "sqlite", file: "/etc/passwd" } });
    assert.match(String(await ask(withTypeorm)), /SQLite files cannot be used here.*SQL_FILES_DIR/);
  });
});
