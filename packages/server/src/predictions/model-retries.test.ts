import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { createScriptedOpenAiServer, type Script } from "@weft/providers/testing";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { agentWith, llmFlow, openTestPlatform, toolFlow } from "../testing/test-platform.ts";

type Effect = { category: string; attempt: number; error: { code: string } | null };

async function open(t: TestContext, databases: TestDatabases, script: Script, more: Record<string, string> = {}) {
  const model = await createScriptedOpenAiServer({ script });
  t.after(() => model.close());
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-key", DEFAULT_MODEL: "scripted" };
  const platform = await openTestPlatform(t, databases, { ...env, ...more });
  const effectsOf = async (executionId: string) => {
    const execution = await platform.json<{ steps: { effects: Effect[] }[] }>("GET", `/executions/${executionId}`);
    return execution.steps.flatMap(({ effects }) => effects);
  };
  return { model, platform, effectsOf };
}

const slowDown = { status: 429, body: { error: { message: "slow down" } }, headers: { "retry-after": "1" } } as const;
const broken = { status: 529, body: { error: { message: "overloaded" } } } as const;

await onTestDatabase((databases) => {
  describe("a model that fails for a moment", () => {
    it("is asked again, and the execution shows each attempt", async (t) => {
      const { model, platform, effectsOf } = await open(t, databases, [slowDown, broken, { text: "Hello." }]);
      const id = await agentWith(platform, llmFlow());
      const answer = await platform.json<{ text: string; executionId: string }>("POST", `/prediction/${id}`, {
        question: "Hi",
      });
      assert.equal(answer.text, "Hello.");
      assert.equal(model.requests.length, 3);
      assert.deepEqual(
        (await effectsOf(answer.executionId)).map(({ attempt, error }) => [attempt, error?.code]),
        [
          [1, "model-rate-limited"],
          [2, "model-unavailable"],
          [3, undefined],
        ],
      );
    });

    it("repeats no tool that acted", async (t) => {
      let acted = 0;
      const api = createServer((_, response) => {
        acted += 1;
        response.end('{"id":"1"}');
      });
      await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
      t.after(() => api.close());
      const call = { toolCalls: [{ name: "get_thing", arguments: { id: "1" } }] };
      const host = `127.0.0.1:${(api.address() as AddressInfo).port}`;
      const { platform } = await open(t, databases, [call, broken, { text: "It is 1." }], { EGRESS_ALLOW: host });
      const id = await agentWith(platform, toolFlow(`http://${host}`));
      const answer = await platform.json<{ text: string }>("POST", `/prediction/${id}`, { question: "Which?" });
      assert.equal(answer.text, "It is 1.");
      assert.equal(acted, 1);
    });

    it("fails with the limit's name when its stream stands still", async (t) => {
      const { model, platform } = await open(t, databases, () => ({ hang: true, afterText: "Once" }), {
        MODEL_BETWEEN_TOKENS_MS: "50",
      });
      const id = await agentWith(platform, llmFlow());
      const response = await platform.send("POST", `/prediction/${id}`, { question: "Hi", streaming: true });
      assert.match(
        await response.text(),
        /"event":"error","data":"[^"]*within 50 ms, the limit set by MODEL_BETWEEN_TOKENS/,
      );
      assert.equal(model.requests.length, 1);
    });

    it("is asked again when the connection breaks before the first word, and not after it", async (t) => {
      const cut = (cutStreamAfter: number) => ({ text: "one two three", cutStreamAfter });
      const { model, platform } = await open(t, databases, [cut(0), { text: "Hello." }, cut(3)]);
      const id = await agentWith(platform, llmFlow());
      const ask = async () => {
        const response = await platform.send("POST", `/prediction/${id}`, { question: "Hi", streaming: true });
        return response.text();
      };
      const whole = await ask();
      assert.match(whole, /"event":"token","data":"Hello\."/);
      assert.doesNotMatch(whole, /"event":"(restart|error)"/);
      assert.equal(model.requests.length, 2);
      assert.match(await ask(), /"event":"error","data":"[^"]*ended before it was complete/);
      assert.equal(model.requests.length, 3);
    });
  });
});
