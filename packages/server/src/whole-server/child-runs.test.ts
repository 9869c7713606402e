import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createScriptedOpenAiServer, type Script } from "@weft/providers/testing";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openScriptedPlatform, scriptedModelEnv } from "../testing/scripted-model.ts";
import {
  agentWith,
  flowOf,
  llmFlow,
  openRestartable,
  openTestPlatform,
  type TestPlatform,
} from "../testing/test-platform.ts";

type Answer = { text: string; executionId: string };
type Problem = { code: string; message: string };
type Message = { content: string; executionId: string };

const callTo = (agentId: string, config: object = {}) => flowOf("execute-flow", "Call", { agentId, ...config });
const replying = (message: string) => flowOf("direct-reply", "Reply", { message });

/** Says nothing to the first request. */
const lateAnswer: Script = (_request, index) => (index === 0 ? { hang: true } : { text: "Late." });

const ask = (platform: TestPlatform, id: string, question = "Hi") =>
  platform.json<Answer>("POST", `/prediction/${id}`, { question, chatId: "chat" });

async function problemOf(platform: TestPlatform, id: string): Promise<Problem> {
  const response = await platform.send("POST", `/prediction/${id}`, { question: "Hi", chatId: "chat" });
  assert.equal(response.status, 500);
  return (await response.json()) as Problem;
}

const messagesOf = (platform: TestPlatform, id: string) =>
  platform.json<Message[]>("GET", `/chatmessage/${id}?chatId=chat`);

const stateOf = async (platform: TestPlatform, executionId: string) =>
  (await platform.json<{ state: string }>("GET", `/executions/${executionId}`)).state;

