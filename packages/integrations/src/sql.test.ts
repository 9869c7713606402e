import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import type { JsonObject } from "@weft/schema";
import { callTool, startBench, toolNamed } from "./testing/bench.ts";

async function openShop(t: TestContext, more: JsonObject = {}) {
  const folder = await mkdtemp(join(tmpdir(), "weft-sql-tool-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const shop = new DatabaseSync(join(folder, "shop.db"));
  shop.exec("create table orders (id integer primary key, customer text not null, total real)");
  shop.exec("create table secrets (word text); insert into orders values (1, 'Ada', 12.5), (2, 'Bob', 7)");
  shop.close();
  const bench = await startBench(t, undefined, folder);
  const tools = await bench.build("sql", { engine: "sqlite", file: "shop.db", ...more });
  const call = (name: string, args: JsonObject = {}) => callTool(toolNamed(tools, name), args, bench.context());
  return { bench, tools, call };
}

describe("sql", () => {
  test("tells the tables, and runs what the model writes with its values bound", async (t) => {
    const { tools, call } = await openShop(t, { description: "Orders of the shop." });
    assert.deepEqual(
      tools.map(({ name, kind }) => [name, kind]),
      [
        ["database_schema", "read"],
        ["database_query", "read"],
      ],
    );
    assert.match(tools[0]?.description ?? "", /SQLite.*Orders of the shop\./);
    const schema = await call("database_schema");
    assert.equal(
      schema.content,
      "orders(id INTEGER key null, customer TEXT, total REAL null)\nsecrets(word TEXT null)",
    );
    const statement = "select customer, total from orders where total > $1 order by id";
    assert.deepEqual(await call("database_query", { statement, parameters: [8] }), {
      content: '["customer","total"]\n["Ada",12.5]',
    });
  });

  test("tells what failed, so that the model can correct it", async (t) => {
    const { call } = await openShop(t);
    const failures: [JsonObject, RegExp][] = [
      [{ statement: "select * from order_items" }, /no such table: order_items\. Look up/],
      [{ statement: "delete from orders" }, /Only statements that read/],
      [{ statement: "select $1" }, /uses \$1, but 0 values/],
      [{ statement: "" }, /statement/],
      [{ statement: "select 1", parameters: [{ a: 1 }] }, /parameters/],
    ];
    for (const [args, content] of failures) {
      const result = await call("database_query", args);
      assert.ok(result.isError);
      assert.match(result.content, content);
    }
  });

  test("changes are a setting, and make its calls writes", async (t) => {
    const { bench, tools, call } = await openShop(t, { name: "shop", allowWrites: true, hiddenTables: ["secrets"] });
    assert.equal(toolNamed(tools, "shop_query").kind, "write");
    assert.deepEqual(await call("shop_query", { statement: "update orders set total = 0" }), {
      content: "Done. Changed rows: 2.",
    });
    const { effect } = toolNamed(tools, "shop_query");
    const effectOf = (statement: string) => effect instanceof Function && effect({ statement }, bench.context());
    assert.equal(effectOf("select * from orders"), "read");
    assert.equal(effectOf("insert into orders values (3, 'Eve', 1)"), "write");
    assert.equal(effectOf("update orders set total = 0"), "destructive");
    assert.doesNotMatch((await call("shop_schema")).content, /secrets/);
  });

  test("an address that is not allowed is told without the password", async (t) => {
    const { bench } = await openShop(t);
    const server = { host: "10.0.0.1", database: "shop", credential: "c", tls: false };
    const tools = await bench.build("sql", server, {
      readCredential: async () => ({ user: "u", password: "hunter2" }),
    });
    for (const tool of tools) {
      const result = await callTool(
        tool,
        tool.name.endsWith("query") ? { statement: "select 1" } : {},
        bench.context(),
      );
      assert.ok(result.isError);
      assert.match(result.content, /10\.0\.0\.1:5432 is not allowed/);
    }
  });

  test("the code of tools reads databases, too", async (t) => {
    const { bench } = await openShop(t);
    const func = `
      const { DataSource } = require("typeorm");
      const source = await new DataSource({ type: "sqlite", database: "shop.db" }).initialize();
      return source.query($statement, [8]);`;
    const schema = JSON.stringify([{ property: "statement", type: "string", required: true }]);
    bench.storedTools.set("t1", { name: "ask", description: "Asks.", schema, func });
    const ask = (statement: string) => bench.call("custom-tool", { toolId: "t1" }, { statement });
    assert.equal((await ask("select customer from orders where total > ?")).content, '[{"customer":"Ada"}]');
    assert.match((await ask("delete from orders where total > ?")).content, /ask failed: Error: Code can only read/);
  });
});
