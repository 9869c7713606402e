import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import { columnTypes } from "../../../database/src/column-types.ts";
import {
  createWebhookDeliveries,
  withOlderSignature,
} from "../../../database/src/migrations/0013-webhook-deliveries.ts";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";

const flowOf = (webhook?: object, input = "webhook") =>
  JSON.stringify({ weft: 1, nodes: [{ id: "s", type: "start", config: { input, webhook } }], edges: [] });
const keepsOlder = { type: "standard-webhooks", acceptsOlderSignature: true };

test("a webhook that does not say how callers prove themselves says so after the upgrade, nothing else changes", () => {
  assert.equal(withOlderSignature(flowOf()), flowOf({ auth: keepsOlder }));
  assert.equal(withOlderSignature(flowOf({ method: "PUT" })), flowOf({ method: "PUT", auth: keepsOlder }));
  const untouched = [
    flowOf({ auth: { type: "none" } }),
    flowOf({ auth: { type: "hmac-sha256" } }),
    flowOf(undefined, "chat"),
    '{"nodes":[{"type":"start","config":{"input":"webhook"}}]}',
    '{"weft":1,"nodes":{}}',
    '{"weft":1,"nodes":[null]}',
    "{",
  ];
  for (const flowData of untouched) assert.equal(withOlderSignature(flowData), undefined, flowData);
});

await forEachDatabase(({ name, openTestDatabase }) => {
  test("an upgrade keeps the proof that stored webhooks take, and the callbacks that are not sent yet", async (t) => {
    const database = await openTestDatabase(t as never);
    const [agentId, runId, createdDate] = [randomUUID(), randomUUID(), "2026-01-01T00:00:00.000Z"];
    await database.write(async (tx) => {
      await sql`drop table ${sql.table("callbackDeliveries")}`.execute(tx);
      const { text, integer } = columnTypes[name];
      await sql`alter table callbacks add column attempts ${integer} not null default 0`.execute(tx);
      await sql`alter table callbacks add column ${sql.ref("nextDate")} ${text} not null default ''`.execute(tx);
      await tx.schema.createIndex("callbacksByNext").on("callbacks").column("nextDate").execute();
      for (const flowData of [flowOf(), flowOf({ auth: { type: "none" } })]) {
        const version = { id: randomUUID(), agentId, number: flowData.length, createdDate, flowData };
        await tx.insertInto("agentVersions").values(version).execute();
      }
      const callback = { runId, agentId, url: "https://example.com", credential: "", sentSeq: 3, createdDate };
      await tx.insertInto("callbacks").values(callback).execute();
    });
    await database.write((tx) => createWebhookDeliveries(tx as never, columnTypes[name]));
    const versions = await database.read.selectFrom("agentVersions").select("flowData").orderBy("number").execute();
    assert.deepEqual(
      versions.map(({ flowData }) => flowData).sort(),
      [flowOf({ auth: keepsOlder }), flowOf({ auth: { type: "none" } })].sort(),
    );
    assert.deepEqual(
      (await database.read.selectFrom("callbacks").selectAll().execute()).map((row) => [row.runId, row.sentSeq]),
      [[runId, 3]],
    );
  });
});
