import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, openTestPlatform } from "../testing/test-platform.ts";

const long = "weft ".repeat(40_000);
const cutNote = /… \(cut: \d+ characters in all\)$/;

await onTestDatabase((databases) => {
  describe("a run with its steps", () => {
    it("cuts long values, but for the step that is asked for whole", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const { client } = platform;
      const agent = await agentWith(platform, flowOf("direct-reply", "Echo", { message: "{{ question }}" }));
      const { executionId } = await client.createPrediction({ id: agent }, { question: long });
      const outputOf = async (wholeStep?: string) => {
        const run = await client.getExecution({ id: executionId, ...(wholeStep !== undefined && { wholeStep }) });
        return run.steps.map(({ nodeKey, output }) => [nodeKey, output] as const);
      };
      const [start, reply] = await outputOf();
      assert.ok(start && reply);
      assert.match(String(reply[1]), cutNote);
      const whole = await outputOf(reply[0]);
      assert.deepEqual(whole[1], [reply[0], { content: long }]);
      assert.deepEqual(whole[0], start, "other steps stay cut");
      assert.deepEqual(await outputOf("no-such-step#0"), [start, reply]);
    });

    it("has the graph of the flow that it began with, also after a change of the agent", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const { client } = platform;
      const agent = await agentWith(platform, flowOf("direct-reply", "Echo", { message: "Hello" }));
      const { executionId } = await client.createPrediction({ id: agent }, { question: "Hi" });
      await client.updateAgent({ id: agent }, { flowData: flowOf("human-input", "Ask", { question: "May I?" }) });
      const labelsOf = async (id: string) => (await client.getExecution({ id })).graph?.nodes.map(({ label }) => label);
      const first = await labelsOf(executionId);
      assert.equal(first?.at(-1), "Echo");
      const asking = await client.createPrediction({ id: agent }, { question: "Hi" });
      assert.equal((await labelsOf(asking.executionId))?.at(-1), "Ask");
      assert.deepEqual(await labelsOf(executionId), first);
    });

    it("tells waits for a person from waits for a moment", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const { client } = platform;
      const waitsOf = async (flowData: string) => {
        const agent = await agentWith(platform, flowData);
        const { executionId } = await client.createPrediction({ id: agent }, { question: "Hi" });
        return (await client.getExecution({ id: executionId })).steps.at(-1)?.waits.map(({ asks }) => asks);
      };
      assert.deepEqual(await waitsOf(flowOf("human-input", "Ask", { question: "May I?" })), [undefined]);
      assert.deepEqual(await waitsOf(flowOf("wait", "Wait", { amount: "1", unit: "hours" })), [false]);
    });
  });
});
