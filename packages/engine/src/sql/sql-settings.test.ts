import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { reviewDatabase, sqlFields, toCall, toContent } from "./index.ts";

const settings = (given: object) => z.object(sqlFields).parse(given);
const readCredential = async () => ({ user: "reader", password: "secret" });

test("settings become a call: ports have defaults, and changes must be allowed", async () => {
  const server = { host: "db.example", database: "shop", credential: "c" };
  const limits = { access: "read", maxRows: 100, maxBytes: 100_000, timeoutMs: 10_000 };
  const place = { host: "db.example", database: "shop", user: "reader", password: "secret", tls: true };
  assert.deepEqual(await toCall(settings(server), readCredential), {
    ...limits,
    database: { engine: "postgres", port: 5432, ...place },
  });
  assert.deepEqual(await toCall(settings({ ...server, engine: "mysql", allowWrites: true }), readCredential), {
    ...limits,
    access: "write",
    database: { engine: "mysql", port: 3306, ...place },
  });
  const file = await toCall(settings({ engine: "sqlite", file: "shop.db" }), () => assert.fail("no credential"));
  assert.deepEqual(file.database, { engine: "sqlite", file: "shop.db" });
});

test("what is missing is named", async () => {
  const paths = (given: object) => reviewDatabase(settings(given)).map(({ path }) => path);
  assert.deepEqual(paths({}), ["host"]);
  assert.deepEqual(paths({ host: "h" }), ["credential"]);
  assert.deepEqual(paths({ engine: "sqlite" }), ["file"]);
  await assert.rejects(toCall(settings({}), readCredential), /Enter the host of the database/);
  assert.deepEqual([...paths({ host: "h", credential: "c" }), ...paths({ engine: "sqlite", file: "a" })], []);
});

test("a model reads rows as lines, and what is left out in words", () => {
  const rows = [{ id: 1, name: "Ada" }, { id: 2 }];
  const columns = ["id", "name"];
  assert.equal(toContent({ columns, rows, truncated: false }), '["id","name"]\n[1,"Ada"]\n[2,null]');
  assert.match(toContent({ columns, rows, truncated: true }), /more rows than these 2/);
  assert.equal(toContent({ columns, rows: [], truncated: false }), "No rows.");
  assert.equal(toContent({ columns: [], rows: [], truncated: false, changedRows: 3 }), "Done. Changed rows: 3.");
  assert.equal(toContent({ columns: [], rows: [], truncated: false }), "Done.");
});
