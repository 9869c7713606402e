import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createScriptedOpenAiServer, type Script } from "@weft/providers/testing";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { agentWith, llmFlow, openTestPlatform } from "../testing/test-platform.ts";
import { openReader, parseFrames, readFrames } from "./testing/stream-client.ts";

type Answer = { text: string; executionId: string; code?: string };

async function open(t: TestContext, databases: TestDatabases, script: Script) {
  const model = await createScriptedOpenAiServer({ script });
  t.after(() => model.close());
  const platform = await openTestPlatform(t, databases, { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "test" });
  const agentId = await agentWith(platform, llmFlow());
  const ask = (key: string, body: object = {}) =>
    platform.send("POST", `/prediction/${agentId}`, { question: "Hi", ...body }, { "idempotency-key": key });
  const answer = async (key: string, body?: object) => {
    const response = await ask(key, body);
    return { status: response.status, ...((await response.json()) as Answer) };
  };
  const messages = () => platform.json<unknown[]>("GET", `/chatmessage/${agentId}`);
  return { platform, model, agentId, ask, answer, messages };
}

const count: Script = (_request, index) => ({ text: `Answer ${index}` });

await onTestDatabase((databases) => {
  describe("a prediction with an Idempotency-Key", () => {
    it("is made once, however often it is sent, and answers the same", async (t) => {
      const { model, answer, messages } = await open(t, databases, count);
      const first = await answer("key");
      assert.deepEqual([first.status, first.text], [200, "Answer 0"]);
      assert.deepEqual(await answer("key"), first);
      assert.equal((await answer("other")).text, "Answer 1");
      assert.equal(model.count(), 2);
      assert.equal((await messages()).length, 4);
    });

    it("is made once when it is sent twenty times at once", async (t) => {
      const { model, answer, messages } = await open(t, databases, (_request, index) => ({
        text: `Answer ${index}`,
        delayMs: 50,
      }));
      const answers = await Promise.all(Array.from({ length: 20 }, () => answer("key")));
      for (const each of answers) assert.deepEqual(each, answers[0]);
      assert.equal(answers[0]?.text, "Answer 0");
      assert.equal(model.count(), 1);
      assert.equal((await messages()).length, 2);
    });

    it("is refused with another body, another agent is another request's business", async (t) => {
      const { platform, answer, agentId } = await open(t, databases, count);
      await answer("key");
      const other = await answer("key", { question: "Something else" });
      assert.deepEqual([other.status, other.code], [409, "idempotency-key-reused"]);
      const streamed = await answer("key", { streaming: true });
      assert.deepEqual([streamed.status, streamed.code], [409, "idempotency-key-reused"]);
      const tried = await platform.send(
        "POST",
        `/internal-prediction/${agentId}`,
        { question: "Hi" },
        { "idempotency-key": "key" },
      );
      assert.equal(tried.status, 200);
    });

    it("gives each repetition the whole stream, while the run goes on and after it", async (t) => {
      const { platform, model, agentId, ask } = await open(t, databases, () => ({ hang: true, afterText: "one two" }));
      const body = { streaming: true, chatId: "chat" };
      const hasText = (frames: readonly { event: string }[]) => frames.at(-1)?.event === "token";
      const first = openReader(await ask("key", body));
      await first.read(hasText);
      const second = openReader(await ask("key", body));
      await second.read(hasText);
      await platform.json("PUT", `/chatmessage/abort/${agentId}/chat`);
      const stayed = readFrames(await first.read());
      assert.equal(stayed.events.at(-1)?.[0], "end");
      assert.deepEqual(readFrames(await second.read()), stayed);
      assert.deepEqual(readFrames(parseFrames(await (await ask("key", body)).text())), stayed);
      assert.equal(model.count(), 1);
    });

    it("fails again as it failed, without asking the model again", async (t) => {
      const { model, answer } = await open(t, databases, () => ({
        status: 429,
        body: { error: { message: "slow down" } },
      }));
      const first = await answer("key");
      assert.deepEqual([first.status, first.code], [500, "model-rate-limited"]);
      const asked = model.count();
      const again = await answer("key");
      assert.deepEqual([again.status, again.code], [500, "model-rate-limited"]);
      assert.equal(model.count(), asked);
    });

    it("may be corrected after it was refused", async (t) => {
      const { answer } = await open(t, databases, count);
      assert.equal((await answer("key", { overrideConfig: { temperature: "hot" } })).status, 422);
      assert.equal((await answer("key")).status, 200);
    });
  });

  describe("an agent that is tried out", () => {
    it("answers as a prediction does, with messages marked INTERNAL, and needs no key of the agent", async (t) => {
      const { platform, agentId } = await open(t, databases, count);
      const { id: apikeyid, apiKey } = await platform.json<{ id: string; apiKey: string }>("POST", "/apikey", {
        keyName: "agent's",
        permissions: ["predictions:run"],
      });
      const { apiKey: other } = await platform.json<{ apiKey: string }>("POST", "/apikey", {
        keyName: "other",
        permissions: ["predictions:run"],
      });
      await platform.json("PUT", `/chatflows/${agentId}`, { apikeyid });
      const tryOut = (headers: Record<string, string> = {}) =>
        platform.send("POST", `/internal-prediction/${agentId}`, { question: "Hi" }, headers);
      const tried = (await (await tryOut()).json()) as Answer;
      assert.equal(tried.text, "Answer 0");
      const list = await platform.json<{ chatType: string }[]>("GET", `/chatmessage/${agentId}`);
      assert.deepEqual([...new Set(list.map(({ chatType }) => chatType))], ["INTERNAL"]);
      assert.equal((await tryOut({ authorization: `Bearer ${other}` })).status, 401);
      assert.equal((await tryOut({ authorization: `Bearer ${apiKey}` })).status, 200);
    });
  });
});
