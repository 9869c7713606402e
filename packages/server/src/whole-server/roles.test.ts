import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { ChatMessage } from "@weft/schema";
import { forEachDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { code, say, toFlowData } from "../testing/flow-table/flow-case.ts";
import { agentWith, openRestartable, type TestPlatform } from "../testing/test-platform.ts";

/** Counts the messages of its session. */
const countingFlow = toFlowData({
  start: { state: { n: 0 }, persistState: true },
  nodes: {
    add: code("return Number($flow.state.n) + 1", { n: "{{ output.data }}" }),
    end: say("{{ question }} is number {{ $flow.state.n }}"),
  },
  edges: "start>add add>end",
});

async function openCluster(t: TestContext, databases: TestDatabases, roles: readonly Record<string, string>[]) {
  const restartable = await openRestartable(t, databases);
  const opened: TestPlatform[] = [];
  for (const env of roles) opened.push(await restartable.open(env));
  return { ...restartable, opened };
}

type Answer = { text: string; executionId: string };

await forEachDatabase((databases) => {
  if (databases.name !== "postgres") return;

  describe("roles", () => {
    it("api accepts and answers, and leaves the work to workers", async (t) => {
      const { opened, open } = await openCluster(t, databases, [{ ROLE: "api" }]);
      const [api = assert.fail()] = opened;
      const id = await agentWith(api, countingFlow);
      const asked = api.json<Answer>("POST", `/prediction/${id}`, { question: "One", chatId: "c" });
      const waiting = await api.until(async () => {
        const { data } = await api.json<{ data: { state: string }[] }>("GET", "/executions?page=1&limit=10");
        return data[0]?.state;
      });
      assert.equal(waiting, "INPROGRESS");
      await open({ ROLE: "worker" });
      assert.equal((await asked).text, "One is number 1");
      const stream = await api.send("POST", `/prediction/${id}`, { question: "Two", chatId: "c", streaming: true });
      const text = await stream.text();
      assert.match(text, /"event":"token","data":"Two is number 2"/);
      assert.match(text, /"event":"end"/);
      const messages = await api.json<ChatMessage[]>("GET", `/chatmessage/${id}?chatId=c`);
      assert.equal(messages.length, 4);
    });

    it("a worker serves nothing but its health", async (t) => {
      const { opened } = await openCluster(t, databases, [{ ROLE: "worker" }]);
      const [worker = assert.fail()] = opened;
      const get = async (path: string) => (await worker.fetch(new Request(`http://platform${path}`))).status;
      assert.deepEqual([await get("/livez"), await get("/readyz")], [200, 200]);
      assert.equal((await worker.send("GET", "/chatflows")).status, 404);
    });

    it("messages of a session are answered one after the other by many workers", async (t) => {
      const worker = { ROLE: "worker", WORKER_CONCURRENCY: "2" };
      const { opened } = await openCluster(t, databases, [{ ROLE: "api" }, worker, worker, worker]);
      const [api = assert.fail()] = opened;
      const id = await agentWith(api, countingFlow);
      const count = 10;
      const ask = (chatId: string, question: string) =>
        api.json<Answer>("POST", `/prediction/${id}`, { question, chatId });
      const answersOf = (chatId: string) =>
        Promise.all(Array.from({ length: count }, (_, index) => ask(chatId, `Message ${index}`)));
      const counted = Array.from({ length: count }, (_, index) => index + 1);
      for (const answers of await Promise.all(["a", "b", "c", "d"].map(answersOf))) {
        const numbers = answers.map(({ text }) => Number(/number (\d+)$/.exec(text)?.[1]));
        assert.deepEqual(
          numbers.toSorted((a, b) => a - b),
          counted,
        );
      }
    });

    it("a question that a run asks is answered at an api process, and the run goes on at a worker", async (t) => {
      const { opened } = await openCluster(t, databases, [{ ROLE: "api" }, { ROLE: "api" }, { ROLE: "worker" }]);
      const [first = assert.fail(), second = assert.fail()] = opened;
      const flow = toFlowData({
        nodes: { ask: { type: "human-input", config: { question: "Shall I?" } }, end: say("Done: {{ question }}") },
        edges: "start>ask ask:proceed>end",
      });
      const id = await agentWith(first, flow);
      const asked = await first.json<Answer>("POST", `/prediction/${id}`, { question: "Go", chatId: "c" });
      const humanInput = { type: "proceed", startNodeId: "ask", feedback: "" };
      const answer = await second.json<Answer>("POST", `/prediction/${id}`, { chatId: "c", humanInput });
      assert.equal(answer.executionId, asked.executionId);
      assert.match(answer.text, /^Done/);
    });

    it("a run that waits for a worker can be cancelled", async (t) => {
      const { opened, open } = await openCluster(t, databases, [{ ROLE: "api" }]);
      const [api = assert.fail()] = opened;
      const id = await agentWith(api, countingFlow);
      const asked = api.send("POST", `/prediction/${id}`, { question: "One", chatId: "c" });
      const run = await api.until(async () => {
        const { data } = await api.json<{ data: { id: string }[] }>("GET", "/executions?page=1&limit=10");
        return data[0];
      });
      await api.send("POST", `/executions/${run.id}/cancel`);
      assert.equal(((await (await asked).json()) as { code: string }).code, "flow-cancelled");
      await open({ ROLE: "worker" });
      const next = await api.json<Answer>("POST", `/prediction/${id}`, { question: "Two", chatId: "c" });
      assert.equal(next.text, "Two is number 1");
    });

    it("what a process that stops had left is taken on by another at once", async (t) => {
      const slow = toFlowData({
        nodes: { wait: code("const end = Date.now() + 300; while (Date.now() < end); return 1"), end: say("Done") },
        edges: "start>wait wait>end",
      });
      const { opened } = await openCluster(t, databases, [{ ROLE: "api" }, { ROLE: "worker" }, { ROLE: "worker" }]);
      const [api = assert.fail(), first = assert.fail()] = opened;
      const id = await agentWith(api, slow);
      const answers = Array.from({ length: 8 }, (_, n) =>
        api.json<Answer>("POST", `/prediction/${id}`, { question: "?", chatId: `c${n}` }),
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      await first.close();
      for (const { text } of await Promise.all(answers)) assert.equal(text, "Done");
    });
  });
});
