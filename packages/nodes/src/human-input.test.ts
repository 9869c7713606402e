import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openWaits } from "@weft/engine";
import { createScriptedModel } from "@weft/engine/testing";
import type { Json, RunEventOf } from "@weft/schema";
import { nodeRegistry } from "./registry.ts";
import { flowOf, say, stepsOf } from "./testing/flow-of.ts";
import { completionOf, createFlowProcess, modelServices, type RunFlowOptions } from "./testing/run-flow.ts";

const human = (config: object = {}) => ({ type: "human-input", config });

type Process = ReturnType<typeof createFlowProcess>;

const edges = "start>h h:proceed>yes h:reject>no";
const flowWith = (config: object = {}) => flowOf({ h: human(config), yes: say("yes"), no: say("no") }, edges);

/** Runs until it waits. */
async function waiting(flow: string, options: RunFlowOptions = {}) {
  const process = createFlowProcess(flow, options);
  const run = process.start({ live: options.live ?? false });
  assert.equal(await run.done, "suspended");
  return { process, wait: waitOf(process), open: openWaits(run.state) };
}

function waitOf(process: Process): RunEventOf<"node-suspended">["wait"] {
  const asked = process.events().findLast((event) => event.type === "node-suspended");
  assert.ok(asked?.type === "node-suspended");
  return asked.wait;
}

async function answer(process: Process, given: Json, nodeKey = "h#0") {
  const resume = { nodeKey, nodeId: "h", waitId: waitOf(process).waitId, answer: given };
  const outcome = await process.recover({ resume }).done;
  const events = process.events();
  const end = events.at(-1);
  return {
    outcome,
    steps: stepsOf(events),
    text: end?.type === "run-completed" ? end.text : undefined,
    completion: completionOf(events, "h"),
  };
}

