import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Frame } from "@weft/http/event-stream";
import type { ChatMessage, MessageAction } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { agentWith, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";
import { parseFrames, readFrames } from "./testing/stream-client.ts";

type Answer = { text: string; chatId: string; executionId: string; chatMessageId: string; action?: MessageAction };
type Step = { nodeId: string; status: string };

/** Asks whether to ship, and says which way it went. */
function askingFlow(more: { question?: string; labels?: object } = {}): string {
  const { question = "Ship {{ question }}?", labels = { proceedLabel: "Ship it", rejectLabel: "Stop" } } = more;
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start", type: "start", label: "Start" },
      { id: "ask", type: "human-input", label: "Ask", config: { question, ...labels } },
      { id: "yes", type: "direct-reply", label: "Yes", config: { message: "Shipped. {{ ask }}" } },
      { id: "no", type: "direct-reply", label: "No", config: { message: "Stopped. {{ ask }}" } },
    ],
    edges: [
      { id: "a", source: "start", target: "ask" },
      { id: "b", source: "ask", sourcePort: "proceed", target: "yes" },
      { id: "c", source: "ask", sourcePort: "reject", target: "no" },
    ],
  });
}

/** Asks for words or for an option, and says what was answered. */
function wordsFlow(config: object): string {
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start", type: "start" },
      { id: "ask", type: "human-input", label: "Ask", config: { question: "Which?", ...config } },
      { id: "end", type: "direct-reply", config: { message: "Chosen: {{ ask.output.value }}" } },
    ],
    edges: [
      { id: "a", source: "start", target: "ask" },
      { id: "b", source: "ask", sourcePort: "proceed", target: "end" },
    ],
  });
}

/** Two branches that each ask, and a join. */
const twoQuestions = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start", type: "start" },
    { id: "left", type: "human-input", config: { question: "Left?" } },
    { id: "right", type: "human-input", config: { question: "Right?" } },
    { id: "end", type: "direct-reply", config: { message: "{{ left }} and {{ right }}" } },
  ],
  edges: [
    { id: "a", source: "start", target: "left" },
    { id: "b", source: "start", target: "right" },
    { id: "c", source: "left", sourcePort: "proceed", target: "end" },
    { id: "d", source: "right", sourcePort: "proceed", target: "end" },
  ],
});

async function open(t: TestContext, databases: TestDatabases, flowData = askingFlow()) {
  const platform = await openTestPlatform(t, databases);
  const agentId = await agentWith(platform, flowData);
  const send = (body: object) => platform.send("POST", `/prediction/${agentId}`, body);
  const ask = (body: object) => platform.json<Answer>("POST", `/prediction/${agentId}`, body);
  const messages = () => platform.json<ChatMessage[]>("GET", `/chatmessage/${agentId}`);
  return { platform, agentId, send, ask, messages };
}

const stateOf = async (platform: TestPlatform, id: string) =>
  (await platform.json<{ state: string }>("GET", `/executions/${id}`)).state;

const stepsOf = async (platform: TestPlatform, id: string) => {
  const { executionData } = await platform.json<{ executionData: string }>("GET", `/executions/${id}`);
  return (JSON.parse(executionData) as Step[]).map(({ nodeId, status }) => `${nodeId} ${status}`);
};

