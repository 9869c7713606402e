import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, openTestPlatform } from "../testing/test-platform.ts";

type Answer = { text: string; chatId: string; executionId: string };

/** Says something, and then that it was said. */
function flow(first: string): string {
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start", type: "start" },
      { id: "say", type: "direct-reply", label: "Say", config: { message: first } },
      { id: "end", type: "direct-reply", label: "End", config: { message: "heard {{ say }}" } },
    ],
    edges: [
      { id: "a", source: "start", target: "say" },
      { id: "b", source: "say", target: "end" },
    ],
  });
}

await onTestDatabase((databases) => {
  describe("runs of drafts", () => {
    it("run the draft with its pinned outputs, as a test; everybody else gets what is published", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const id = await agentWith(platform, flow("published"));
      const ask = (body: object) => platform.json<Answer>("POST", `/prediction/${id}`, { question: "?", ...body });
      assert.match((await ask({ draft: true })).text, /heard published/);
      await platform.json("PUT", `/chatflows/${id}/draft`, { flowData: flow("drafted") });
      assert.match((await ask({})).text, /heard published/);
      assert.match((await ask({ draft: true })).text, /heard drafted/);
      await platform.json("PUT", `/chatflows/${id}/draft`, { pins: { say: { output: "pinned", text: "pinned" } } });
      const { text, executionId, chatId } = await ask({ draft: true });
      assert.match(text, /heard pinned/);
      assert.doesNotMatch(text, /drafted/);
      const run = await platform.json<{ executionData: string; steps: { nodeId: string; pinned?: true }[] }>(
        "GET",
        `/executions/${executionId}`,
      );
      const pinned = run.steps.filter((step) => step.pinned).map(({ nodeId }) => nodeId);
      assert.deepEqual(pinned, ["say"]);
      assert.match(run.executionData, /"pinned":true/);
      const messages = await platform.json<{ chatType: string }[]>("GET", `/chatmessage/${id}?chatId=${chatId}`);
      assert.deepEqual([...new Set(messages.map(({ chatType }) => chatType))], ["INTERNAL"]);
      assert.match((await ask({})).text, /heard published/);
    });

    it("are refused to keys that may not edit agents, and allowed to those that may", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const id = await agentWith(platform, flow("published"));
      await platform.json("PUT", `/chatflows/${id}/draft`, { flowData: flow("drafted") });
      const askAs = async (permissions: string[]) => {
        const body = { keyName: permissions.join(), permissions };
        const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", body);
        const headers = { authorization: `Bearer ${apiKey}` };
        return platform.send("POST", `/prediction/${id}`, { question: "?", draft: true }, headers);
      };
      const refused = await askAs(["predictions:run"]);
      assert.equal(refused.status, 403);
      assert.match(await refused.text(), /Leave draft out to use the published agent/);
      const allowed = await askAs(["predictions:run", "agents:write"]);
      assert.equal(allowed.status, 200);
      assert.match(await allowed.text(), /heard drafted/);
    });

    it("are refused for a draft that cannot run", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const id = await agentWith(platform, flow("published"));
      await platform.json("PUT", `/chatflows/${id}/draft`, { flowData: '{"weft":1,"nodes":[],"edges":[]}' });
      const answer = await platform.send("POST", `/prediction/${id}`, { question: "?", draft: true });
      assert.match(await answer.text(), /flow-invalid/);
    });
  });
});
