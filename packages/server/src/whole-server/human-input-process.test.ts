// @tier long: it kills processes and waits for others to take over.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ExecutionSummary, PredictionResult } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { person, say, toFlowData } from "../testing/flow-table/flow-case.ts";
import type { PlatformProcess } from "../testing/platform-process.ts";
import { openProcessBench, sideBySide } from "../testing/process-bench.ts";

const asking = toFlowData({
  nodes: { ask: person("Well?"), yes: say("Yes: {{ ask }}"), no: say("No: {{ ask }}") },
  edges: "start>ask ask:proceed>yes ask:reject>no",
});

async function begin(platform: PlatformProcess) {
  const { id } = await platform.call<{ id: string }>("POST", "/chatflows", { name: "Asker", flowData: asking });
  const asked = await platform.call<PredictionResult>("POST", `/prediction/${id}`, { question: "hi", chatId: "chat" });
  return { id, asked };
}

const answer = (platform: PlatformProcess, id: string, type: string) =>
  platform.send("POST", `/prediction/${id}`, { chatId: "chat", humanInput: { type } });

const waiting = async (platform: PlatformProcess) =>
  (await platform.call<{ data: ExecutionSummary[] }>("GET", "/executions?state=STOPPED")).data.map(({ id }) => id);

await forEachDatabase((databases) => {
  describe("a wait for a person", sideBySide, () => {
    it("outlives the process, and is answered by the next one", async (t) => {
      const { start } = await openProcessBench(t, databases);
      const first = await start();
      const { id, asked } = await begin(first);
      await first.kill("SIGKILL");
      const second = await start();
      assert.deepEqual(await waiting(second), [asked.executionId]);
      const done = (await (await answer(second, id, "reject")).json()) as PredictionResult;
      assert.equal(done.text, "No: reject");
      assert.equal(done.executionId, asked.executionId);
      assert.equal((await answer(second, id, "proceed")).status, 409);
      assert.deepEqual(await waiting(second), []);
    });

    it("takes one of the answers that reach two processes at once", async (t) => {
      if (databases.name !== "postgres") return;
      const { start } = await openProcessBench(t, databases);
      const [first, second] = await Promise.all([start(), start()]);
      const { id, asked } = await begin(first);
      const answers = await Promise.all(
        [first, second, first, second].map((platform, index) => answer(platform, id, index % 2 ? "reject" : "proceed")),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
      const { executionData } = await second.call<{ executionData: string }>("GET", `/executions/${asked.executionId}`);
      const ran = (JSON.parse(executionData) as { nodeId: string }[]).map(({ nodeId }) => nodeId);
      assert.equal(ran.length, 3);
    });
  });
});
