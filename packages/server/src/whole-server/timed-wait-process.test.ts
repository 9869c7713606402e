// @tier long: it kills processes and waits for others to take over.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Execution, PredictionResult } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { say, toFlowData } from "../testing/flow-table/flow-case.ts";
import type { PlatformProcess } from "../testing/platform-process.ts";
import { openProcessBench, sideBySide } from "../testing/process-bench.ts";

const pausing = (config: object) =>
  toFlowData({
    nodes: { w: { type: "wait", config }, end: say("Done: {{ w.output.resumedBy }}") },
    edges: "start>w w>end",
  });

async function begin(platform: PlatformProcess, config: object) {
  const { id } = await platform.call<{ id: string }>("POST", "/chatflows", {
    name: "Pause",
    flowData: pausing(config),
  });
  const ask = () => platform.send("POST", `/prediction/${id}`, { question: "hi", chatId: "chat" });
  return { id, ask };
}

/** The agent's runs, once as many of them wait for a moment. */
const waiting = (platform: PlatformProcess, agentId: string, count = 1, except = "") =>
  until(async () => {
    const { data } = await platform.call<{ data: Execution[] }>("GET", `/executions?agentflowId=${agentId}&limit=100`);
    const runs = data.filter(({ id, waitsUntil }) => waitsUntil !== null && id !== except);
    return runs.length === count ? runs : undefined;
  });

const finished = (platform: PlatformProcess, runId: string) =>
  until(async () => {
    const run = await platform.call<Execution>("GET", `/executions/${runId}`);
    return run.state === "FINISHED" ? run : undefined;
  });

/** How often each wait of a run ended. */
const ends = ({ steps }: Execution) => steps.flatMap(({ waits }) => waits.map(({ resumedBy }) => resumedBy));

await forEachDatabase((databases) => {
  describe("a wait for a moment", sideBySide, () => {
    it("outlives the process, and is over when the next one starts after its moment", async (t) => {
      const { start } = await openProcessBench(t, databases);
      const first = await start();
      const { id, ask } = await begin(first, { amount: "3", unit: "seconds" });
      const asked = ask().catch(() => undefined);
      const [run] = await waiting(first, id);
      assert.ok(run);
      await first.kill("SIGKILL");
      await asked;
      await sleep(Math.max(0, Date.parse(run.waitsUntil ?? "") - Date.now()));
      const second = await start();
      const done = await finished(second, run.id);
      assert.deepEqual([done.text, ends(done)], ["Done: time", ["time"]]);
      const messages = await second.call<{ content: string }[]>("GET", `/chatmessage/${id}?order=ASC`);
      assert.deepEqual(
        messages.map(({ content }) => content),
        ["hi", "Done: time"],
      );
    });

    it("keeps its moment and its turn when the process is replaced before", async (t) => {
      const { start } = await openProcessBench(t, databases);
      const first = await start();
      // Longer than a slow machine takes to start the second process. The signal saves the rest.
      const { id, ask } = await begin(first, { amount: "55", unit: "seconds", signal: "go" });
      const asked = ask().catch(() => undefined);
      const [run] = await waiting(first, id);
      await first.kill("SIGKILL");
      await asked;
      const second = await start();
      const [same] = await waiting(second, id);
      assert.deepEqual([same?.id, same?.waitsUntil], [run?.id, run?.waitsUntil]);
      const body = { question: "next", chatId: "chat" };
      const behind = second.call<PredictionResult>("POST", `/prediction/${id}`, body);
      const signal = (runId = "") => second.call("POST", `/executions/${runId}/signals/go`, {});
      await waiting(second, id);
      await signal(run?.id);
      const [later] = await waiting(second, id, 1, run?.id);
      await signal(later?.id);
      const next = await behind;
      const messages = await second.call<{ content: string; executionId: string }[]>(
        "GET",
        `/chatmessage/${id}?order=ASC`,
      );
      assert.deepEqual(
        messages.map(({ executionId }) => executionId),
        [run?.id, run?.id, next.executionId, next.executionId],
      );
    });

    it("is gone on with by one of two processes, and any of them takes a signal", async (t) => {
      if (databases.name !== "postgres") return;
      const { start } = await openProcessBench(t, databases);
      const [first, second] = await Promise.all([start(), start()]);
      const many = await begin(first, { amount: "3", unit: "seconds" });
      const runs = Array.from({ length: 20 }, async (_, index) => {
        const platform = index % 2 === 0 ? first : second;
        return platform.call<PredictionResult>("POST", `/prediction/${many.id}`, { question: "hi" });
      });
      for (const { text, executionId } of await Promise.all(runs)) {
        assert.equal(text, "Done: time");
        assert.deepEqual(ends(await finished(second, executionId)), ["time"]);
      }
      const one = await begin(first, { amount: "1", unit: "days", signal: "go" });
      const { executionId } = (await (await one.ask()).json()) as PredictionResult;
      const signals = [first, second, first, second].map((platform) =>
        platform.send("POST", `/executions/${executionId}/signals/go`, {}),
      );
      const statuses = (await Promise.all(signals)).map(({ status }) => status);
      assert.deepEqual(statuses.sort(), [200, 409, 409, 409]);
      const done = await finished(first, executionId);
      assert.deepEqual([done.text, ends(done)], ["Done: signal", ["signal"]]);
    });
  });
});
