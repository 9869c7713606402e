// @process own: it stalls.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform } from "../testing/scripted-model.ts";
import { agentWith, flowOf, llmFlow } from "../testing/test-platform.ts";

function stall(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

await onTestDatabase((databases) => {
  describe("a process that is late with its work", () => {
    it("refuses messages of who has runs, takes those of others, and goes on with what it accepted", async (t) => {
      const platform = await openScriptedPlatform(t, databases, () => ({ text: "Done.", delayMs: 2_500 }), {
        env: { MAX_EVENT_LOOP_DELAY_MS: "200" },
      });
      const slow = await agentWith(platform, llmFlow());
      const quick = await agentWith(platform, flowOf("direct-reply", "Reply", { message: "Here" }));
      const ask = (id: string) => platform.send("POST", `/prediction/${id}`, { question: "Hi" });
      const accepted = ask(slow);
      await platform.until(async () => platform.model.requests[0]);

      const until = performance.now() + 1_700;
      while (performance.now() < until) {
        stall(320);
        await sleep(1);
      }
      const refused = await ask(slow);
      assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"]);
      const { code, message } = (await refused.json()) as { code: string; message: string };
      assert.equal(code, "at-capacity");
      assert.match(message, /more to do at this moment than it can\. Try again in 1 second\./);
      assert.equal((await ask(quick)).status, 200);

      assert.equal((await accepted).status, 200);
      assert.equal((await ask(slow)).status, 200);
    });
  });
});
