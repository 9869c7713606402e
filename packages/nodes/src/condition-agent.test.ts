import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileFlow } from "@weft/engine";
import type { ChatModel, ModelCall } from "@weft/engine/ports/chat-model";
import { type JsonObject, WeftError } from "@weft/schema";
import { nodeRegistry } from "./registry.ts";
import { flowOf, say, stepsOf } from "./testing/flow-of.ts";
import { modelServices, type RunFlowOptions, runFlow } from "./testing/run-flow.ts";

const scenarios = [
  { id: "refund", description: "The user wants money back" },
  { id: "order", description: "The user asks where an order is" },
];

/** A model that gives these answers one after the other, then the last of them. */
function answering(...texts: string[]): ChatModel & { calls: ModelCall[] } {
  const calls: ModelCall[] = [];
  const usage = { inputTokens: 2, outputTokens: 1, totalTokens: 3 };
  return {
    id: "test/model",
    calls,
    async answer(call) {
      calls.push(call);
      const text = texts[Math.min(calls.length, texts.length) - 1] ?? "";
      call.onText?.(text);
      return { text, toolCalls: [], finishReason: "stop", usage };
    },
  };
}

async function choose(model: ChatModel, config: object = {}, options: RunFlowOptions = {}) {
  const nodes = {
    c: { type: "condition-agent", config: { scenarios, ...config } },
    refund: say("refund"),
    order: say("order"),
    none: say("none"),
  };
  const hasElse = (config as { hasElse?: boolean }).hasElse ?? true;
  const edges = `start>c c:refund>refund c:order>order${hasElse ? " c:else>none" : ""}`;
  const run = await runFlow(flowOf(nodes, edges), { services: modelServices(model), ...options });
  return { ...run, steps: stepsOf(run.events) };
}

