import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it, type TestContext } from "node:test";
import { systemClock } from "@weft/run-host";
import type { ChatMessage, Execution, PredictionResult } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { type CaseNode, say, toFlowData, when } from "../testing/flow-table/flow-case.ts";
import { agentWith, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

const hourMs = 3_600_000;
const pause = (config: object): CaseNode => ({ type: "wait", config });
const before = "start>w w>end";
const pausing = (config: object) =>
  toFlowData({ nodes: { w: pause(config), end: say("Done: {{ question }}") }, edges: before });
/** Longer than a process stays for, and shorter than a test takes. */
const short = { amount: "1.5", unit: "seconds" };
const long = { amount: "2", unit: "hours", signal: "go", message: "I will be back." };

/** A clock that a test sets forward. */
function createTestClock() {
  let aheadMs = 0;
  return {
    clock: { ...systemClock, now: () => Date.now() + aheadMs },
    skip(ms: number) {
      aheadMs += ms;
    },
  };
}

async function openWith(t: TestContext, databases: TestDatabases, flowData: string, more: object = {}) {
  const { clock, skip } = createTestClock();
  const platform = await openTestPlatform(t, databases, {}, { clock });
  const id = await agentWith(platform, flowData, more);
  return { platform, id, skip };
}

const ask = (platform: TestPlatform, id: string, body: object = {}) =>
  platform.json<PredictionResult>("POST", `/prediction/${id}`, { question: "hi", ...body });

const runOf = (platform: TestPlatform, id: string) => platform.json<Execution>("GET", `/executions/${id}`);

const isIn = (platform: TestPlatform, id: string, state: Execution["state"]) =>
  platform.until(async () => {
    const run = await runOf(platform, id);
    return run.state === state ? run : undefined;
  });

/** The only run of an agent, once it waits. */
const waiting = (platform: TestPlatform, agentId: string) =>
  platform.until(async () => {
    const { data } = await platform.json<{ data: Execution[] }>("GET", `/executions?agentflowId=${agentId}`);
    return data.find(({ waitsUntil }) => waitsUntil !== null);
  });

const said = async (platform: TestPlatform, id: string) =>
  (await platform.json<ChatMessage[]>("GET", `/chatmessage/${id}?order=ASC`)).map(
    ({ role, content }) => `${role} ${content}`,
  );

const signal = (platform: TestPlatform, id: string, name: string, body: object = {}) =>
  platform.send("POST", `/executions/${id}/signals/${name}`, body);

await onTestDatabase((databases) => {
  describe("a short wait", { concurrency: true }, () => {
    it("keeps the caller until the answer, and shows the moment meanwhile", async (t) => {
      const { platform, id } = await openWith(t, databases, pausing(short));
      const begunAt = Date.now();
      const asked = ask(platform, id);
      const { state, waitsUntil, action } = await waiting(platform, id);
      assert.deepEqual([state, action], ["INPROGRESS", null]);
      assert.ok(Date.parse(waitsUntil ?? "") >= begunAt + 1_500);
      const { text, question, action: none } = await asked;
      assert.deepEqual([text, question, none], ["Done: hi", "hi", undefined]);
      assert.ok(Date.now() - begunAt >= 1_500);
      assert.deepEqual(await said(platform, id), ["userMessage hi", "apiMessage Done: hi"]);
    });

    it("keeps a stream open: one answer, and one end", async (t) => {
      const { platform, id } = await openWith(t, databases, pausing(short));
      const stream = await (
        await platform.send("POST", `/prediction/${id}`, { question: "hi", streaming: true })
      ).text();
      const frames = stream
        .split("\n")
        .flatMap((line) => (line.startsWith("data:") ? [JSON.parse(line.slice(5))] : []));
      const states = frames.flatMap(({ event, data }) => (event === "agentFlowEvent" ? [data] : []));
      assert.deepEqual(states, ["INPROGRESS", "FINISHED"]);
      const steps = frames.flatMap(({ event, data }) =>
        event === "nextAgentFlow" && data.nodeId === "w" ? [data.status] : [],
      );
      assert.deepEqual(steps, ["INPROGRESS", "STOPPED", "INPROGRESS", "FINISHED"]);
      const text = frames.flatMap(({ event, data }) => (event === "token" ? [data] : [])).join("");
      assert.equal(text, "Done: hi");
      assert.equal(frames.filter(({ event }) => event === "end").length, 1);
    });

    it("keeps its turn: the next message of the session is answered after it", async (t) => {
      const { platform, id } = await openWith(t, databases, pausing(short));
      const first = ask(platform, id, { question: "one", chatId: "chat" });
      await waiting(platform, id);
      await ask(platform, id, { question: "two", chatId: "chat" });
      await first;
      assert.deepEqual(await said(platform, id), [
        "userMessage one",
        "apiMessage Done: one",
        "userMessage two",
        "apiMessage Done: two",
      ]);
    });

    it("ends at once when it is cancelled", async (t) => {
      const { platform, id } = await openWith(t, databases, pausing({ amount: "50", unit: "seconds" }));
      const asked = platform.send("POST", `/prediction/${id}`, { question: "hi" });
      const { id: runId } = await waiting(platform, id);
      const { state } = await platform.json<Execution>("POST", `/executions/${runId}/cancel`);
      assert.equal(state, "TERMINATED");
      assert.equal((await asked).status, 500);
    });

    it("ends with its agent", async (t) => {
      const { platform, id } = await openWith(t, databases, pausing({ amount: "50", unit: "seconds" }));
      const asked = platform.send("POST", `/prediction/${id}`, { question: "hi" });
      const { id: runId } = await waiting(platform, id);
      await platform.json("DELETE", `/chatflows/${id}`);
      assert.equal((await isIn(platform, runId, "TERMINATED")).waitsUntil, null);
      await asked;
    });

    it("ends with its signal as well, and the caller gets the answer", async (t) => {
      const { platform, id } = await openWith(t, databases, pausing({ amount: "50", unit: "seconds", signal: "go" }));
      const asked = ask(platform, id);
      const { id: runId } = await waiting(platform, id);
      assert.equal((await signal(platform, runId, "stop")).status, 409);
      assert.equal((await runOf(platform, runId)).state, "INPROGRESS");
      assert.equal((await signal(platform, runId, "go")).status, 200);
      assert.equal((await asked).text, "Done: hi");
      assert.equal((await signal(platform, runId, "go")).status, 409);
    });

    it("is waited for by the flow that calls the agent", async (t) => {
      const { platform, id } = await openWith(t, databases, pausing(short));
      const config = { agentId: id, input: "from above" };
      const calling = toFlowData({ nodes: { c: { type: "execute-flow", config } }, edges: "start>c" });
      const { text } = await ask(platform, await agentWith(platform, calling));
      assert.equal(text, "Done: from above");
    });
  });

  describe("a long wait", { concurrency: true }, () => {
    it("answers with its message, and goes on when its moment has come", async (t) => {
      const { platform, id, skip } = await openWith(t, databases, pausing(long));
      const { executionId, text, action } = await ask(platform, id);
      assert.deepEqual([text, action], ["I will be back.", undefined]);
      const run = await runOf(platform, executionId);
      assert.deepEqual([run.state, run.action, run.text], ["STOPPED", null, "I will be back."]);
      assert.deepEqual(run.waitsForSignals, ["go"]);
      assert.ok(Math.abs(Date.parse(run.waitsUntil ?? "") - Date.now() - 2 * hourMs) < 60_000);
      skip(2 * hourMs);
      const ended = await isIn(platform, executionId, "FINISHED");
      assert.deepEqual([ended.text, ended.waitsUntil, ended.waitsForSignals], ["Done: hi", null, []]);
      const step = ended.steps.find(({ nodeId }) => nodeId === "w");
      assert.deepEqual(
        step?.waits.map(({ resumedBy, signal: name }) => [resumedBy, name]),
        [["time", "go"]],
      );
      assert.deepEqual(await said(platform, id), [
        "userMessage hi",
        "apiMessage I will be back.",
        "apiMessage Done: hi",
      ]);
    });

    it("lets the next messages of its session pass, and continues behind them", async (t) => {
      const { platform, id, skip } = await openWith(
        t,
        databases,
        toFlowData({
          nodes: {
            c: when({ later: ["{{ question }}", "later"] }),
            w: pause(long),
            end: say("Done: {{ question }}"),
            now: say("Now: {{ question }}"),
          },
          edges: "start>c c:later>w w>end c:else>now",
        }),
      );
      const { executionId } = await ask(platform, id, { question: "later", chatId: "chat" });
      assert.equal((await ask(platform, id, { question: "hello", chatId: "chat" })).text, "Now: hello");
      skip(2 * hourMs);
      await isIn(platform, executionId, "FINISHED");
      assert.deepEqual(await said(platform, id), [
        "userMessage later",
        "apiMessage I will be back.",
        "userMessage hello",
        "apiMessage Now: hello",
        "apiMessage Done: later",
      ]);
    });

    it("streams what it says, and on request what follows", async (t) => {
      const { platform, id, skip } = await openWith(t, databases, pausing(long));
      const stream = await (
        await platform.send("POST", `/prediction/${id}`, { question: "hi", streaming: true })
      ).text();
      assert.match(stream, /"token","data":"I will be back\."/);
      assert.match(stream, /"agentFlowEvent","data":"STOPPED"/);
      assert.doesNotMatch(stream, /"event":"action"/);
      const lastId =
        stream
          .match(/id:(\S+)/g)
          ?.at(-1)
          ?.slice(3) ?? "";
      const runId = lastId.split(":")[0] ?? "";
      skip(2 * hourMs);
      await isIn(platform, runId, "FINISHED");
      const headers = { "last-event-id": lastId };
      const rest = await (await platform.send("GET", `/executions/${runId}/events`, undefined, headers)).text();
      assert.match(rest, /"agentFlowEvent","data":"INPROGRESS"/);
      assert.match(rest, /"token","data":"Done: hi"/);
      assert.match(rest, /"agentFlowEvent","data":"FINISHED"/);
    });

    it("takes its signal once, and hands on what came with it", async (t) => {
      const nodes = { w: pause(long), end: say("{{ w.output.resumedBy }} {{ w.output.payload.orderId }}") };
      const { platform, id } = await openWith(t, databases, toFlowData({ nodes, edges: before }));
      const { executionId } = await ask(platform, id);
      const codes = async (answer: Promise<Response>) => {
        const { status } = await answer;
        return status;
      };
      assert.equal(await codes(signal(platform, randomUUID(), "go")), 404);
      assert.equal(await codes(signal(platform, executionId, "else")), 409);
      assert.equal(await codes(signal(platform, executionId, "a%20b")), 400);
      const body = { payload: { orderId: 17 } };
      const sent = await Promise.all([1, 2, 3].map(() => codes(signal(platform, executionId, "go", body))));
      assert.deepEqual(sent.sort(), [200, 409, 409]);
      assert.equal((await isIn(platform, executionId, "FINISHED")).text, "signal 17");
      assert.equal(await codes(signal(platform, executionId, "go", body)), 409);
    });

    it("takes a signal or the time, whichever is first, when both come at once", async (t) => {
      const { platform, id, skip } = await openWith(t, databases, pausing(long));
      const { executionId } = await ask(platform, id);
      skip(2 * hourMs);
      await signal(platform, executionId, "go");
      const { steps } = await isIn(platform, executionId, "FINISHED");
      const waits = steps.flatMap((step) => step.waits);
      assert.equal(waits.length, 1);
      assert.ok(["time", "signal"].includes(waits[0]?.resumedBy ?? ""));
    });

    it("is cancelled, and then never goes on", async (t) => {
      const { platform, id, skip } = await openWith(t, databases, pausing(long));
      const { executionId } = await ask(platform, id);
      const { state, waitsUntil } = await platform.json<Execution>("POST", `/executions/${executionId}/cancel`);
      assert.deepEqual([state, waitsUntil], ["TERMINATED", null]);
      skip(3 * hourMs);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const run = await runOf(platform, executionId);
      assert.deepEqual(
        run.steps.map(({ nodeId }) => nodeId),
        ["start", "w"],
      );
      assert.equal((await signal(platform, executionId, "go")).status, 409);
    });

    it("goes on once, with the first of the processes that find it due, and after a restart", async (t) => {
      const storage = await databases.createTestStorage(t);
      const shared = { createTestStorage: async () => storage };
      const { clock, skip } = createTestClock();
      const first = await openTestPlatform(t, shared, {}, { clock });
      const id = await agentWith(first, pausing(long));
      const runs = await Promise.all(Array.from({ length: 10 }, () => ask(first, id)));
      await first.close();
      skip(2 * hourMs);
      const count = databases.name === "postgres" ? 3 : 1;
      const opened = Array.from({ length: count }, () => openTestPlatform(t, shared, {}, { clock }));
      const platforms = await Promise.all(opened);
      const [platform = first] = platforms;
      for (const { executionId } of runs) {
        const { text, steps } = await isIn(platform, executionId, "FINISHED");
        assert.equal(text, "Done: hi");
        assert.deepEqual(
          steps.flatMap(({ waits }) => waits.map(({ resumedBy }) => resumedBy)),
          ["time"],
        );
      }
      const { length } = await platform.json<unknown[]>("GET", `/chatmessage/${id}`);
      assert.equal(length, 30);
      for (const { close } of platforms) await close();
    });

    it("is not a question: no answer of a human ends it", async (t) => {
      const { platform, id } = await openWith(t, databases, pausing(long));
      const { executionId } = await ask(platform, id, { chatId: "chat" });
      const humanInput = { type: "proceed" };
      const answered = await platform.send("POST", `/prediction/${id}`, { chatId: "chat", humanInput });
      assert.equal(answered.status, 422);
      const answer = await platform.send("POST", `/executions/${executionId}/answer`, humanInput);
      assert.equal(answer.status, 422);
      assert.equal((await runOf(platform, executionId)).state, "STOPPED");
    });

    it("leaves a question open that is asked beside it", async (t) => {
      const nodes = {
        w: pause(long),
        h: { type: "human-input", config: { question: "Well?" } },
        yes: say("yes"),
        end: say("end"),
      };
      const flow = toFlowData({ nodes, edges: "start>w start>h h:proceed>yes w>end" });
      const { platform, id, skip } = await openWith(t, databases, flow);
      const { executionId, text, action } = await ask(platform, id);
      assert.equal(text, "Well?");
      skip(2 * hourMs);
      const run = await platform.until(async () => {
        const found = await runOf(platform, executionId);
        return found.steps.some(({ nodeId }) => nodeId === "end") && found.state === "STOPPED" ? found : undefined;
      });
      assert.deepEqual([run.action?.id, run.waitsUntil], [action?.id, null]);
      await platform.json("POST", `/executions/${executionId}/answer`, { type: "proceed" });
      await isIn(platform, executionId, "FINISHED");
    });
  });
});