await onTestDatabase((databases) => {
  describe("agents that call agents", () => {
    it("pass the answer on, and each keeps its own messages of the session", async (t) => {
      const platform = await openTestPlatform(t, databases, { MAX_CONCURRENT_RUNS: "1" });
      const variables = [{ name: "mood", type: "string", enabled: true }];
      const apiConfig = JSON.stringify({ overrideConfig: { status: true, variables } });
      const replies = replying("Child heard: {{ question }}, {{ $vars.mood }}{{ $vars.secret }}");
      const child = await agentWith(platform, replies, { apiConfig });
      const overrideConfig = '{ "vars": { "mood": "{{ question }}!", "secret": "{{ question }}" } }';
      const parent = await agentWith(platform, callTo(child, { input: "<{{ question }}>", overrideConfig }));
      const { text } = await ask(platform, parent);
      assert.equal(text, "Child heard: <Hi>, Hi!");
      const [asked, answered] = await messagesOf(platform, child);
      assert.deepEqual([asked?.content, answered?.content], ["<Hi>", text]);
      assert.equal((await messagesOf(platform, parent)).length, 2);
    });

    it("are tools to a model", async (t) => {
      const platform = await openScriptedPlatform(t, databases, [
        { toolCalls: [{ name: "ask_librarian", arguments: { question: "Which book?" } }] },
        { text: "Read Emma." },
      ]);
      const child = await agentWith(platform, replying("Emma, for {{ question }}"));
      const config = { agentId: child, name: "ask_librarian", description: "Knows books." };
      const parent = await agentWith(platform, flowOf("agent", "Agent", { tools: [{ type: "agent", config }] }));
      assert.equal((await ask(platform, parent)).text, "Read Emma.");
      assert.equal(platform.model.requests[1]?.body.messages.at(-1)?.content, "Emma, for Which book?");
    });

    it("end at five deep, also when one calls itself in its own session", async (t) => {
      const platform = await openTestPlatform(t, databases, { MAX_CONCURRENT_RUNS: "1" });
      const agent = await agentWith(platform, replying("x"));
      await platform.json("PUT", `/chatflows/${agent}`, { flowData: callTo(agent) });
      const { code, message } = await problemOf(platform, agent);
      assert.deepEqual(
        [code, message],
        ["flow-limit", "The run reached its limit: agents call agents more than 5 deep."],
      );
      assert.equal((await messagesOf(platform, agent)).length, 12);
    });

    it("fail with what the called one failed with", async (t) => {
      const platform = await openScriptedPlatform(t, databases, [{ status: 401, body: { error: { message: "no" } } }]);
      const child = await agentWith(platform, llmFlow());
      assert.equal((await problemOf(platform, await agentWith(platform, callTo(child)))).code, "model-unauthorized");
      const gone = await agentWith(platform, callTo("00000000-0000-4000-8000-000000000000"));
      assert.match((await problemOf(platform, gone)).message, /No agent with the id/);
      const draft = await agentWith(platform, '{"weft":1,"nodes":[],"edges":[]}');
      assert.match((await problemOf(platform, await agentWith(platform, callTo(draft)))).message, /no start node/);
    });

    it("end together when the caller is cancelled", async (t) => {
      const platform = await openScriptedPlatform(t, databases, [{ hang: true }]);
      const child = await agentWith(platform, llmFlow());
      const parent = await agentWith(platform, callTo(child));
      const asked = platform.send("POST", `/prediction/${parent}`, { question: "Hi", chatId: "chat" });
      await platform.until(async () => platform.model.requests[0]);
      await platform.json("PUT", `/chatmessage/abort/${parent}/chat`);
      assert.equal((await asked).status, 500);
      const [message] = await platform.until(async () => {
        const list = await messagesOf(platform, child);
        return list.length === 2 ? list : undefined;
      });
      assert.equal(await stateOf(platform, message?.executionId ?? ""), "TERMINATED");
    });

    it("go on after a restart: the child that was begun is the one that answers", async (t) => {
      const model = await createScriptedOpenAiServer({ script: lateAnswer });
      t.after(() => model.close());
      const { open, close, storage } = await openRestartable(t, databases, scriptedModelEnv(model));
      const before = await open();
      const child = await agentWith(before, llmFlow());
      const parent = await agentWith(before, callTo(child));
      const asked = before.send("POST", `/prediction/${parent}`, { question: "Hi", chatId: "chat" });
      await before.until(async () => model.requests[0]);
      await close();
      assert.equal((await asked).status, 503);

      const after = await open();
      const [, answer] = await after.until(async () => {
        const list = await messagesOf(after, parent);
        return list.length === 2 ? list : undefined;
      });
      assert.equal(answer?.content, "Late.");
      assert.equal((await messagesOf(after, child)).length, 2);
      assert.equal(model.requests.length, 2);
      await close();
      const database = await storage.open();
      const runs = await database.read.selectFrom("runs").select("agentId").execute();
      assert.deepEqual(runs.map(({ agentId }) => agentId).sort(), [child, parent].sort());
    });

    it("do not go on after a restart when nobody waits for the answer any more", async (t) => {
      const model = await createScriptedOpenAiServer({ script: lateAnswer });
      t.after(() => model.close());
      const { open, close, storage } = await openRestartable(t, databases, scriptedModelEnv(model));
      const before = await open();
      const child = await agentWith(before, llmFlow());
      const parent = await agentWith(before, callTo(child));
      const asked = before.send("POST", `/prediction/${parent}`, { question: "Hi", chatId: "chat" });
      await before.until(async () => model.requests[0]);
      await close();
      await asked;
      const database = await storage.open();
      await database.write((tx) =>
        tx.updateTable("runs").set({ cancelRequested: 1 }).where("agentId", "=", parent).execute(),
      );
      await database.close();

      const after = await open();
      const [message] = await after.until(async () => {
        const list = await messagesOf(after, child);
        return list.length === 2 ? list : undefined;
      });
      assert.equal(await stateOf(after, message?.executionId ?? ""), "TERMINATED");
      assert.equal(model.requests.length, 1);
    });
  });
});
