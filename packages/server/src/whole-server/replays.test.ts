import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Script } from "@weft/providers/testing";
import type { ChatMessage, Execution } from "@weft/schema";
import { forEachDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { startCountingApi } from "../testing/counting-api.ts";
import { openScriptedPlatform } from "../testing/scripted-model.ts";
import { agentWith, type TestPlatform } from "../testing/test-platform.ts";

type Answer = { text: string; executionId: string };

const unknownId = "00000000-0000-7000-8000-000000000000";
const get = (platform: TestPlatform, id: string) => platform.json<Execution>("GET", `/executions/${id}`);
const replay = (platform: TestPlatform, id: string, body: object) =>
  platform.json<Execution>("POST", `/executions/${id}/replay`, body);
const refusal = async (response: Promise<Response>) => {
  const { status, message } = (await (await response).json()) as { status: number; message: string };
  return { status, message };
};

/** The run once nothing of it goes on. */
const settled = (platform: TestPlatform, id: string) =>
  platform.until(async () => {
    const run = await get(platform, id);
    return run.state === "INPROGRESS" ? undefined : run;
  });

function steps({ steps: all }: Execution): string[] {
  return all.map(({ nodeId, isRepeated = false }) => (isRepeated ? `(${nodeId})` : nodeId));
}

/** Looks something up, thinks about it, writes what it thought to an API and says so. */
function flow(url: string, prompt: string): string {
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start", type: "start" },
      { id: "look", type: "http", label: "Look", config: { url: `${url}/quick` } },
      { id: "think", type: "llm", label: "Think", config: { prompt, memory: { type: "all" } } },
      { id: "send", type: "http", label: "Send", config: { method: "POST", url: `${url}/sent` } },
      { id: "end", type: "direct-reply", label: "End", config: { message: "Sent {{ think }}" } },
    ],
    edges: ["start>look", "look>think", "think>send", "send>end"].map((edge) => {
      const [source = "", target = ""] = edge.split(">");
      return { id: edge, source, target };
    }),
  });
}

/** An agent that has answered two messages of a session, the second of which is the run. */
async function openAgent(t: TestContext, databases: TestDatabases) {
  const api = await startCountingApi();
  t.after(api.close);
  api.release();
  const asked: string[] = [];
  const script: Script = ({ messages }) => {
    asked.push(messages.map(({ content }) => String(content)).join(" | "));
    return { text: `thought ${asked.length}` };
  };
  const platform = await openScriptedPlatform(t, databases, script, {
    env: { EGRESS_ALLOW: `127.0.0.1:${api.port}` },
  });
  const url = `http://127.0.0.1:${api.port}`;
  const id = await agentWith(platform, flow(url, "{{ question }}"));
  await platform.ask<Answer>(id, { question: "hello", chatId: "chat" });
  const { executionId } = await platform.ask<Answer>(id, { question: "again", chatId: "chat" });
  return { platform, api, asked, url, id, executionId };
}

