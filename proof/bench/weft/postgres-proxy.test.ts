import assert from "node:assert/strict";
import { it } from "node:test";
import { Client } from "pg";
import { findPostgresProblem } from "../../../packages/database/src/testing/test-databases.ts";
import { startPostgresProxy } from "./postgres-proxy.ts";

const problem = await findPostgresProblem();
const url = process.env.TEST_POSTGRES_URL ?? "postgres://postgres@127.0.0.1:5432/test";

it("counts statements and round trips, not the start of a connection", { skip: problem ?? false }, async (t) => {
  const proxy = await startPostgresProxy(url);
  const client = new Client({ connectionString: proxy.url });
  t.after(async () => {
    await client.end();
    proxy.close();
  });
  await client.connect();
  assert.deepEqual(proxy.count(), { roundTrips: 0, statements: 0 });
  await client.query("select 1");
  await client.query("select $1::text", ["x".repeat(200_000)]);
  await client.query({ name: "prepared", text: "select $1::int", values: [1] });
  assert.deepEqual(proxy.count(), { roundTrips: 3, statements: 3 });
});
