import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Document } from "@weft/client";
import { type Answer, emptyAnswer } from "./answer.ts";
import { applyFrame, type Frame } from "./apply-frame.ts";

const run = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";
type Told = Omit<Frame, "id">;

const readSources = (data: unknown) => data as Document[];

/** An answer after these frames, which have ids as the server gives them. */
function told(frames: readonly Told[], before: Answer = emptyAnswer): Answer {
  return frames.reduce(
    (answer, frame, index) => applyFrame(answer, { id: `${run}:${index + 1}`, ...frame }, readSources),
    before,
  );
}

const begun: Told[] = [
  { event: "start", data: "" },
  { event: "agentFlowEvent", data: "INPROGRESS" },
];
const call = (toolInput: object, toolOutput = "", error?: string) => ({
  tool: "look",
  toolInput,
  toolOutput,
  ...(error === undefined ? {} : { error }),
});
const metadata = { chatId: "c", chatMessageId: "m", sessionId: "s", memoryType: "", executionId: run };
const action = { id: "w", mapping: { approve: "Yes", reject: "No", toolCalls: [] }, elements: [] };

describe("an answer as its stream tells it", () => {
  it("grows by tokens and ends finished, with the id of its message", () => {
    const answer = told([
      ...begun,
      { event: "token", data: "Hel" },
      { event: "token", data: "lo" },
      { event: "agentFlowEvent", data: "FINISHED" },
      { event: "metadata", data: metadata },
      { event: "end", data: "[DONE]" },
    ]);
    assert.equal(answer.text, "Hello");
    assert.deepEqual(answer.state, { type: "finished" });
    assert.deepEqual([answer.messageId, answer.executionId, answer.lastFrameId], ["m", run, `${run}:7`]);
  });

  it("is under way until its message is stored, since follow-up messages come after the text", () => {
    const text: Told[] = [...begun, { event: "token", data: "Hello" }, { event: "agentFlowEvent", data: "FINISHED" }];
    assert.equal(told(text).state.type, "writing");
    assert.equal(told([...text, { event: "metadata", data: metadata }]).state.type, "finished");
    assert.equal(told([...text, { event: "end", data: "[DONE]" }]).state.type, "finished");
  });

  it("is opened by start or by the flow's state, and finished by its metadata where no state is told", () => {
    assert.equal(told([{ event: "agentFlowEvent", data: "INPROGRESS" }]).state.type, "writing");
    const open: Told[] = [
      { event: "start", data: "" },
      { event: "token", data: "Hello" },
    ];
    assert.equal(told(open).state.type, "writing");
    assert.deepEqual(told([...open, { event: "metadata", data: metadata }, { event: "end", data: "[DONE]" }]).state, {
      type: "finished",
    });
  });

  it("takes back what a restart voids, of the answer alone", () => {
    const texts: Told[] = [
      { event: "token", data: "One. " },
      { event: "token", data: "Twoo" },
    ];
    const other: Told = { event: "restart", data: { keep: 0, nodeId: "n", nodeKey: "n#0" } };
    assert.equal(told([...begun, ...texts, other]).text, "One. Twoo");
    const restarted = told([...begun, ...texts, { event: "restart", data: { keep: 5 } }]);
    assert.equal(restarted.text, "One. ");
    assert.equal(told([{ event: "token", data: "Two." }], restarted).text, "One. Two.");
  });

  it("names the nodes that are at work", () => {
    const step = (nodeId: string, status: string): Told => ({
      event: "nextAgentFlow",
      data: { nodeId, nodeLabel: nodeId.toUpperCase(), status },
    });
    const steps = (frames: Told[]) => {
      const { state } = told([...begun, ...frames]);
      return state.type === "writing" ? Object.values(state.steps) : state.type;
    };
    assert.deepEqual(steps([step("a", "INPROGRESS"), step("b", "INPROGRESS")]), ["A", "B"]);
    assert.deepEqual(steps([step("a", "INPROGRESS"), step("b", "INPROGRESS"), step("a", "FINISHED")]), ["B"]);
    assert.deepEqual(steps([step("a", "INPROGRESS"), step("a", "ERROR")]), []);
  });

  it("shows tool calls while they run and with their results, in the order of the calls", () => {
    const called = (toolInput: object): Told => ({ event: "calledTools", data: [call(toolInput)] });
    const first = told([...begun, called({ id: "1" }), called({ id: "2" })]);
    assert.deepEqual(
      first.toolCalls.map(({ status }) => status),
      ["running", "running"],
    );
    const second = told([{ event: "usedTools", data: [call({ id: "2" }, "two")] }], first);
    assert.deepEqual(second.toolCalls, [
      { tool: "look", input: { id: "1" }, status: "running" },
      { tool: "look", input: { id: "2" }, status: "finished", output: "two" },
    ]);
    const third = told(
      [{ event: "usedTools", data: [call({ id: "1" }, "no", "no"), call({ id: "2" }, "two")] }],
      second,
    );
    assert.deepEqual(third.toolCalls[0], { tool: "look", input: { id: "1" }, status: "failed", output: "no" });
    const again = told(
      [called({ id: "2" }), { event: "usedTools", data: [call({ id: "2" }, "two"), call({ id: "2" }, "2!")] }],
      second,
    );
    assert.deepEqual(
      again.toolCalls.map((it) => ("output" in it ? it.output : it.status)),
      ["running", "two", "2!"],
    );
  });

  it("leaves results of calls before a human's answer to the message before", () => {
    const answer = told([
      ...begun,
      { event: "calledTools", data: [call({ id: "9" })] },
      { event: "usedTools", data: [call({ id: "9" }, "old"), call({ id: "1" }, "other"), call({ id: "9" }, "new")] },
    ]);
    assert.deepEqual(answer.toolCalls, [{ tool: "look", input: { id: "9" }, status: "finished", output: "new" }]);
  });

  it("waits for a human, is stopped, or failed, and stays so when the stream ends", () => {
    const end: Told = { event: "end", data: "[DONE]" };
    const stateAfter = (...frames: Told[]) => told([...begun, ...frames, end]).state;
    assert.deepEqual(stateAfter({ event: "action", data: action }, { event: "agentFlowEvent", data: "STOPPED" }), {
      type: "waiting",
      action,
    });
    assert.deepEqual(stateAfter({ event: "abort", data: "[DONE]" }), { type: "stopped" });
    assert.deepEqual(stateAfter({ event: "agentFlowEvent", data: "ERROR" }, { event: "error", data: "No key." }), {
      type: "failed",
      failure: { message: "No key." },
    });
    assert.equal(stateAfter().type, "failed");
  });

  it("takes nothing from data of another shape", () => {
    const events = ["token", "restart", "nextAgentFlow", "calledTools", "usedTools", "action", "agentFlowEvent"];
    for (const event of events) {
      for (const data of [undefined, null, 7, {}, [], { keep: "1", id: 1 }]) {
        const { text, toolCalls, state } = told([...begun, { event: "token", data: "Hi" }, { event, data }]);
        assert.deepEqual([text, toolCalls, state.type], ["Hi", [], "writing"], `${event} ${JSON.stringify(data)}`);
      }
    }
  });

  it("passes over frames of later versions", () => {
    const answer = told([{ event: "somethingNew", data: {} }]);
    assert.deepEqual(answer, { ...emptyAnswer, executionId: run, lastFrameId: `${run}:1` });
  });

  it("carries sources and warnings", () => {
    const document = { pageContent: "Doors open at six.", metadata: { source: "events.pdf" } };
    const warned = { ...metadata, warnings: [{ code: "x", message: "Ignored." }] };
    const answer = told([
      ...begun,
      { event: "sourceDocuments", data: [document] },
      { event: "metadata", data: warned },
    ]);
    assert.deepEqual([answer.sources, answer.warnings], [[document], ["Ignored."]]);
  });
});

