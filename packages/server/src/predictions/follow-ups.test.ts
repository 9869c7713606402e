import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { type ChatCompletionRequest, createScriptedOpenAiServer, type ScriptStep } from "@weft/providers/testing";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { agentWith, llmFlow, openTestPlatform } from "../testing/test-platform.ts";
import { parseFrames } from "./testing/stream-client.ts";

type Answer = { text: string; executionId: string; followUpPrompts?: string; action?: object };
type Metadata = { executionId: string; followUpPrompts?: string };

const on = { status: true };
const isSuggesting = ({ response_format }: ChatCompletionRequest) => response_format !== undefined;
const say = (value: unknown): ScriptStep => ({ text: typeof value === "string" ? value : JSON.stringify(value) });
const three = { questions: ["How much water?", "Which soil?", "When to cut?"] };

/** An agent that answers "Ferns.", and a model that suggests as it is told. */
async function open(t: TestContext, databases: TestDatabases, suggestion: ScriptStep, followUpPrompts: object = on) {
  const model = await createScriptedOpenAiServer({
    script: (request) => (isSuggesting(request) ? suggestion : say("Ferns.")),
  });
  t.after(() => model.close());
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-operator", DEFAULT_MODEL: "scripted" };
  const platform = await openTestPlatform(t, databases, env);
  const chatbotConfig = JSON.stringify({ followUpPrompts });
  const id = await agentWith(platform, llmFlow(), { chatbotConfig });
  const ask = (body: object = {}) =>
    platform.json<Answer>("POST", `/prediction/${id}`, { question: "Shade?", ...body });
  async function stream(path = `/prediction/${id}`, init: { method?: string; body?: object } = {}) {
    const { method = "POST", body = { question: "Shade?", streaming: true } } = init;
    const response = await platform.send(method, path, method === "GET" ? undefined : body);
    const frames = parseFrames(await response.text());
    return { events: frames.map(({ event }) => event), metadata: metadataOf(frames) };
  }
  const suggestions = () => model.requests.filter(({ body }) => isSuggesting(body)).map(({ body }) => body);
  return { platform, model, id, ask, stream, suggestions };
}

function metadataOf(frames: ReturnType<typeof parseFrames>): Metadata {
  return frames.find(({ event }) => event === "metadata")?.data as Metadata;
}

await onTestDatabase((databases) => {
  describe("messages that may follow an answer", () => {
    it("come with it as JSON text, whole or streamed", async (t) => {
      const { ask, stream, suggestions } = await open(t, databases, say(three));
      const { text, followUpPrompts } = await ask();
      assert.equal(text, "Ferns.");
      assert.deepEqual(JSON.parse(followUpPrompts ?? ""), three.questions);
      const { events, metadata } = await stream();
      assert.deepEqual(JSON.parse(metadata.followUpPrompts ?? ""), three.questions);
      assert.deepEqual(events.slice(-3), ["agentFlowEvent", "metadata", "end"]);
      const told = suggestions()[0]?.messages.map(({ content }) => content);
      assert.match(String(told?.[1]), /User: Shade\?\n\nAssistant: Ferns\./);
    });

    it("are asked for once, also where a client reconnects", async (t) => {
      const { stream, suggestions } = await open(t, databases, say(three));
      const { metadata } = await stream();
      const again = await stream(`/executions/${metadata.executionId}/events`, { method: "GET" });
      assert.deepEqual(again.metadata, metadata);
      assert.equal(suggestions().length, 1);
    });

    it("are asked for in the owner's words", async (t) => {
      const settings = { ...on, prompt: "Three questions on {history}", temperature: 0.5 };
      const { ask, suggestions } = await open(t, databases, say(three), settings);
      await ask();
      const [asked] = suggestions();
      assert.equal(asked?.messages[1]?.content, "Three questions on User: Shade?\n\nAssistant: Ferns.");
      assert.equal(asked?.temperature, 0.5);
    });

    it("are none for agents that suggest nothing, and for tests in the builder", async (t) => {
      const off = await open(t, databases, say(three), { status: false });
      assert.equal((await off.ask()).followUpPrompts, undefined);
      assert.equal((await off.stream()).metadata.followUpPrompts, undefined);
      assert.equal(off.suggestions().length, 0);
      const { platform, id, suggestions } = await open(t, databases, say(three));
      const tested = await platform.json<Answer>("POST", `/internal-prediction/${id}`, { question: "Shade?" });
      assert.equal(tested.followUpPrompts, undefined);
      assert.equal(suggestions().length, 0);
    });

    it("are none where the model fails or says something else; the answer is there", async (t) => {
      for (const step of [{ status: 500 }, say("I would rather not."), say({ questions: "one" }), say("[]")]) {
        const { ask, stream } = await open(t, databases, step);
        const answer = await ask();
        assert.deepEqual([answer.text, answer.followUpPrompts], ["Ferns.", undefined], JSON.stringify(step));
        const { events, metadata } = await stream();
        assert.equal(metadata.followUpPrompts, undefined);
        assert.equal(events.at(-1), "end");
      }
    });

    it("are at most three, short, and each once", async (t) => {
      const questions = [" Why? ", "Why?", "", 7, "x".repeat(201), "How?", "When?", "Where?"];
      const { ask } = await open(t, databases, say(`\`\`\`json\n${JSON.stringify({ questions })}\n\`\`\``));
      assert.deepEqual(JSON.parse((await ask()).followUpPrompts ?? ""), ["Why?", "How?", "When?"]);
    });

    it("do not hold up the text of an answer", async (t) => {
      const { platform, id } = await open(t, databases, { ...say(three), delayMs: 1_500 } as ScriptStep);
      const response = await platform.send("POST", `/prediction/${id}`, { question: "Shade?", streaming: true });
      let [text, sawText] = ["", false];
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += piece;
        sawText ||= text.includes('"FINISHED"') && text.includes("Ferns.") && !text.includes('"metadata"');
      }
      assert.ok(sawText, "the answer came before what follows it");
      assert.ok(text.includes("followUpPrompts"));
    });

    it("wait for the answer of a person", async (t) => {
      const { platform, suggestions } = await open(t, databases, say(three));
      const nodes = [
        { id: "start", type: "start" },
        { id: "ask", type: "human-input", config: { question: "Send it?" } },
        { id: "end", type: "direct-reply", config: { message: "Sent." } },
      ];
      const edges = [
        { id: "a", source: "start", target: "ask" },
        { id: "b", source: "ask", sourcePort: "proceed", target: "end" },
      ];
      const chatbotConfig = JSON.stringify({ followUpPrompts: on });
      const id = await agentWith(platform, JSON.stringify({ weft: 1, nodes, edges }), { chatbotConfig });
      const chatId = crypto.randomUUID();
      const asked = await platform.json<Answer>("POST", `/prediction/${id}`, { question: "Go", chatId });
      assert.ok(asked.action);
      assert.equal(suggestions().length, 0);
      const humanInput = { type: "proceed" };
      const sent = await platform.json<Answer>("POST", `/prediction/${id}`, { chatId, humanInput });
      assert.equal(sent.text, "Sent.");
      assert.deepEqual(JSON.parse(sent.followUpPrompts ?? ""), three.questions);
    });
  });
});
