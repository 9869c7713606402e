import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { countingFlow, countingScript } from "../testing/counting-api.ts";
import { openProcessBench } from "../testing/process-bench.ts";

type Message = { role: string; content: string; usedTools: { tool: string; toolOutput: string }[] };

await forEachDatabase((databases) => {
  for (const slowTool of ["slow_read", "slow_write"] as const) {
    it(`survives kill -9 while ${slowTool} runs: the finished call was made once, the answer is in the chat`, async (t) => {
      const bench = await openProcessBench(t, databases);
      const api = await bench.startApi();
      await bench.startModel(countingScript(slowTool));
      const first = await bench.start();
      const flowData = countingFlow(api);
      const { id } = await first.call<{ id: string }>("POST", "/chatflows", { name: "slow", flowData });
      const asked = first.send("POST", `/prediction/${id}`, { question: "Go", chatId: "chat" }).catch(() => undefined);
      await api.reached;
      await first.kill("SIGKILL");
      await asked;
      api.release();

      const second = await bench.start();
      const [question, answer] = await until(async () => {
        const list = await second.call<Message[]>("GET", `/chatmessage/${id}?chatId=chat`);
        return list.length === 2 ? list : undefined;
      });
      assert.equal(question?.content, "Go");
      assert.match(answer?.content ?? "", /^Finished: /);
      assert.equal(api.counts.get("/quick"), 1);
      const isWrite = slowTool === "slow_write";
      assert.equal(api.counts.get(`/${slowTool.replace("_", "-")}`), isWrite ? 1 : 2);
      if (isWrite) assert.match(answer?.content ?? "", /unknown whether it took effect/);
    });
  }
});
