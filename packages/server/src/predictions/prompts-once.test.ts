import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform } from "../testing/scripted-model.ts";
import { agentWith, llmFlow, openRestartable } from "../testing/test-platform.ts";

await onTestDatabase((databases) => {
  test("a chat of long messages takes space in proportion to them, and its prompts are shown whole", async (t) => {
    const storage = await databases.createTestStorage(t);
    const platform = await openScriptedPlatform(t, { createTestStorage: async () => storage });
    const id = await agentWith(platform, llmFlow());
    const chatId = randomUUID();
    const length = 100_000;
    const questions = Array.from({ length: 10 }, (_, turn) => `${turn} `.padEnd(length, randomUUID()));
    const executions: string[] = [];
    for (const question of questions) {
      const { executionId } = await platform.ask<{ executionId: string }>(id, { question, chatId });
      executions.push(executionId);
    }
    assert.equal(platform.model.requests.at(-1)?.body.messages.length, 19);
    const last = executions.at(-1);
    const { steps } = await platform.json<{ steps: object[] }>(
      "GET",
      `/executions/${last}?wholeStep=${encodeURIComponent("node_0#0")}`,
    );
    const shown = JSON.stringify(steps);
    for (const turn of questions.keys())
      assert.ok(shown.includes(JSON.stringify(questions[turn])), `turn ${turn} is shown`);
    assert.ok(!shown.includes('"parts"'));
    await platform.close();
    const database = await storage.open();
    t.after(() => database.close());
    const sizes = await sql<{ events: number; parts: number }>`
      select (select sum(length("event")) from "runEvents" where "type" = 'effect-started') as "events",
        (select count(*) from "promptParts") as "parts"`.execute(database.read);
    const { events, parts } = sizes.rows[0] ?? assert.fail();
    assert.ok(Number(events) < 10 * 2_000, `${events}`);
    assert.equal(Number(parts), 10 + 1, "ten questions, and an answer that is always the same");
  });

  test("what models were told goes with the runs that told it", async (t) => {
    const { open, storage, close } = await openRestartable(t, databases);
    const platform = await open();
    const id = await agentWith(platform, llmFlow());
    const { executionId } = await platform.json<{ executionId: string }>("POST", `/prediction/${id}`, {
      question: "secret ".repeat(5_000),
    });
    await platform.json("DELETE", `/executions/${executionId}`);
    await close();
    const database = await storage.open();
    t.after(() => database.close());
    assert.deepEqual(await database.read.selectFrom("promptParts").select("no").execute(), []);
  });
});
