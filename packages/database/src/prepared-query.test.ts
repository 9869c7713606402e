import assert from "node:assert/strict";
import { it } from "node:test";
import { prepareQuery } from "./prepared-query.ts";
import { forEachDatabase } from "./testing/test-databases.ts";

await forEachDatabase(({ openTestDatabase }) => {
  const insert = prepareQuery<{ name: string; value: string }, never>(["name", "value"], (db, places) =>
    db.insertInto("settings").values(places),
  );
  const find = prepareQuery<{ name: string; fixed: string }, { value: string }>(["name", "fixed"], (db, places) =>
    db
      .selectFrom("settings")
      .select("value")
      .where("name", "=", places.name)
      .where("value", "<>", places.fixed)
      .where("value", "<>", "constant"),
  );

  it("runs the same query with other values, in a transaction and outside", async (t) => {
    const database = await openTestDatabase(t);
    await database.write(async (tx) => {
      await insert(tx, { name: "a", value: "1" });
      await insert(tx, { name: "b", value: "constant" });
    });
    assert.deepEqual(await find(database.read, { name: "a", fixed: "x" }), [{ value: "1" }]);
    assert.deepEqual(await find(database.read, { name: "a", fixed: "1" }), []);
    assert.deepEqual(await find(database.read, { name: "b", fixed: "x" }), []);
  });
});
