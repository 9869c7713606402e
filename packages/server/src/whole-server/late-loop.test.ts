// @process own: it stalls.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startPacedModel } from "../../../../proof/e2e/testing/paced-model.ts";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, llmFlow, openTestPlatform } from "../testing/test-platform.ts";

/**
 * Makes each turn of the event loop so long, until the function that it returns is called. Not with a timer: one that is due
 * again when it returns runs again in the same turn, and sockets get none.
 */
function stallEachTurn(ms: number): () => void {
  const stall = () => {
    const until = performance.now() + ms;
    while (performance.now() < until);
    turn = setImmediate(stall);
  };
  let turn = setImmediate(stall);
  return () => clearImmediate(turn);
}

await onTestDatabase((databases) => {
  describe("a process that is late with its work", () => {
    it("refuses messages of who has runs, takes those of others, and goes on with what it accepted", async (t) => {
      const model = await startPacedModel();
      t.after(model.close);
      const vendor = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url, DEFAULT_MODEL: "paced" };
      const platform = await openTestPlatform(t, databases, { ...vendor, MAX_EVENT_LOOP_DELAY_MS: "200" });
      const slow = await agentWith(platform, llmFlow());
      const quick = await agentWith(platform, flowOf("direct-reply", "Reply", { message: "Here" }));
      const ask = (id: string) => platform.send("POST", `/prediction/${id}`, { question: "Hi" });
      const accepted = ask(slow);
      const answer = await model.next();

      const relieve = stallEachTurn(320);
      t.after(relieve);
      await sleep(1_700);
      const refused = await ask(slow);
      assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"]);
      const { code, message } = (await refused.json()) as { code: string; message: string };
      assert.equal(code, "at-capacity");
      assert.match(message, /more to do at this moment than it can\. Try again in 1 second\./);
      assert.equal((await ask(quick)).status, 200);
      relieve();

      answer.say("Done.");
      answer.finish();
      assert.equal((await accepted).status, 200);
      const next = ask(slow);
      (await model.next()).finish();
      assert.notEqual((await next).status, 503);
    });
  });
});