describe("human input", () => {
  it("waits with its question, and with what the answer may be", async () => {
    const { process, wait, open } = await waiting(
      flowWith({ question: "Send {{ question }}?", rejectLabel: "Not yet" }),
    );
    assert.equal(wait.text, "Send hello?");
    assert.deepEqual(wait.details, {
      kind: "human-input",
      labels: { proceed: "Proceed", reject: "Not yet" },
      feedbackEnabled: true,
    });
    assert.deepEqual(open, [{ nodeKey: "h#0", wait }]);
    assert.equal(process.events().at(-1)?.type, "run-suspended");
  });

  it("takes text, goes on with it, and asks again for what has none", async () => {
    const flow = flowOf(
      { h: human({ answer: "text", question: "Phone?" }), yes: say("{{ h.output.value }}") },
      "start>h h:proceed>yes",
    );
    const { process, wait } = await waiting(flow);
    assert.deepEqual(wait.details, { kind: "human-input", answer: { type: "text" } });
    for (const nothing of [
      { type: "proceed" },
      { type: "proceed", feedback: "  " },
      { type: "reject", feedback: "no" },
    ]) {
      const again = await answer(process, nothing);
      assert.equal(again.outcome, "suspended");
      assert.equal(waitOf(process).text, "Phone?");
    }
    const answered = await answer(process, { type: "proceed", feedback: " 0731 12345 " });
    assert.deepEqual([answered.outcome, answered.text], ["completed", "0731 12345"]);
    assert.deepEqual(answered.completion?.output, { content: "0731 12345", text: "0731 12345", value: "0731 12345" });
    assert.deepEqual(answered.completion?.messages, [{ role: "userMessage", content: "0731 12345" }]);
  });

  it("takes one of several options, by its words or its value, and others only where it may", async () => {
    const options = [{ label: "Refund", value: "refund" }, { label: "Spare part" }];
    const flowOfChoice = (more: object = {}) =>
      flowOf(
        { h: human({ answer: "choice", options, ...more }), yes: say("{{ h.output.value }}") },
        "start>h h:proceed>yes",
      );
    const { wait } = await waiting(flowOfChoice());
    const shown = { type: "choice", options: ["Refund", "Spare part"], otherAnswers: false };
    assert.deepEqual(wait.details, { kind: "human-input", answer: shown });
    for (const [said, value, text] of [
      ["Refund", "refund", "Refund"],
      [" REFUND ", "refund", "Refund"],
      ["spare part", "Spare part", "Spare part"],
    ]) {
      const { process } = await waiting(flowOfChoice());
      const { outcome, completion } = await answer(process, { type: "proceed", feedback: said ?? "" });
      assert.equal(outcome, "completed");
      assert.deepEqual(completion?.output, { content: text, text, value });
    }
    const { process } = await waiting(flowOfChoice());
    assert.equal((await answer(process, { type: "proceed", feedback: "A new one" })).outcome, "suspended");
    const open = await waiting(flowOfChoice({ otherAnswers: true }));
    const { completion } = await answer(open.process, { type: "proceed", feedback: "A new one" });
    assert.deepEqual(completion?.output, { content: "A new one", text: "A new one", value: "A new one" });
  });

  it("has the way out of a no only where it asks for yes or no", () => {
    const type = nodeRegistry["human-input"];
    const portsOf = (config: object) =>
      type?.ports({ ...human().config, ...config } as never).map(({ id, title }) => [id, title]);
    assert.deepEqual(portsOf({ answer: "decision" }), [
      ["proceed", "Proceed"],
      ["reject", "Reject"],
    ]);
    for (const mode of ["text", "choice"]) assert.deepEqual(portsOf({ answer: mode }), [["proceed", "Answered"]]);
  });

  it("goes on as the answer says; the other branch never runs", async () => {
    for (const [type, steps] of [
      ["proceed", "start h yes"],
      ["approve", "start h yes"],
      ["reject", "start h no"],
    ]) {
      const { process } = await waiting(flowWith());
      const answered = await answer(process, { type: type ?? "" });
      assert.equal(answered.outcome, "completed");
      assert.equal(answered.steps, steps);
    }
  });

  it("keeps the decision and the feedback, which later models hear as the user's words", async () => {
    const model = createScriptedModel([{ text: "draft" }]);
    const nodes = {
      a: { type: "llm", config: { prompt: "write" } },
      h: human(),
      again: { type: "llm", config: { prompt: "again" } },
    };
    const flow = flowOf(nodes, "start>a a>h h:reject>again");
    const { process } = await waiting(flow, { services: modelServices(model) });
    const { completion } = await answer(process, { type: "reject", feedback: "  shorter " });
    assert.deepEqual(completion?.output, { content: "shorter", decision: "reject", feedback: "shorter" });
    assert.equal(completion?.text, "shorter");
    assert.deepEqual(
      model.calls.at(-1)?.messages.map(({ role, content }) => `${role}: ${content}`),
      ["user: write", "assistant: draft", "user: shorter", "user: again"],
    );
  });

  it("hears no feedback where none is asked for", async () => {
    const { process, wait } = await waiting(flowWith({ feedback: false }));
    assert.equal(wait.details.feedbackEnabled, false);
    const { completion } = await answer(process, { type: "proceed", feedback: "unasked" });
    assert.deepEqual(completion?.output, { content: "proceed", decision: "proceed", feedback: "" });
    assert.deepEqual(completion?.messages, []);
  });

  it("asks again when the answer says neither yes nor no", async () => {
    const { process, wait } = await waiting(flowWith());
    for (const given of [{ type: "maybe" }, { type: 1 }, {}, null, "proceed", [], { feedback: "hm" }]) {
      const { outcome, steps } = await answer(process, given as Json);
      assert.equal(outcome, "suspended");
      assert.equal(steps, "start h");
    }
    assert.notEqual(waitOf(process).waitId, wait.waitId);
    assert.equal((await answer(process, { type: "proceed" })).text, "yes");
  });

  it("answers with the words of the person where nothing follows", async () => {
    const { process } = await waiting(flowOf({ h: human(), yes: say("yes") }, "start>h h:proceed>yes"));
    const { text, outcome } = await answer(process, { type: "reject", feedback: "never" });
    assert.equal(outcome, "completed");
    assert.equal(text, "never");
  });

  it("has its question written by a model, once, and not streamed", async () => {
    const model = createScriptedModel([{ text: "It wants to delete all. May it? " }]);
    const config = { writtenBy: "model", model: { temperature: 0 }, instruction: "Ask about {{ question }}." };
    const { process, wait } = await waiting(flowWith(config), {
      services: modelServices(model),
      stored: [{ role: "userMessage", content: "earlier" }],
      live: true,
    });
    assert.equal(wait.text, "It wants to delete all. May it?");
    assert.deepEqual(process.deltas, []);
    assert.deepEqual(
      model.calls[0]?.messages.map(({ content }) => content),
      ["earlier", "Ask about hello."],
    );
    await answer(process, { type: "what?" });
    assert.equal(waitOf(process).text, "It wants to delete all. May it?");
    assert.equal((await answer(process, { type: "reject" })).text, "no");
    assert.equal(model.calls.length, 1);
    const silent = await waiting(flowWith({ ...config, question: "Well?" }), {
      services: modelServices(createScriptedModel([{ text: " " }])),
    });
    assert.equal(silent.wait.text, "Well?");
  });

  it("is asked in a loop until it is content, each time anew", async () => {
    const nodes = {
      draft: say("draft {{ loop_count }}"),
      h: human({ question: "{{ draft }}?" }),
      l: { type: "loop", config: { target: "draft", times: 2, fallback: "No more tries." } },
      end: say("sent {{ draft }}"),
    };
    const flow = flowOf(nodes, "start>draft draft>h h:reject>l h:proceed>end");
    const { process } = await waiting(flow);
    assert.equal(waitOf(process).text, "draft 0?");
    await answer(process, { type: "reject" });
    assert.equal(waitOf(process).text, "draft 1?");
    await answer(process, { type: "reject" }, "h#1");
    assert.equal(waitOf(process).text, "draft 2?");
    const { text } = await answer(process, { type: "reject" }, "h#2");
    assert.equal(text, "No more tries.");
  });

  it("waits inside the items of an iteration, and lets other branches end meanwhile", async () => {
    const nodes = {
      each: { type: "iteration", config: { items: '["p", "q"]', concurrency: 2 } },
      h: { ...human({ question: "{{ $iteration }}?" }), within: "each" },
      yes: say("{{ $iteration }} yes", {}, "each"),
      no: say("{{ $iteration }} no", {}, "each"),
      side: say("side"),
      end: say("{{ each }}"),
    };
    const flow = flowOf(nodes, "start>each each>end start>side side>end h:proceed>yes h:reject>no");
    const { process, open } = await waiting(flow);
    assert.deepEqual(
      open.map(({ wait }) => wait.text),
      ["p?", "q?"],
    );
    assert.ok(process.events().some((event) => event.type === "node-completed" && event.nodeId === "side"));
    const resume = (index: number, type: string) => {
      const { nodeKey = "", wait } = open[index] ?? {};
      return { nodeKey, nodeId: "h", waitId: wait?.waitId ?? "", answer: { type } };
    };
    assert.equal(await process.recover({ resume: resume(1, "reject") }).done, "suspended");
    assert.equal(await process.recover({ resume: resume(0, "proceed") }).done, "completed");
    const end = process.events().at(-1);
    assert.equal(end?.type === "run-completed" && end.text, "p yes\nq no");
  });

  it("has two ports, with the labels of its buttons", () => {
    const type = nodeRegistry["human-input"];
    const config = type.config.parse({ proceedLabel: "Send" });
    assert.deepEqual(type.ports(config), [
      { id: "proceed", title: "Send" },
      { id: "reject", title: "Reject" },
    ]);
    assert.ok(!type.config.safeParse({ writtenBy: "nobody" }).success);
  });
});