await forEachDatabase((databases) => {
  describe("replays", () => {
    it("go on from a step, in a chat of their own, and ask before they write", async (t) => {
      const { platform, api, asked, id, executionId } = await openAgent(t, databases);
      assert.deepEqual([api.counts.get("/quick"), api.counts.get("/sent")], [2, 2]);
      const begun = await replay(platform, executionId, { nodeKey: "think#0", question: "otherwise" });
      assert.equal(begun.replayedFrom, executionId);
      const waiting = await settled(platform, begun.id);
      assert.equal(waiting.state, "STOPPED");
      assert.deepEqual([api.counts.get("/quick"), api.counts.get("/sent")], [2, 2]);
      assert.equal(asked.at(-1), "hello | Sent thought 1 | otherwise");
      await platform.json("POST", `/executions/${begun.id}/answer`, { type: "proceed" });
      const done = await settled(platform, begun.id);
      assert.deepEqual([done.state, done.text], ["FINISHED", "Sent thought 3"]);
      assert.deepEqual(steps(done), ["(start)", "(look)", "think", "send", "end"]);
      assert.equal(api.counts.get("/sent"), 3);
      assert.equal(done.usage.totalTokens, 15);
      const said = await platform.json<ChatMessage[]>("GET", `/chatmessage/${id}?chatId=chat`);
      assert.deepEqual(
        said.map(({ content }) => content),
        ["hello", "Sent thought 1", "again", "Sent thought 2"],
      );
      const own = await platform.json<ChatMessage[]>("GET", `/chatmessage/${id}?chatId=${done.chatId}`);
      assert.deepEqual([...new Set(own.map(({ chatType }) => chatType))], ["INTERNAL"]);
      assert.equal((await get(platform, executionId)).text, "Sent thought 2");

      const from = await replay(platform, done.id, {
        nodeId: "end",
        outputs: { think: { output: {}, text: "given" } },
      });
      const last = await settled(platform, from.id);
      assert.deepEqual([last.text, last.usage.totalTokens, last.costDollars], ["Sent given", 0, null]);
      assert.deepEqual(steps(last), ["(start)", "(look)", "(think)", "(send)", "end"]);
      assert.equal(last.steps.find(({ nodeId }) => nodeId === "think")?.usage.totalTokens, 0);
    });

    it("make one step of the draft alone, with what it was given then", async (t) => {
      const { platform, api, asked, url, id, executionId } = await openAgent(t, databases);
      await platform.json("PUT", `/chatflows/${id}/draft`, {
        flowData: flow(url, "drafted {{ question }}"),
        pins: { think: { output: "pinned", text: "pinned" } },
      });
      const { id: runId } = await replay(platform, executionId, { nodeId: "think", draft: true, only: true });
      const done = await settled(platform, runId);
      assert.equal(done.state, "FINISHED");
      assert.deepEqual(steps(done), ["(start)", "(look)", "think"]);
      assert.equal(asked.at(-1), "hello | Sent thought 1 | drafted again");
      assert.deepEqual([api.counts.get("/quick"), api.counts.get("/sent")], [2, 2]);
      const [output] = done.steps.flatMap((step) => (step.nodeId === "think" ? [step.output] : []));
      assert.match(JSON.stringify(output), /thought 3/);
    });

    it("say what is in the way", async (t) => {
      const { platform, url, id, executionId } = await openAgent(t, databases);
      const path = `/executions/${executionId}/replay`;
      const refused = (body: object) => refusal(platform.send("POST", path, body));
      const unreached = await refused({ nodeKey: "think#4" });
      assert.deepEqual([unreached.status, /never came to Think/.test(unreached.message)], [409, true]);
      assert.equal((await refused({})).status, 422);
      assert.equal((await refused({ nodeKey: "think#0", nodeId: "think" })).status, 422);
      assert.equal((await refused({ nodeId: "think", outputs: { look: "text" } })).status, 422);
      const long = await refused({ nodeId: "think", outputs: { look: { output: "x".repeat(1_000_000) } } });
      assert.deepEqual([long.status, /outputs has more than 1000000/.test(long.message)], [422, true]);
      assert.equal((await platform.send("POST", `/executions/${unknownId}/replay`, { nodeId: "think" })).status, 404);
      await platform.json("PUT", `/chatflows/${id}/draft`, {
        flowData: JSON.stringify({ weft: 1, nodes: [], edges: [] }),
      });
      const empty = await refused({ nodeId: "think", draft: true });
      assert.deepEqual([empty.status, /The draft cannot run/.test(empty.message)], [409, true]);
      const moved = JSON.parse(flow(url, "{{ question }}"));
      moved.nodes = moved.nodes.filter((node: { id: string }) => node.id !== "look");
      moved.edges = [{ id: "x", source: "start", target: "think" }, ...moved.edges.slice(2)];
      await platform.json("PUT", `/chatflows/${id}/draft`, { flowData: JSON.stringify(moved) });
      const changed = await refused({ nodeId: "think", draft: true });
      assert.deepEqual([changed.status, /were removed or moved/.test(changed.message)], [409, true]);
      const key = await platform.json<{ apiKey: string }>("POST", "/apikey", {
        keyName: "runs",
        permissions: ["executions:read", "executions:write", "predictions:run", "chats:write"],
      });
      const headers = { authorization: `Bearer ${key.apiKey}` };
      assert.equal((await platform.send("POST", path, { nodeId: "think" }, headers)).status, 403);
    });
  });
});
