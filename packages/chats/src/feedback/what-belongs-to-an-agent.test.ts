import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Database } from "@weft/database";
import { createUpsertHistoryService } from "@weft/document-stores";
import type { ChatMessage } from "@weft/schema";
import { sql } from "kysely";
import { createResourceApi } from "../../../agents/src/testing/bench.ts";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, openTestPlatform } from "../../../server/src/testing/test-platform.ts";

const agentId = "11111111-1111-4111-8111-111111111111";
const belongings = ["chatMessages", "feedback", "leads", "upsertHistory"] as const;
const flowData = flowOf("direct-reply", "Reply", { message: "Here" });

async function countBelongings({ read }: Database): Promise<number[]> {
  const counts = belongings.map(async (table) => {
    const rows = await read.selectFrom(table).select("id").where("chatflowid", "=", agentId).execute();
    return rows.length;
  });
  return Promise.all(counts);
}

/** Storage in which the agent-to-be has a record of an upsert: no operation makes one. */
function withUpsertHistory(databases: TestDatabases): TestDatabases {
  return {
    ...databases,
    async createTestStorage(t) {
      const storage = await databases.createTestStorage(t);
      const database = await storage.open();
      const history = createUpsertHistoryService({ database, clock: { now: () => 0 }, ids: { uuid: randomUUID } });
      await database.write((tx) => history.record(tx, { chatflowid: agentId, result: {}, flowData: [] }));
      await database.close();
      return storage;
    },
  };
}

await onTestDatabase((databases) => {
  test("what belongs to an agent goes with it, all or nothing", async (t) => {
    const database = await databases.openTestDatabase(t);
    const { call, recordTurn, recordUpsert } = createResourceApi(database);
    await call("POST", "/chatflows", { id: agentId, name: "Agent", flowData });
    await call("POST", "/feedback", { messageId: await recordTurn({ agentId }), rating: "THUMBS_UP" });
    await call("POST", "/leads", { chatflowid: agentId, name: "Ada" });
    await recordUpsert({ chatflowid: agentId, result: {}, flowData: [] });
    assert.deepEqual(await countBelongings(database), [2, 1, 1, 1]);

    await database.write((tx) => sql`alter table "upsertHistory" rename to "away"`.execute(tx));
    const failed = await call("DELETE", `/chatflows/${agentId}`);
    await database.write((tx) => sql`alter table "away" rename to "upsertHistory"`.execute(tx));
    assert.deepEqual([failed.status, failed.body.code], [500, "internal"]);
    assert.deepEqual(await countBelongings(database), [2, 1, 1, 1]);
    assert.equal((await call("GET", `/chatflows/${agentId}`)).status, 200);

    assert.equal((await call("DELETE", `/chatflows/${agentId}`)).status, 200);
    assert.deepEqual(await countBelongings(database), [0, 0, 0, 0]);
  });

  test("in the platform, feedback, leads and upsert history go with their agent", async (t) => {
    const platform = await openTestPlatform(t, withUpsertHistory(databases));
    await agentWith(platform, flowData, { id: agentId });
    const { chatMessageId: messageId } = await platform.json<{ chatMessageId: string }>(
      "POST",
      `/prediction/${agentId}`,
      { question: "Hi" },
    );
    await platform.json("POST", "/feedback", { messageId, rating: "THUMBS_UP" });
    await platform.json("POST", "/leads", { chatflowid: agentId });
    const lists = ["chatmessage", "feedback", "leads", "upsert-history"];
    const lengths = () =>
      Promise.all(
        lists.map(async (name) => {
          const response = await platform.send("GET", `/${name}/${agentId}`);
          return response.status === 404 ? 0 : ((await response.json()) as unknown[]).length;
        }),
      );
    assert.deepEqual(await lengths(), [2, 1, 1, 1]);
    await platform.json("DELETE", `/chatflows/${agentId}`);
    assert.deepEqual(await lengths(), [0, 0, 0, 0]);
  });

  test("both messages of a turn carry the e-mail address of the lead that asked", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const id = await agentWith(platform, flowData);
    await platform.json("POST", `/prediction/${id}`, { question: "Hi", chatId: "c1" });
    await platform.json("POST", "/leads", { chatflowid: id, chatId: "c1", email: "ada@example.org" });
    await platform.json("POST", `/prediction/${id}`, { question: "Ho", chatId: "c1", leadEmail: "ada@example.org" });
    const messages = await platform.json<ChatMessage[]>("GET", `/chatmessage/${id}?chatId=c1`);
    assert.deepEqual(
      messages.map(({ leadEmail }) => leadEmail),
      Array(4).fill("ada@example.org"),
    );
  });

  test("a lead names the messages of its own owner's chat alone", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const id = await agentWith(platform, flowData);
    const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "Other" });
    const lead = { chatflowid: id, chatId: "c1", email: "eve@example.org" };
    const leave = () => platform.send("POST", "/leads", lead, { authorization: `Bearer ${apiKey}` });
    assert.equal((await leave()).status, 200);
    await platform.json("POST", `/prediction/${id}`, { question: "Hi", chatId: "c1" });
    assert.equal((await leave()).status, 200);
    const messages = await platform.json<ChatMessage[]>("GET", `/chatmessage/${id}?chatId=c1`);
    assert.deepEqual(
      messages.map(({ leadEmail }) => leadEmail),
      ["", ""],
    );
  });
});