await onTestDatabase((databases) => {
  describe("human input", () => {
    it("goes on with an option or with text, shows what it takes, and asks again for anything else", async (t) => {
      const options = [{ label: "The red one", value: "red" }, { label: "Blue" }];
      const { ask, messages } = await open(t, databases, wordsFlow({ answer: "choice", options }));
      const asked = await ask({ question: "hi", chatId: "chat" });
      assert.deepEqual(asked.action?.elements, [{ type: "agentflowv2-approve-button", label: "Answer" }]);
      const answer = { type: "choice", options: ["The red one", "Blue"], otherAnswers: false };
      assert.deepEqual(asked.action?.data?.input, { humanInputEnableFeedback: true, answer });
      const again = await ask({ chatId: "chat", humanInput: { type: "proceed", feedback: "green" } });
      assert.deepEqual([again.text, again.executionId], ["Which?", asked.executionId]);
      assert.deepEqual(again.action?.data, asked.action?.data);
      const done = await ask({ chatId: "chat", humanInput: { type: "proceed", feedback: "the RED one" } });
      assert.deepEqual([done.text, done.executionId, done.action], ["Chosen: red", asked.executionId, undefined]);
      const said = (await messages()).filter(({ role }) => role === "userMessage").map(({ content }) => content);
      assert.deepEqual(said, ["hi", "green", "the RED one"]);
    });

    it("takes the next message of the chat as the answer where the question says so", async (t) => {
      const { ask, send, messages } = await open(t, databases, wordsFlow({ answer: "text", takesMessages: true }));
      const asked = await ask({ question: "hi", chatId: "chat" });
      const other = await ask({ question: "hello", chatId: "other" });
      assert.notEqual(other.executionId, asked.executionId);
      const [one, two] = await Promise.all(
        ["the red one", "the blue one"].map((question) => ask({ question, chatId: "chat" })),
      );
      const texts = [one, two].map((answer) => answer?.text).toSorted();
      assert.equal(texts.filter((text) => /^Chosen: the (red|blue) one$/.test(text ?? "")).length, 1, texts.join());
      assert.equal(texts.filter((text) => text === "Which?").length, 1, texts.join());
      const streamed = await send({ question: "green", chatId: "chat", streaming: true });
      assert.equal(readFrames(parseFrames(await streamed.text())).text, "Chosen: green");
      assert.equal((await ask({ question: "again", chatId: "chat" })).text, "Which?");
      const said = (await messages()).filter(({ role, chatId }) => role === "userMessage" && chatId === "chat");
      assert.equal(said.length, 5);
    });

    it("begins a run with the next message where the question does not say so", async (t) => {
      const { ask } = await open(t, databases, wordsFlow({ answer: "text" }));
      const asked = await ask({ question: "hi", chatId: "chat" });
      const next = await ask({ question: "the red one", chatId: "chat" });
      assert.equal(next.text, "Which?");
      assert.notEqual(next.executionId, asked.executionId);
    });

    it("answers at once with the question, and goes on with the answer", async (t) => {
      const { platform, ask, messages } = await open(t, databases);
      const asked = await ask({ question: "the boat", chatId: "chat" });
      assert.equal(asked.text, "Ship the boat?");
      assert.deepEqual(asked.action, {
        id: asked.action?.id,
        mapping: { approve: "Ship it", reject: "Stop", toolCalls: [] },
        elements: [
          { type: "agentflowv2-approve-button", label: "Ship it" },
          { type: "agentflowv2-reject-button", label: "Stop" },
        ],
        data: { nodeId: "ask", nodeLabel: "Ask", input: { humanInputEnableFeedback: true } },
      });
      assert.equal(await stateOf(platform, asked.executionId), "STOPPED");
      assert.deepEqual(await stepsOf(platform, asked.executionId), ["start FINISHED", "ask STOPPED"]);
      const before = await messages();
      assert.deepEqual(
        before.map(({ role, content, action }) => [role, content, action]),
        [
          ["userMessage", "the boat", []],
          ["apiMessage", "Ship the boat?", [asked.action]],
        ],
      );
      assert.equal(before[1]?.id, asked.chatMessageId);

      const done = await ask({ chatId: "chat", humanInput: { type: "PROCEED" } });
      assert.equal(done.text, "Shipped. proceed");
      assert.equal(done.executionId, asked.executionId);
      assert.equal(done.action, undefined);
      assert.equal(await stateOf(platform, asked.executionId), "FINISHED");
      assert.deepEqual(await stepsOf(platform, asked.executionId), ["start FINISHED", "ask FINISHED", "yes FINISHED"]);
      const after = await messages();
      assert.deepEqual(
        after.map(({ role, content, action }) => [role, content, action]),
        [
          ["userMessage", "the boat", []],
          ["apiMessage", "Ship the boat?", []],
          ["userMessage", "Ship it", []],
          ["apiMessage", "Shipped. proceed", []],
        ],
      );
      assert.equal(after[3]?.id, done.chatMessageId);
    });

    it("shows messages of the turn before the question, and those after it in the next turn", async (t) => {
      const flowData = JSON.stringify({
        weft: 1,
        nodes: [
          { id: "start", type: "start" },
          { id: "before", type: "direct-reply", config: { message: "Two are left.", reply: "always" } },
          { id: "ask", type: "human-input", config: { question: "Which?", answer: "text" } },
          { id: "after", type: "direct-reply", config: { message: "Thank you.", reply: "always" } },
          { id: "end", type: "direct-reply", config: { message: "{{ ask }} it is." } },
        ],
        edges: [
          { id: "a", source: "start", target: "before" },
          { id: "b", source: "before", target: "ask" },
          { id: "c", source: "ask", sourcePort: "proceed", target: "after" },
          { id: "d", source: "after", target: "end" },
        ],
      });
      const { send, ask, messages } = await open(t, databases, flowData);
      const asked = await ask({ question: "hi", chatId: "chat" });
      assert.equal(asked.text, "Two are left.\n\nWhich?");
      const answer = { type: "proceed", feedback: "Blue" };
      const stream = await send({ chatId: "chat", humanInput: answer, streaming: true });
      assert.equal(readFrames(parseFrames(await stream.text())).text, "Thank you.\n\nBlue it is.");
      const said = (await messages()).filter(({ role }) => role === "apiMessage").map(({ content }) => content);
      assert.deepEqual(said, ["Two are left.\n\nWhich?", "Thank you.\n\nBlue it is."]);
    });

    it("takes a no, and what the person says with it", async (t) => {
      const { platform, ask, messages } = await open(t, databases);
      const { executionId } = await ask({ question: "it", chatId: "chat" });
      const done = await ask({ chatId: "chat", humanInput: { type: "reject", feedback: "Not on a Friday." } });
      assert.equal(done.text, "Stopped. Not on a Friday.");
      assert.deepEqual(await stepsOf(platform, executionId), ["start FINISHED", "ask FINISHED", "no FINISHED"]);
      assert.equal((await messages())[2]?.content, "Not on a Friday.");
    });

    it("refuses what answers nothing, says neither yes nor no, or comes too late", async (t) => {
      const { send, ask } = await open(t, databases);
      const code = async (body: object) => {
        const response = await send(body);
        const { code, message } = (await response.json()) as { code: string; message: string };
        return [response.status, code, message] as const;
      };
      const nothing = [422, "validation-failed", /nothing in this chat is waiting for an answer/] as const;
      const fits = ([status, name, text]: typeof nothing, got: Awaited<ReturnType<typeof code>>) => {
        assert.deepEqual(got.slice(0, 2), [status, name]);
        assert.match(got[2], text);
      };
      const humanInput = { type: "proceed" };
      fits(nothing, await code({ chatId: "chat", humanInput }));
      fits(nothing, await code({ executionId: "00000000-0000-7000-8000-000000000000", humanInput }));
      fits(nothing, await code({ executionId: "nonsense", humanInput }));
      const asked = await ask({ question: "it", chatId: "chat" });
      fits(nothing, await code({ chatId: "another", humanInput }));
      fits(nothing, await code({ chatId: "another", executionId: asked.executionId, humanInput }));
      fits(nothing, await code({ chatId: "chat", action: { id: "unknown" }, humanInput }));
      assert.equal((await code({ chatId: "chat", humanInput: { type: "perhaps" } }))[0], 422);
      assert.equal((await code({ humanInput }))[0], 422);
      await ask({ executionId: asked.executionId, humanInput });
      const late = [409, "conflict", /already answered/] as const;
      for (const body of [
        { chatId: "chat" },
        { executionId: asked.executionId },
        { chatId: "chat", action: asked.action },
      ]) {
        const [status, name, message] = await code({ ...body, humanInput });
        assert.deepEqual([status, name], late.slice(0, 2));
        assert.match(message, late[2]);
      }
    });

    it("takes the words of a button beside the action that was shown, as older clients send them", async (t) => {
      const { platform, ask, send } = await open(t, databases);
      for (const [question, text] of [
        ["Ship it", "Shipped. proceed"],
        ["Stop", "Stopped. reject"],
      ] as const) {
        const asked = await ask({ question: "it", chatId: question });
        const forged = { ...asked.action?.mapping, toolCalls: [{ name: "other", arguments: {} }] };
        const done = await ask({ question, chatId: question, action: { ...asked.action, mapping: forged } });
        assert.deepEqual([done.text, done.executionId], [text, asked.executionId]);
      }
      const asked = await ask({ question: "it", chatId: "chat" });
      const other = await ask({ question: "Something else", chatId: "chat", action: asked.action });
      assert.notEqual(other.executionId, asked.executionId);
      const streamed = await send({ question: "Ship it", chatId: "chat", action: other.action, streaming: true });
      assert.equal(readFrames(parseFrames(await streamed.text())).text, "Shipped. proceed");
      assert.equal(await stateOf(platform, other.executionId), "FINISHED");
    });

    it("takes one of several answers that come at the same moment", async (t) => {
      const { platform, agentId, send, ask, messages } = await open(t, databases);
      const { executionId } = await ask({ question: "it", chatId: "chat" });
      const answers = await Promise.all(
        ["proceed", "reject", "proceed", "reject"].map((type) => send({ chatId: "chat", humanInput: { type } })),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
      const ran = (await stepsOf(platform, executionId)).filter((step) => /yes|no/.test(step));
      assert.equal(ran.length, 1);
      assert.equal((await messages()).length, 4);
      assert.equal((await platform.json<unknown[]>("GET", `/chatmessage/${agentId}?chatId=chat`)).length, 4);
    });

    it("asks several questions one after the other, and takes the answers in any order", async (t) => {
      const { ask, messages } = await open(t, databases, twoQuestions);
      const first = await ask({ question: "it", chatId: "chat" });
      const shown = (await messages())[1]?.action ?? [];
      assert.equal(shown.length, 2);
      assert.deepEqual(shown[0], first.action);
      const humanInput = { type: "proceed" };
      const earlier = shown[1];
      const second = await ask({ chatId: "chat", action: earlier, humanInput: { ...humanInput, feedback: "Yes" } });
      assert.equal(second.text, first.text);
      assert.deepEqual(second.action, first.action);
      assert.deepEqual(
        (await messages()).map(({ action }) => action.length),
        [0, 0, 0, 1],
      );
      const done = await ask({ chatId: "chat", humanInput });
      assert.match(done.text, /^(Yes and proceed|proceed and Yes)$/);
    });

    it("takes answers to several questions of a run at the same moment", async (t) => {
      const { ask, messages } = await open(t, databases, twoQuestions);
      await ask({ question: "it", chatId: "chat" });
      const actions = (await messages())[1]?.action ?? [];
      const answers = await Promise.all(
        actions.map((action) => ask({ chatId: "chat", action, humanInput: { type: "approve" } })),
      );
      const ends = answers.filter(({ action }) => action === undefined);
      assert.deepEqual(
        ends.map(({ text }) => text),
        ["proceed and proceed"],
      );
    });

    it("does not lose the question when another message comes, and remembers neither too much", async (t) => {
      const { platform, ask } = await open(t, databases);
      const first = await ask({ question: "one", chatId: "chat" });
      const second = await ask({ question: "two", chatId: "chat" });
      assert.notEqual(second.executionId, first.executionId);
      const newest = await ask({ chatId: "chat", humanInput: { type: "proceed" } });
      assert.equal(newest.executionId, second.executionId);
      const older = await ask({ chatId: "chat", humanInput: { type: "reject" } });
      assert.equal(older.executionId, first.executionId);
      assert.equal(await stateOf(platform, first.executionId), "FINISHED");
    });

    it("goes on with the flow that it began with", async (t) => {
      const { platform, agentId, ask } = await open(t, databases);
      await ask({ question: "it", chatId: "chat" });
      await platform.json("PUT", `/chatflows/${agentId}`, { flowData: '{"weft":1,"nodes":[],"edges":[]}' });
      assert.equal((await ask({ chatId: "chat", humanInput: { type: "proceed" } })).text, "Shipped. proceed");
    });

    it("ends when it is cancelled, or its agent is deleted, and takes no answer then", async (t) => {
      const { platform, agentId, send, ask, messages } = await open(t, databases);
      const asked = await ask({ question: "it", chatId: "chat" });
      await platform.json("PUT", `/chatmessage/abort/${agentId}/chat`);
      assert.equal(await stateOf(platform, asked.executionId), "TERMINATED");
      assert.deepEqual(
        (await messages()).map(({ content, action }) => [content, action]),
        [
          ["it", []],
          ["Ship it?", []],
        ],
      );
      assert.equal((await send({ chatId: "chat", humanInput: { type: "proceed" } })).status, 422);
      const again = await ask({ question: "it", chatId: "chat" });
      await platform.json("DELETE", `/chatflows/${agentId}`);
      assert.equal(await stateOf(platform, again.executionId), "TERMINATED");
    });
  });

  describe("the stream of a run that waits", () => {
    it("ends with the question, and another one begins with the answer", async (t) => {
      const { platform, send } = await open(t, databases);
      const stream = async (body: object) => parseFrames(await (await send({ ...body, streaming: true })).text());
      const first = await stream({ question: "it", chatId: "chat" });
      const asked = readFrames(first);
      assert.equal(asked.text, "Ship it?");
      const names = asked.events.map(([name, data]) => (name === "agentFlowEvent" ? data : name));
      assert.deepEqual(names.slice(-5), ["action", "agentFlowExecutedData", "STOPPED", "metadata", "end"]);
      const second = await stream({ chatId: "chat", humanInput: { type: "proceed", feedback: "Go." } });
      const answered = readFrames(second);
      assert.equal(answered.text, "Shipped. Go.");
      assert.deepEqual(answered.events.slice(0, 2), [
        ["agentFlowEvent", "INPROGRESS"],
        ["nextAgentFlow", { nodeId: "ask", nodeLabel: "Ask", status: "INPROGRESS" }],
      ]);
      const metadata = answered.events.find(([name]) => name === "metadata")?.[1] as Record<string, string>;
      assert.equal(metadata.question, "Go.");

      const runId = first[0]?.id.split(":")[0];
      const events = async (last?: Frame) => {
        const headers: Record<string, string> = last ? { "last-event-id": last.id } : {};
        return parseFrames(
          await (await platform.send("GET", `/executions/${runId}/events`, undefined, headers)).text(),
        );
      };
      const ids = [...first, ...second].map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      assert.deepEqual(readFrames(await events()), asked);
      for (const [index, last] of first.slice(0, -1).entries()) {
        assert.deepEqual(readFrames([...first.slice(0, index + 1), ...(await events(last))]), asked, last.id);
      }
      assert.deepEqual(readFrames(await events(first.at(-1))), answered);
      for (const [index, last] of second.entries()) {
        assert.deepEqual(readFrames([...second.slice(0, index + 1), ...(await events(last))]), answered, last.id);
      }
    });

    it("has nothing more until there is an answer", async (t) => {
      const { platform, send } = await open(t, databases);
      const frames = parseFrames(await (await send({ question: "it", streaming: true })).text());
      const end = frames.at(-1) as Frame;
      const path = `/executions/${end.id.split(":")[0]}/events`;
      const rest = await platform.send("GET", path, undefined, { "last-event-id": end.id });
      assert.deepEqual([rest.status, await rest.text()], [200, ""]);
    });
  });
});
