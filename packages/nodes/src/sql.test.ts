import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { createEgressClient } from "@weft/egress";
import { writePolicySchema } from "@weft/schema";
import { createSqlClient } from "@weft/sql";
import { chain, runFlow, type TestNode } from "./testing/run-flow.ts";

async function openShop(t: TestContext) {
  const filesDir = await mkdtemp(join(tmpdir(), "weft-sql-step-"));
  t.after(() => rm(filesDir, { recursive: true, force: true }));
  const path = join(filesDir, "shop.db");
  const shop = new DatabaseSync(path);
  shop.exec("create table orders (id integer primary key, customer text, total real)");
  shop.exec("insert into orders values (1, 'Ada', 12.5), (2, 'Bob', 7)");
  shop.close();
  const { connect, reveal } = createEgressClient({ allow: [] });
  const sql = createSqlClient({ connect, reveal, filesDir });
  t.after(sql.close);
  const run = (config: object, question = "Ada", more: object = {}) =>
    runFlow(chain(step(config)), { services: { sql }, input: { question, ...more } });
  const totals = () => {
    const database = new DatabaseSync(path, { readOnly: true });
    const rows = database.prepare("select total from orders order by id").all();
    database.close();
    return rows.map(({ total }) => total);
  };
  return { run, totals };
}

const step = (config: object): TestNode => ({
  id: "sql",
  type: "sql",
  label: "Orders",
  config: { engine: "sqlite", file: "shop.db", ...config },
});

describe("sql", () => {
  test("binds what references stand for, whatever it says", async (t) => {
    const { run } = await openShop(t);
    const statement = "select id, {{ question }} as asked from orders where customer = {{ question }}";
    const found = await run({ statement });
    const rows = [{ id: 1, asked: "Ada" }];
    assert.deepEqual(found.outputOf("sql"), { columns: ["id", "asked"], rows, truncated: false });
    assert.equal(found.text, '["id","asked"]\n[1,"Ada"]');
    const hostile = await run({ statement }, "x' or 1=1; delete from orders --");
    assert.equal(hostile.text, "No rows.");
    const quoted = await run({ statement: "select '{{ question }}'" });
    assert.match(quoted.error?.message ?? "", /^Orders: The value \$1 does not stand .*without quotes/);
  });

  test("runs a statement that comes whole from before, and only reads then", async (t) => {
    const { run, totals } = await openShop(t);
    const statement = " {{ question }} ";
    assert.equal((await run({ statement }, "select count(*) as n from orders")).text, '["n"]\n[2]');
    assert.match((await run({ statement }, "delete from orders")).error?.message ?? "", /Only statements that read/);
    const writing = await run({ statement, allowWrites: true }, "delete from orders");
    assert.match(writing.error?.message ?? "", /may only read/);
    assert.deepEqual(totals(), [12.5, 7]);
  });

  test("changes where that is allowed, once, and as visitors may", async (t) => {
    const { run, totals } = await openShop(t);
    const config = { statement: "update orders set total = 0 where customer = {{ question }}", allowWrites: true };
    const refused = await run(config, "Ada", { visitorWrites: writePolicySchema.parse({ destructive: "refuse" }) });
    assert.equal(refused.error?.code, "flow-call-refused");
    assert.deepEqual(totals(), [12.5, 7]);
    const asked = await run(config, "Ada", { visitorWrites: writePolicySchema.parse({}) });
    assert.ok(asked.events.some((event) => event.type === "run-suspended"));
    assert.deepEqual(totals(), [12.5, 7]);
    const done = await run(config);
    assert.equal(done.text, "Done. Changed rows: 1.");
    assert.deepEqual(totals(), [0, 7]);
    const started = done.events.find((event) => event.type === "effect-started");
    assert.equal(started?.type === "effect-started" && started.kind, "write");
  });
});