describe("condition agent", () => {
  it("goes on at the scenario that the model picks, and nowhere else", async () => {
    const model = answering('{"scenario":"order"}');
    const run = await choose(model);
    assert.equal(run.steps, "start c order");
    assert.equal(model.calls.length, 1);
    const usage = { inputTokens: 2, outputTokens: 1, totalTokens: 3 };
    assert.deepEqual(run.outputOf("c"), { scenario: "order", model: "test/model", usage });
    assert.deepEqual(run.warnings, []);
  });

  it("tells the model the scenarios, the instructions and the input, and what an answer is", async () => {
    const model = answering('{"scenario":"else"}');
    await choose(
      model,
      { instructions: "Be strict with {{ $vars.who }}.", input: "Mail: {{ question }}", model: { temperature: 0 } },
      { vars: { who: "{{ question }}" }, stored: [{ role: "apiMessage", content: "earlier" }] },
    );
    const [call] = model.calls;
    const [system, earlier, asked] = call?.messages ?? [];
    const text = String(system?.content);
    assert.match(text, /Be strict with \{\{ question \}\}\./);
    assert.match(text, /- "refund": The user wants money back\n- "order": The user asks where an order is\n- "else": /);
    assert.equal(earlier?.content, "earlier");
    assert.deepEqual(asked, { role: "user", content: "Mail: hello" });
    assert.deepEqual(call?.parameters, { temperature: 0 });
    const schema = call?.responseSchema?.schema as { properties: { scenario: JsonObject } };
    assert.deepEqual(schema.properties.scenario, { type: "string", enum: ["refund", "order", "else"] });
  });

  it("understands answers that are not quite what was asked for", async () => {
    const answers: [text: string, port: string][] = [
      ['```json\n{"scenario": "refund"}\n```', "refund"],
      ['I think: {"scenario": "order"}.', "order"],
      ['{"output": "refund"}', "refund"],
      ['{"scenario": "The user wants money back"}', "refund"],
      ["order", "order"],
      [' "Order".', "order"],
      ["The user asks where an order is", "order"],
      ["Scenario: the user wants money back!", "refund"],
      ["the user wants", "refund"],
    ];
    for (const [text, port] of answers) {
      const model = answering(text);
      const run = await choose(model);
      assert.equal(run.steps, `start c ${port}`, text);
      assert.equal(model.calls.length, 1, text);
    }
  });

  it("asks once more in words, and takes the second answer", async () => {
    const model = answering("Hm, both?", '{"scenario":"refund"}');
    const run = await choose(model);
    assert.equal(run.steps, "start c refund");
    assert.equal(model.calls.length, 2);
    const [said, asked] = model.calls[1]?.messages.slice(-2) ?? [];
    assert.deepEqual(said, { role: "assistant", content: "Hm, both?" });
    assert.match(String(asked?.content), /cannot be used.*"refund"/s);
    assert.deepEqual((run.outputOf("c") as JsonObject).usage, { inputTokens: 4, outputTokens: 2, totalTokens: 6 });
    const end = run.events.at(-1);
    assert.equal(end?.type === "run-completed" && end.usage.totalTokens, 6);
  });

  it("falls to else, or to the last scenario where there is none, and warns", async () => {
    for (const text of ["", "neither", "the user", '{"scenario":"gone"}', "{", "[]", "null"]) {
      const model = answering(text);
      const run = await choose(model);
      assert.equal(run.steps, "start c none", text);
      assert.equal(model.calls.length, 2);
      assert.deepEqual(run.warnings, ['c: the model named no scenario, so "else" was taken.']);
    }
    const run = await choose(answering("neither"), { hasElse: false });
    assert.equal(run.steps, "start c order");
    assert.deepEqual(run.warnings, ['c: the model named no scenario, so "order" was taken.']);
  });

  it("does not offer an else that is switched off", async () => {
    const model = answering('{"scenario":"else"}');
    await choose(model, { hasElse: false });
    assert.ok(!String(model.calls[0]?.messages[0]?.content).includes('"else"'));
    assert.equal(model.calls.length, 2);
  });

  it("tells apart scenarios whose ids differ by a sign", async () => {
    const config = {
      scenarios: [
        { id: "a-b", description: "first" },
        { id: "a_b", description: "second" },
      ],
    };
    const nodes = { c: { type: "condition-agent", config }, one: say("one"), two: say("two") };
    const services = modelServices(answering('{"scenario":"a_b"}'));
    const run = await runFlow(flowOf(nodes, "start>c c:a-b>one c:a_b>two"), { services });
    assert.equal(run.text, "two");
  });

  it("streams nothing, and says nothing in the conversation", async () => {
    const run = await choose(answering("Hm", '{"scenario":"order"}'), {}, { live: true });
    assert.deepEqual(run.deltas, []);
    const completion = run.events.find((event) => event.type === "node-completed" && event.nodeId === "c");
    assert.equal(completion?.type === "node-completed" && completion.messages, undefined);
  });

  it("fails as the model does, and can be caught and retried", async () => {
    let asked = 0;
    const flaky: ChatModel = {
      id: "flaky",
      answer: async () => {
        asked += 1;
        if (asked === 1) throw new WeftError("model-unreachable", { params: { reason: "down" } });
        return answering('{"scenario":"refund"}').answer({ messages: [], signal: new AbortController().signal });
      },
    };
    const failed = await choose({ id: "x", answer: () => Promise.reject(new WeftError("model-unauthorized")) });
    assert.equal(failed.error?.code, "model-unauthorized");
    const retried = await choose(flaky, { onFailure: { retries: 1, retryDelayMs: 10 } });
    assert.equal(retried.steps, "start c c refund");
  });

  it("needs scenarios that can be told apart", () => {
    const [one] = scenarios;
    for (const list of [undefined, [], [one, one], [{ ...one, id: "else" }], [{ ...one, id: "a b" }], [{ id: "a" }]]) {
      const node = { type: "condition-agent", config: list === undefined ? {} : { scenarios: list } };
      const { findings } = compileFlow(flowOf({ c: node }, "start>c"), nodeRegistry);
      assert.deepEqual(
        findings.map(({ code, path }) => [code, path?.split(".")[0]]),
        [["node-config-invalid", "scenarios"]],
      );
    }
  });
});
