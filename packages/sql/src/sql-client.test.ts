// @process own: it measures its memory.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json } from "@weft/schema";
import { createSqlClient } from "./index.ts";
import { forEachEngine, standardCall } from "./testing/test-sources.ts";

const orders = [
  "create table orders (id integer primary key, customer varchar(50) not null, total numeric(10, 2))",
  "insert into orders values (1, 'Ada', 12.5), (2, 'Bob''s', 7), (3, 'Ada', 1)",
];

await forEachEngine(({ name, open }) => {
  describe(name, () => {
    test("gives the rows of a statement, with values bound where they stand", async (t) => {
      const { rows, prepare } = await open(t);
      await prepare(...orders);
      const named = "select id from orders where customer = $1 order by id";
      assert.deepEqual(await rows(named, ["Ada"]), [{ id: 1 }, { id: 3 }]);
      assert.deepEqual(await rows(named, ["x' or '1'='1"]), []);
      assert.deepEqual(
        await rows("select id, '$3 -- $4' as t from orders where id = $2 and customer = $1 -- $9", ["Bob's", 2]),
        [{ id: 2, t: "$3 -- $4" }],
      );
      assert.deepEqual(
        await rows("select a.id, b.id from orders a join orders b on b.id = a.id + 1 order by 1 limit 1;"),
        [{ id: 1, id_2: 2 }],
      );
      assert.deepEqual(await rows("with many as (select count(*) as n from orders) select n from many"), [{ n: 3 }]);
    });

    test("takes question marks for values, and lists for several", async (t) => {
      const { run, prepare } = await open(t);
      await prepare(...orders);
      const ask = async (statement: string, ...parameters: Json[]) => {
        const outcome = await run(statement, { parameters, placeholders: "question-marks" });
        return outcome.ok ? outcome.value.rows : outcome.reason;
      };
      const statement = "select id, '?' as t from orders where customer = ? and id in (?) -- ?";
      assert.deepEqual(await ask(statement, "Ada", [1, 2, 3]), [
        { id: 1, t: "?" },
        { id: 3, t: "?" },
      ]);
      assert.deepEqual(await ask(statement, "Ada", []), []);
      assert.deepEqual(await ask("select id from orders where customer = ?", "' or 1 = 1 -- "), []);
      for (const values of [["Ada"], ["Ada", [1], 2]]) {
        assert.match(String(await ask(statement, ...values)), /has 2 question marks, but [13] values were given/);
      }
      assert.match(String(await ask("select * from ??", "orders")), /Names cannot be given as values/);
    });

    test("says what is wrong with a statement and its values", async (t) => {
      const { rows, prepare } = await open(t);
      await prepare(...orders);
      const failures: [string, (string | number)[], RegExp][] = [
        ["select * from orders where id = $2", [1], /uses \$2, but 1 values were given/],
        [
          "select * from orders where customer = '$1'",
          ["Ada"],
          /value \$1 does not stand in the statement.*without quotes/,
        ],
        ["select * from nowhere", [], /nowhere.*Look up the tables/],
        ["select nothing_such from orders", [], /nothing_such.*Look up the tables/],
        ["selec 1", [], /(says|can be run)/],
        ["", [], /There is no statement/],
        ["-- only words", [], /There is no statement/],
      ];
      for (const [statement, parameters, reason] of failures) {
        assert.match(String(await rows(statement, parameters)), reason, statement);
      }
    });

    test("changes nothing while it may only read, whatever the statement", async (t) => {
      const { rows, prepare } = await open(t);
      await prepare(...orders);
      const hostile = [
        "delete from orders",
        "/* select */ delete from orders",
        "update orders set total = 0",
        "insert into orders values (9, 'x', 1)",
        "drop table orders",
        "create table other (id integer)",
        "select 1; delete from orders",
        "select 1; drop table orders -- ",
        "commit; delete from orders",
        "commit",
        "set transaction read write",
      ];
      for (const statement of hostile) assert.equal(typeof (await rows(statement)), "string", statement);
      assert.deepEqual(await rows("select count(*) as n from orders"), [{ n: 3 }]);
    });

    test("writes where that is allowed, and says how many rows were changed", async (t) => {
      const { run, rows, prepare } = await open(t);
      await prepare(...orders);
      const update = await run("update orders set total = $1 where customer = $2", {
        access: "write",
        parameters: [5, "Ada"],
      });
      assert.deepEqual(update, { ok: true, value: { columns: [], rows: [], truncated: false, changedRows: 2 } });
      const two = await run("delete from orders; delete from orders", { access: "write" });
      assert.ok(!two.ok && !two.retryable);
      const failed = await run("insert into orders values (4, 'c', 1), (1, 'd', 1)", { access: "write" });
      assert.ok(!failed.ok && !failed.retryable);
      assert.deepEqual(await rows("select id, total from orders where total = 5 order by id"), [
        { id: 1, total: name === "sqlite" ? 5 : "5.00" },
        { id: 3, total: name === "sqlite" ? 5 : "5.00" },
      ]);
      assert.deepEqual(await rows("select count(*) as n from orders"), [{ n: 3 }]);
    });

    test("keeps to the limits of rows and bytes", async (t) => {
      const { run, prepare } = await open(t);
      await prepare("create table numbers (n integer, words varchar(1000))");
      const values = Array.from({ length: 500 }, (_, n) => `(${n}, '${"word ".repeat(100)}')`);
      await prepare(`insert into numbers values ${values.join(",")}`);
      const few = await run("select n from numbers order by n", { maxRows: 2 });
      assert.deepEqual(few, { ok: true, value: { columns: ["n"], rows: [{ n: 0 }, { n: 1 }], truncated: true } });
      const all = await run("select n from numbers", { maxRows: 500 });
      assert.ok(all.ok && all.value.rows.length === 500 && !all.value.truncated);
      const bytes = await run("select * from numbers", { maxRows: 10_000, maxBytes: 20_000 });
      assert.ok(bytes.ok && bytes.value.truncated);
      assert.ok(JSON.stringify(bytes.value.rows).length < 21_000);
    });

    test("a million rows are not kept, and end early", async (t) => {
      const { run, prepare } = await open(t);
      await prepare("create table tens (n integer)", "insert into tens values (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)");
      const before = process.memoryUsage().rss;
      const many = await run("select a.n from tens a, tens b, tens c, tens d, tens e, tens f", { maxRows: 10_000 });
      assert.ok(many.ok && many.value.truncated && many.value.rows.length <= 10_000);
      assert.ok(process.memoryUsage().rss - before < 100 * 1024 * 1024);
    });

    test("ends a statement at its time limit, and with a cancel", async (t) => {
      const { run, prepare } = await open(t);
      await prepare("create table tens (n integer)", "insert into tens values (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)");
      const endless = `select count(*) as n from ${[..."abcdefghijkl"].map((alias) => `tens ${alias}`).join(", ")}`;
      const late = await run(endless, { timeoutMs: 300 });
      assert.match(late.ok ? "" : late.reason, /longer than 300 ms/);
      const cancel = new AbortController();
      setTimeout(() => cancel.abort(new Error("cancelled")), 200);
      await assert.rejects(run(endless, { signal: cancel.signal }), /cancelled/);
    });

    test("leaves places to others while one caller's statements run", async (t) => {
      const { run, prepare } = await open(t);
      await prepare("create table tens (n integer)", "insert into tens values (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)");
      const endless = `select count(*) as n from ${[..."abcdefghijkl"].map((alias) => `tens ${alias}`).join(", ")}`;
      const cancel = new AbortController();
      const asked = Array.from({ length: 20 }, () =>
        run(endless, { share: { name: "greedy", isAnonymous: false }, signal: cancel.signal }).catch(() => undefined),
      );
      const other = await run("select n from tens where n = 1", { share: { name: "other", isAnonymous: false } });
      cancel.abort();
      const refused = (await Promise.all(asked)).filter((outcome) => outcome?.ok === false && outcome.retryable);
      assert.deepEqual(other.ok ? other.value.rows : other.reason, [{ n: 1 }]);
      assert.ok(refused.length >= 4, `${refused.length} of 20 were refused`);
    });

    test("describes the tables that the user may read", async (t) => {
      const { client, database, prepare } = await open(t);
      await prepare(...orders, "create view totals as select sum(total) as total from orders");
      const described = await client.describe({ database, timeoutMs: 10_000, signal: new AbortController().signal });
      assert.ok(described.ok);
      assert.deepEqual(
        described.value.map(({ name: table }) => table),
        ["orders", "totals"],
      );
      assert.deepEqual(
        described.value[0]?.columns.map((column) => [column.name, column.nullable, column.key]),
        [
          ["id", name === "sqlite", true],
          ["customer", false, false],
          ["total", true, false],
        ],
      );
      assert.match(described.value[0]?.columns[1]?.type ?? "", /char.*\(50\)/);
    });

    test("values of every kind are JSON that keeps them exact", async (t) => {
      const { run } = await open(t);
      const given = ["ü", 5, 1.5, true, null, { a: [1] }, "9007199254740993"];
      const typed: Record<typeof name, string> = {
        sqlite: "select $1 as a, $2 as b, $3 as c, $4 as d, $5 as e, $6 as f, cast($7 as integer) as g, x'00ff' as h",
        postgres:
          "select $1 as a, $2::int as b, $3::float8 as c, $4::bool as d, $5::text as e, $6::jsonb as f, $7::int8 as g, '\\x00ff'::bytea as h",
        mysql: "select $1 as a, $2 as b, $3 as c, $4 as d, $5 as e, $6 as f, cast($7 as signed) as g, x'00ff' as h",
      };
      const outcome = await run(typed[name], { parameters: given });
      assert.ok(outcome.ok, JSON.stringify(outcome));
      const json = name === "postgres" ? { a: [1] } : '{"a":[1]}';
      const truth = name === "postgres" ? true : 1;
      assert.deepEqual(outcome.value.rows, [
        { a: "ü", b: 5, c: 1.5, d: truth, e: null, f: json, g: "9007199254740993", h: "AP8=" },
      ]);
    });
  });
});

test("what a statement's text alone shows to be refused asks no database", async (t) => {
  const connect = () => Promise.reject(new Error("asked"));
  const client = createSqlClient({ connect, reveal: (text) => text, filesDir: "" });
  t.after(client.close);
  const place = { host: "127.0.0.1", port: 1, user: "weft", password: "", database: "shop", tls: false };
  const ask = async (engine: "postgres" | "mysql", statement: string) => {
    const call = { ...standardCall, statement, signal: new AbortController().signal };
    const outcome = await client.run({ ...call, database: { engine, ...place } });
    return outcome.ok ? "" : outcome.reason;
  };
  assert.match(await ask("postgres", "-- only words"), /There is no statement/);
  assert.match(await ask("postgres", "select $1"), /0 values were given/);
  assert.match(await ask("mysql", "set global max_connections = 1"), /can be run/);
  await assert.rejects(ask("mysql", "select 1"), /asked/);
});
