import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Script } from "@weft/providers/testing";
import type { ChatMessage, Execution, ExecutionStep, ExecutionSummary } from "@weft/schema";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { startCountingApi } from "../testing/counting-api.ts";
import { openScriptedPlatform } from "../testing/scripted-model.ts";
import { agentWith, flowOf, llmFlow, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

type Page = { data: ExecutionSummary[]; total: number };
type Answer = { text: string; executionId: string };

const unknownId = "00000000-0000-7000-8000-000000000000";
const reply = flowOf("direct-reply", "Reply", { message: "You said {{ question }}" });
const asking = flowOf("human-input", "Ask", { question: "May I?" });

const list = (platform: TestPlatform, query = "") => platform.json<Page>("GET", `/executions${query}`);
const get = (platform: TestPlatform, id: string) => platform.json<Execution>("GET", `/executions/${id}`);
const refusal = async (response: Promise<Response>) => {
  const { status, code, message } = (await (await response).json()) as Record<string, unknown>;
  return { status, code, message: String(message) };
};
const questions = ({ data }: Page) => data.map(({ question }) => question);

await onTestDatabase((databases) => {
  describe("executions", () => {
    it("are listed, the newest first, with filters and pages", async (t) => {
      const platform = await openScriptedPlatform(t, databases);
      const ask = platform.ask<Answer>;
      const first = await agentWith(platform, reply, { name: "100% Parrot" });
      const second = await agentWith(platform, asking, { name: "Asker" });
      for (const question of ["one", "two", "three"]) await ask(first, { question, chatId: `chat-${question}` });
      await ask(second, { question: "four", overrideConfig: { sessionId: "ada" } });
      const failing = await agentWith(platform, flowOf("http", "Call", { url: "http://127.0.0.1:9/" }));
      await ask(failing, { question: "five" });

      const all = await list(platform);
      assert.deepEqual(questions(all), ["five", "four", "three", "two", "one"]);
      assert.equal(all.total, 5);
      const { data } = all;
      assert.ok(data.every((row) => !("executionData" in row)));
      const page = await list(platform, "?page=1&limit=50");
      const refused = await platform.send("GET", "/executions?page=1&limit=51");
      assert.equal(refused.status, 400);
      assert.match(await refused.text(), /at most 50 rows. Send a lower limit, or executionData=false for up to 100/);
      assert.equal(page.data.length, 5);
      for (const row of page.data) assert.equal(row.executionData, (await get(platform, row.id)).executionData);
      assert.match(page.data[4]?.executionData ?? "", /You said one/);
      const bare = await list(platform, "?page=1&limit=100&executionData=false");
      assert.ok(bare.data.every((row) => !("executionData" in row)));
      assert.equal((await platform.send("GET", "/executions?page=1&limit=5&executionData=maybe")).status, 400);
      assert.deepEqual(
        data.map(({ state }) => state),
        ["ERROR", "STOPPED", "FINISHED", "FINISHED", "FINISHED"],
      );
      assert.deepEqual(data[2]?.agentflow, { id: first, name: "100% Parrot" });
      assert.equal(data[2]?.text, "You said three");
      assert.equal(data[1]?.text, "May I?");
      assert.equal(data[1]?.action?.elements.length, 2);
      assert.equal(data[0]?.error?.code, "egress-refused");
      assert.equal(typeof data[0]?.durationMs, "number");
      assert.equal(data[1]?.durationMs, null);

      const matching = async (query: string) => questions(await list(platform, `?${query}`)).join(" ");
      assert.equal(await matching("state=STOPPED"), "four");
      assert.equal(await matching("state=ERROR"), "five");
      assert.equal(await matching("state=TIMEOUT"), "");
      assert.equal(await matching("state=INPROGRESS"), "");
      assert.equal(await matching(`agentflowId=${first}&state=FINISHED`), "three two one");
      assert.equal(await matching("agentflowName=PARROT"), "three two one");
      assert.equal(await matching("agentflowName=0%25%20p"), "three two one");
      assert.equal(await matching("agentflowName=_"), "");
      assert.equal(await matching("sessionId=ada"), "four");
      assert.equal(await matching("chatId=chat-two"), "two");
      assert.equal(await matching(`id=${data[4]?.id}`), "one");
      assert.equal(await matching(`startDate=${data[3]?.createdDate}&endDate=${data[2]?.createdDate}`), "three two");
      assert.equal(await matching("startDate=2100-01-01"), "");
      assert.deepEqual(questions(await list(platform, "?page=2&limit=2")), ["three", "two"]);
      assert.equal((await list(platform, "?page=9")).total, 5);
      for (const query of ["limit=101", "page=0", "state=SLEEPING", "id=7", "startDate=tomorrow"]) {
        assert.equal((await refusal(platform.send("GET", `/executions?${query}`))).status, 400, query);
      }

      await platform.json("DELETE", `/chatflows/${first}`);
      assert.equal((await list(platform)).data[2]?.agentflow, null);
    });

    it("are shown while they go on", async (t) => {
      const platform = await openScriptedPlatform(t, databases, () => ({ hang: true }));
      const ask = platform.ask<Answer>;
      const agentId = await agentWith(platform, llmFlow());
      const asked = ask(agentId, { question: "long", chatId: "chat" });
      const running = await platform.until(async () => {
        const [run] = (await list(platform, "?state=INPROGRESS")).data;
        return run && (await get(platform, run.id)).steps[1]?.effects.length === 1 ? run : undefined;
      });
      assert.equal(running.question, "long");
      const { steps } = await get(platform, running.id);
      assert.deepEqual([steps[1]?.status, steps[1]?.finishedAt], ["INPROGRESS", null]);

      const refused = await refusal(platform.send("DELETE", `/executions/${running.id}`));
      assert.deepEqual([refused.status, /Cancel it first/.test(refused.message)], [409, true]);
      const cancelled = await platform.json<Execution>("POST", `/executions/${running.id}/cancel`);
      assert.equal(cancelled.state, "TERMINATED");
      assert.deepEqual(
        cancelled.steps.map(({ status }) => status),
        ["FINISHED", "TERMINATED"],
      );
      await asked;
      assert.equal((await refusal(platform.send("POST", `/executions/${running.id}/cancel`))).status, 409);
    });

    it("show when a step waited for a human", async (t) => {
      const platform = await openScriptedPlatform(t, databases);
      const ask = platform.ask<Answer>;
      const waitsOf = async (id: string) => (await get(platform, id)).steps.map(({ waits }) => waits);
      const agentId = await agentWith(platform, asking);
      const { executionId } = await ask(agentId, { question: "go" });
      const [none, open_] = await waitsOf(executionId);
      assert.deepEqual([none, open_?.[0]?.finishedAt], [[], null]);
      await platform.json("POST", `/executions/${executionId}/answer`, { type: "proceed" });
      const [answered] = await platform.until(async () => {
        const [, waits] = await waitsOf(executionId);
        return waits?.[0]?.finishedAt ? waits : undefined;
      });
      assert.equal(answered?.startedAt, open_?.[0]?.startedAt);
      assert.ok(Date.parse(answered?.finishedAt ?? "") >= Date.parse(answered?.startedAt ?? ""));

      const cancelled = await ask(agentId, { question: "go" });
      await platform.json("POST", `/executions/${cancelled.executionId}/cancel`);
      assert.equal(typeof (await waitsOf(cancelled.executionId))[1]?.[0]?.finishedAt, "string");
    });

    it("show their steps and what each did, with times, tokens and what went wrong", async (t) => {
      const script: Script = ({ messages }) =>
        messages.some(({ role }) => role === "tool")
          ? { text: "Done.", usage: { prompt_tokens: 20, completion_tokens: 3, total_tokens: 23 } }
          : { toolCalls: [{ name: "calculator", arguments: { expression: "1/0 +" } }] };
      const platform = await openScriptedPlatform(t, databases, script);
      const ask = platform.ask<Answer>;
      const agentId = await agentWith(
        platform,
        flowOf("agent", "Agent", { tools: [{ type: "calculator", config: {} }] }),
      );
      const { executionId } = await ask(agentId, { question: "x".repeat(70_000) });
      const { steps, usage, ...execution } = await get(platform, executionId);
      assert.deepEqual([execution.state, execution.text, execution.retriedFrom], ["FINISHED", "Done.", null]);
      const [start, agent] = steps as [ExecutionStep, ExecutionStep];
      assert.match(JSON.stringify(start.input), /cut: 70\d\d\d characters in all/);
      assert.deepEqual([agent.nodeKey, agent.type, agent.nodeLabel], ["node_0#0", "agent", "Agent"]);
      assert.deepEqual(
        agent.effects.map(({ category, name }) => [category, name]),
        [
          ["model", "openai-compatible/scripted"],
          ["tool", "calculator"],
          ["model", "openai-compatible/scripted"],
        ],
      );
      assert.deepEqual(agent.effects[1]?.input, { expression: "1/0 +" });
      assert.match(JSON.stringify(agent.effects[1]?.output), /"isError":true/);
      assert.equal(agent.effects[2]?.usage?.totalTokens, 23);
      assert.deepEqual(agent.usage, usage);
      for (const timed of [...steps, ...agent.effects]) {
        const { startedAt, finishedAt, durationMs } = timed;
        assert.equal(Date.parse(startedAt) + (durationMs ?? Number.NaN), Date.parse(finishedAt ?? ""));
      }
    });

    it("are answered by their own door", async (t) => {
      const platform = await openScriptedPlatform(t, databases);
      const ask = platform.ask<Answer>;
      const agentId = await agentWith(platform, asking);
      const { executionId } = await ask(agentId, { question: "it", chatId: "chat" });
      const { action } = await get(platform, executionId);
      const path = `/executions/${executionId}/answer`;
      assert.equal((await refusal(platform.send("POST", path, { type: "maybe" }))).status, 422);
      assert.equal((await refusal(platform.send("POST", path, { type: "proceed", waitId: "x" }))).status, 422);
      await platform.json("POST", path, { type: "proceed", waitId: action?.id, feedback: "Yes, do." });
      const done = await platform.until(async () => {
        const execution = await get(platform, executionId);
        return execution.state === "FINISHED" ? execution : undefined;
      });
      assert.deepEqual([done.text, done.action], ["Yes, do.", null]);
      assert.deepEqual(done.steps[1]?.input, { type: "proceed", feedback: "Yes, do." });
      assert.equal((await refusal(platform.send("POST", path, { type: "proceed" }))).status, 409);
    });

    it("are deleted, and their messages stay", async (t) => {
      const platform = await openScriptedPlatform(t, databases);
      const ask = platform.ask<Answer>;
      const agentId = await agentWith(platform, reply);
      const runs: string[] = [];
      for (const question of ["one", "two", "three"]) {
        runs.push((await ask(agentId, { question, chatId: "chat" })).executionId);
      }
      const deleted = { success: true, deletedCount: 1 };
      assert.deepEqual(await platform.json("DELETE", `/executions/${runs[0]}`), deleted);
      assert.equal((await refusal(platform.send("DELETE", `/executions/${runs[0]}`))).status, 404);
      assert.equal((await refusal(platform.send("GET", `/executions/${runs[0]}`))).status, 404);
      const many = await platform.json("DELETE", "/executions", { executionIds: [runs[0], runs[1], unknownId] });
      assert.deepEqual(many, deleted);
      const messages = await platform.json<ChatMessage[]>("GET", `/chatmessage/${agentId}`);
      assert.deepEqual(
        messages.map(({ executionId }) => executionId),
        ["", "", "", "", runs[2], runs[2]],
      );
      for (const body of [{}, { executionIds: [] }, { executionIds: ["7"] }]) {
        assert.equal((await refusal(platform.send("DELETE", "/executions", body))).status, 400);
      }
    });

    it("are deleted some time after their end, where the operator says so; not while they wait", async (t) => {
      const closers: (() => Promise<void>)[] = [];
      const closeAll = async () => {
        for (const close of closers.splice(0)) await close();
      };
      t.after(closeAll);
      const storage = await databases.createTestStorage(t);
      const here = { ...databases, createTestStorage: async () => storage };
      const start = (env = {}) =>
        openTestPlatform({ after: (close) => void closers.push(close as () => Promise<void>) }, here, env);

      const before = await start();
      const ask = async (flowData: string) =>
        before.json<Answer>("POST", `/prediction/${await agentWith(before, flowData)}`, { question: "one" });
      const old = await ask(reply);
      const waiting = await ask(asking);
      await closeAll();
      const database = await storage.open();
      await database.write((tx) => tx.updateTable("runs").set({ updatedDate: "2020-01-01T00:00:00.000Z" }).execute());
      await database.close();

      const after = await start({ EXECUTION_RETENTION: "30d" });
      const kept = await after.until(async () => {
        const { data } = await list(after);
        return data.length === 1 ? data : undefined;
      });
      assert.deepEqual(
        kept.map(({ id }) => id),
        [waiting.executionId],
      );
      assert.equal((await refusal(after.send("GET", `/executions/${old.executionId}`))).status, 404);
    });

    it("know unknown ids and those that are none", async (t) => {
      const platform = await openScriptedPlatform(t, databases);
      for (const [method, path] of [
        ["GET", ""],
        ["POST", "/cancel"],
        ["POST", "/retry"],
        ["DELETE", ""],
      ] as const) {
        assert.equal((await refusal(platform.send(method, `/executions/${unknownId}${path}`))).status, 404, path);
        assert.equal((await refusal(platform.send(method, `/executions/7${path}`))).status, 400, path);
      }
      assert.equal(
        (await refusal(platform.send("POST", `/executions/${unknownId}/answer`, { type: "reject" }))).status,
        404,
      );
    });
  });

  describe("the retry of an execution", () => {
    const nodes = (url: string) => [
      { id: "start", type: "start" },
      { id: "write", type: "http", label: "Write", config: { method: "POST", url } },
      { id: "each", type: "iteration", label: "Each", config: { items: "[1,2]" } },
      {
        id: "think",
        type: "llm",
        label: "Think",
        parent: "each",
        config: { prompt: "{{ $iteration }}", memory: { type: "off" } },
      },
      { id: "end", type: "direct-reply", config: { message: "{{ each }}" } },
    ];
    const edges = [
      { id: "a", source: "start", target: "write" },
      { id: "b", source: "write", target: "each" },
      { id: "c", source: "each", target: "end" },
    ];

    it("goes on from what failed, and does nothing again that was done", async (t) => {
      const api = await startCountingApi();
      t.after(api.close);
      api.release();
      let isBroken = true;
      const asked: string[] = [];
      const script: Script = ({ messages }) => {
        const item = String(messages.at(-1)?.content);
        asked.push(item);
        return isBroken && item === "2" ? { status: 400, body: { error: { message: "No." } } } : { text: `<${item}>` };
      };
      const env = { EGRESS_ALLOW: `127.0.0.1:${api.port}` };
      const platform = await openScriptedPlatform(t, databases, script, { env });
      const ask = platform.ask<Answer>;
      const flowData = JSON.stringify({ weft: 1, nodes: nodes(`http://127.0.0.1:${api.port}/quick`), edges });
      const agentId = await agentWith(platform, flowData);
      await ask(agentId, { question: "go", chatId: "chat" });
      const failed = (await list(platform)).data[0] as ExecutionSummary;
      assert.equal(failed.state, "ERROR");
      assert.deepEqual(asked, ["1", "2"]);

      isBroken = false;
      const retried = await platform.json<Execution>("POST", `/executions/${failed.id}/retry`);
      assert.notEqual(retried.id, failed.id);
      assert.equal(retried.retriedFrom, failed.id);
      const done = await platform.until(async () => {
        const execution = await get(platform, retried.id);
        return execution.stoppedDate === null ? undefined : execution;
      });
      assert.deepEqual([done.state, done.text], ["FINISHED", "<1>\n<2>"]);
      assert.deepEqual(asked, ["1", "2", "2"]);
      assert.equal(api.counts.get("/quick"), 1);
      const messages = await platform.json<ChatMessage[]>("GET", `/chatmessage/${agentId}`);
      assert.deepEqual(
        messages.map(({ role, executionId }) => [role, executionId]),
        [
          ["userMessage", failed.id],
          ["apiMessage", failed.id],
          ["apiMessage", retried.id],
        ],
      );
      assert.equal((await get(platform, failed.id)).state, "ERROR");
      const again = await refusal(platform.send("POST", `/executions/${failed.id}/retry`));
      assert.deepEqual([again.status, again.message.includes(retried.id)], [409, true]);
      assert.equal((await refusal(platform.send("POST", `/executions/${retried.id}/retry`))).status, 409);
    });
  });
});