describe("an answer that a person will give", () => {
  const taken = (takenOver: unknown) =>
    told([{ event: "metadata", data: { chatMessageId: "m", takenOver } }]).takenOver;

  it("names them, as far as they gave a name", () => {
    assert.deepEqual(taken({ name: "Ada", since: "now" }), { name: "Ada" });
    assert.deepEqual(taken({}), { name: "" });
    for (const none of [undefined, null, "Ada", 7]) assert.equal(taken(none), undefined);
  });
});

describe("the messages that may follow an answer", () => {
  const withPrompts = (followUpPrompts: unknown) =>
    told([{ event: "metadata", data: { chatMessageId: "m", followUpPrompts } }]);

  it("are read from JSON text, written once or twice", () => {
    const prompts = ["Why?", "How?"];
    const text = JSON.stringify(prompts);
    for (const written of [text, JSON.stringify(text), prompts])
      assert.deepEqual(withPrompts(written).followUps, prompts);
  });

  it("are none where something else came; the answer is there", () => {
    for (const written of [undefined, "", "{oops", "[]", "7", '{"a":1}', "[1,null]", null]) {
      const answer = withPrompts(written);
      assert.equal(answer.followUps, undefined, String(written));
      assert.deepEqual([answer.state, answer.messageId], [{ type: "finished" }, "m"]);
    }
  });
});
