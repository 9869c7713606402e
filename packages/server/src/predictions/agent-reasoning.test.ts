import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createScriptedOpenAiServer, type Script } from "@weft/providers/testing";
import type { AgentReasoning, ChatMessage, DocumentStore, JsonObject, PredictionResult } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { agentWith, llmFlow, openTestPlatform } from "../testing/test-platform.ts";

type Test = Parameters<typeof openTestPlatform>[0];

const refunds = "Refunds take five days.";

/** The researcher searches once; every other agent says who it is. */
const script: Script = ({ messages, tools }) => {
  if (tools === undefined) return { text: "Five days, dear customer." };
  if (messages.some(({ role }) => role === "tool")) return { text: "It says five days." };
  return { toolCalls: [{ name: "handbook", arguments: { query: "refunds" } }] };
};

const node = (id: string, type: string, config: JsonObject, label = id) => {
  return { id, type, version: 1, label, position: { x: 0, y: 0 }, config };
};
const edge = (source: string, target: string) => ({ id: `${source}-${target}`, source, sourcePort: "out", target });

function teamFlow(storeId: string): string {
  const knowledge = [{ storeId, name: "handbook", description: "What people ask" }];
  const updateState = [{ key: "topic", value: "refunds" }];
  const nodes = [
    node("start", "start", { state: { topic: "" } }),
    node("search", "agent", { knowledge, updateState }, "Researcher"),
    node("write", "llm", {}, "Writer"),
  ];
  return JSON.stringify({ weft: 1, nodes, edges: [edge("start", "search"), edge("search", "write")] });
}

async function open(t: Test, databases: TestDatabases) {
  const model = await createScriptedOpenAiServer({ script });
  t.after(() => model.close());
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: model.url, DEFAULT_MODEL: "scripted" };
  const platform = await openTestPlatform(t, databases, env);
  const { id } = await platform.json<DocumentStore>("POST", "/document-store/store", { name: "Handbook" });
  const loader = { name: "plainText", config: { text: refunds } };
  await platform.json("POST", `/document-store/upsert/${id}`, { loader });
  return { platform, team: await agentWith(platform, teamFlow(id)) };
}

/** What the team did, with the sources in short. */
function inShort(steps: readonly AgentReasoning[] | undefined) {
  return steps?.map(({ sourceDocuments, usedTools, ...step }) => {
    const tools = usedTools.map(({ tool, toolInput }) => ({ tool, toolInput }));
    return { ...step, usedTools: tools, sources: sourceDocuments.map(({ pageContent }) => pageContent) };
  });
}

const researcher = {
  agentName: "Researcher",
  messages: ["It says five days."],
  nodeName: "agent",
  nodeId: "search",
  usedTools: [{ tool: "handbook", toolInput: { query: "refunds" } }],
  sources: [refunds],
};
const writer = {
  agentName: "Writer",
  messages: ["Five days, dear customer."],
  nodeName: "llm",
  nodeId: "write",
  usedTools: [],
  sources: [],
};

await onTestDatabase((databases) => {
  describe("agentReasoning", () => {
    test("says what each agent of several did, in the answer and in the stored message", async (t) => {
      const { platform, team } = await open(t, databases);
      const answer = await platform.json<PredictionResult>("POST", `/prediction/${team}`, { question: "Refunds?" });
      assert.equal(answer.text, "Five days, dear customer.");
      const state = { topic: "refunds" };
      assert.deepEqual(inShort(answer.agentReasoning), [
        { ...researcher, state },
        { ...writer, state },
      ]);
      const [asked, said] = await platform.json<ChatMessage[]>("GET", `/chatmessage/${team}`);
      assert.deepEqual([asked?.agentReasoning, said?.agentReasoning], [[], answer.agentReasoning]);
      assert.deepEqual([answer.fileAnnotations, said?.fileAnnotations], [[], []]);
    });

    test("comes in a stream after each agent, all of them so far", async (t) => {
      const { platform, team } = await open(t, databases);
      const response = await platform.send("POST", `/prediction/${team}`, { question: "Refunds?", streaming: true });
      const frames = (await response.text()).match(/(?<=^data:).*$/gm)?.map((line) => JSON.parse(line)) ?? [];
      const steps = frames
        .filter(({ event }) => event === "agentReasoning")
        .map(({ data }) => data as AgentReasoning[]);
      assert.deepEqual(
        steps.map((list) => list.map(({ agentName }) => agentName)),
        [["Researcher"], ["Researcher", "Writer"], ["Researcher", "Writer"]],
      );
      const names = frames.map(({ event }) => event as string);
      assert.ok(names.indexOf("agentReasoning") < names.indexOf("token"), "the first agent before the answer");
      assert.ok(names.lastIndexOf("agentReasoning") < names.indexOf("metadata"));
      const [, said] = await platform.json<ChatMessage[]>("GET", `/chatmessage/${team}`);
      assert.deepEqual(said?.agentReasoning, steps.at(-1));
    });

    test("is empty where one agent answers alone", async (t) => {
      const { platform } = await open(t, databases);
      const alone = await agentWith(platform, llmFlow());
      const answer = await platform.json<PredictionResult>("POST", `/prediction/${alone}`, { question: "Hi" });
      assert.deepEqual(answer.agentReasoning, []);
      const stream = await platform.send("POST", `/prediction/${alone}`, { question: "Hi", streaming: true });
      assert.doesNotMatch(await stream.text(), /agentReasoning/);
    });
  });
});
