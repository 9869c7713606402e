import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { readFlowState } from "../journal/index.ts";
import { deleteEnded } from "./execution.store.ts";
import { addImportedRuns, findImportedData, toImportedSteps } from "./imported-runs.ts";

const createdDate = "2025-01-01T00:00:00.000Z";
const run = {
  ...{ id: "0b6ff1c2-0000-4000-8000-000000000001", agentId: "a", sessionId: "+49 151 1", status: "completed" as const },
  ...{ createdDate, updatedDate: "2025-01-01T00:00:02.000Z", stoppedDate: "2025-01-01T00:00:01.500Z" },
  executionData: [
    { nodeId: "start_0", data: { name: "start", input: { question: "Where is it?" }, state: { topic: "none" } } },
    {
      nodeId: "agent_0",
      nodeLabel: "Agent",
      status: "ERROR",
      data: { state: { topic: "returns" }, error: "Too slow" },
    },
    { nodeId: "reply_0", status: "FINISHED", data: { output: { content: "On its way." } } },
  ],
};

await forEachDatabase(({ openTestDatabase }) => {
  test("an imported run is added once, shows what is known of it, and goes with what it did", async (t) => {
    const database = await openTestDatabase(t);
    assert.equal(await addImportedRuns(database, [run]), 1);
    assert.equal(await addImportedRuns(database, [{ ...run, agentId: "other" }]), 0);
    const row = await database.read.selectFrom("runs").selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([row.agentId, Number(row.durationMs), row.chatId], ["a", 1_500, "+49 151 1"]);
    const { question, text } = JSON.parse(row.summary ?? "");
    assert.deepEqual([question, text], ["Where is it?", "On its way."]);
    assert.deepEqual(await readFlowState(database.read, run.id), { topic: "returns" });
    const steps = toImportedSteps(await findImportedData(database.read, run.id), createdDate);
    assert.deepEqual(
      steps.map(({ nodeKey, nodeLabel, status, error }) => [nodeKey, nodeLabel, status, error?.message]),
      [
        ["start_0#0", "start_0", "FINISHED", undefined],
        ["agent_0#1", "Agent", "ERROR", "Too slow"],
        ["reply_0#2", "reply_0", "FINISHED", undefined],
      ],
    );
    await database.write((tx) => deleteEnded(tx, [run.id]));
    assert.equal(await findImportedData(database.read, run.id), "[]");
    assert.deepEqual(await readFlowState(database.read, run.id), {});
  });
});
