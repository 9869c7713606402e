import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NodeServices } from "@weft/engine/node";
import type { ChatModel, ModelCall } from "@weft/engine/ports/chat-model";
import { createScriptedModel, createTestProcess, noServices, type ScriptedStep } from "@weft/engine/testing";
import { nodeRegistry } from "@weft/nodes";
import type { JsonObject, RunInput } from "@weft/schema";
import { convertAgentFlowV2 } from "./agentflow-v2/convert-agentflow-v2.ts";
import { codesOf, type ForeignTestNode, foreignFlow, startNode } from "./testing/foreign-file.ts";

type Run = { script?: ScriptedStep[]; services?: Partial<NodeServices>; input?: RunInput };

/** Converts a flow without findings and runs it to its end with the real node types. */
async function run(document: JsonObject, { script = [], services = {}, input = { question: "hello" } }: Run = {}) {
  const { flow, findings } = convertAgentFlowV2(document);
  assert.deepEqual(codesOf(findings), []);
  const calls: ModelCall[] = [];
  const model: ChatModel = {
    id: "scripted/model",
    answer: (call) => createScriptedModel([script[calls.push(call) - 1] ?? {}]).answer(call),
  };
  const deps = { services: { ...noServices, models: { resolve: async () => model }, ...services } };
  const process = createTestProcess({ flow: JSON.stringify(flow), registry: nodeRegistry, input, deps });
  await process.start().done;
  const events = process.events();
  const end = events.at(-1);
  assert.equal(end?.type, "run-completed", JSON.stringify(end));
  const order = events.flatMap((event) => (event.type === "node-completed" ? [event.nodeId] : []));
  return { text: end?.type === "run-completed" ? end.text : undefined, order, calls };
}

const llm = (id: string, inputs: JsonObject = {}): ForeignTestNode => ({
  id,
  inputs: { llmModel: "chatOpenAI", llmModelConfig: { modelName: "m" }, llmEnableMemory: true, ...inputs },
});
const reply = (id: string, directReplyMessage: string, more: Partial<ForeignTestNode> = {}): ForeignTestNode => ({
  id,
  inputs: { directReplyMessage },
  ...more,
});
const start = (inputs: JsonObject): ForeignTestNode => ({ ...startNode, inputs: { ...startNode.inputs, ...inputs } });

describe("a converted flow runs", () => {
  it("from one model to the next, which hears the first as the user", async () => {
    const system = [{ role: "system", content: "<p>Say it in French.</p>" }];
    const flow = foreignFlow(
      [startNode, llm("llmAgentflow_0"), llm("llmAgentflow_1", { llmMessages: system })],
      ["startAgentflow_0>llmAgentflow_0", "llmAgentflow_0>llmAgentflow_1"],
    );
    const { text, calls } = await run(flow, { script: [{ text: "Good morning" }, { text: "Bonjour" }] });
    assert.equal(text, "Bonjour");
    assert.deepEqual(calls[1]?.messages, [
      { role: "system", content: "Say it in French." },
      { role: "user", content: "hello" },
      { role: "user", content: "Good morning" },
    ]);
  });

  it("with a state that nodes write and read", async () => {
    const startState = [{ key: "topic", value: "none" }];
    const llmUpdateState = [{ key: "topic", value: "{{ output.topic }}!" }];
    const llmStructuredOutput = [{ key: "topic", type: "string" }];
    const flow = foreignFlow(
      [
        start({ startState }),
        reply("directReplyAgentflow_0", "<p>{{ $flow.state.topic }} of <em>{{ llmAgentflow_0.output.topic }}</em></p>"),
        llm("llmAgentflow_0", { llmStructuredOutput, llmUpdateState }),
      ],
      ["startAgentflow_0>llmAgentflow_0", "llmAgentflow_0>directReplyAgentflow_0"],
    );
    const { text } = await run(flow, { script: [{ text: '{"topic":"tea"}' }] });
    assert.equal(text, "tea! of _tea_");
  });

  it("down the branch of a condition alone, and joins behind it", async () => {
    const conditions = [{ type: "string", value1: "{{ question }}", operation: "startsWith", value2: "hel" }];
    const edges = [
      "startAgentflow_0>conditionAgentflow_0",
      "conditionAgentflow_0:0>llmAgentflow_0",
      "conditionAgentflow_0:1>llmAgentflow_1",
      "llmAgentflow_0>directReplyAgentflow_0",
      "llmAgentflow_1>directReplyAgentflow_0",
    ];
    const nodes = [
      startNode,
      { id: "conditionAgentflow_0", inputs: { conditions } },
      llm("llmAgentflow_0"),
      llm("llmAgentflow_1"),
    ];
    const flow = foreignFlow([...nodes, reply("directReplyAgentflow_0", "done")], edges);
    const taken = await run(flow, { script: [{ text: "x" }] });
    assert.deepEqual(taken.order, [
      "startAgentflow_0",
      "conditionAgentflow_0",
      "llmAgentflow_0",
      "directReplyAgentflow_0",
    ]);
    const other = await run(flow, { script: [{ text: "x" }], input: { question: "bye" } });
    assert.equal(other.order[2], "llmAgentflow_1");
  });

  it("round a loop, its target as often as it says in all", async () => {
    const inputs = {
      loopBackToNode: "llmAgentflow_0-Write",
      maxLoopCount: 3,
      fallbackMessage: "Enough after {{ loop_count }}",
    };
    const flow = foreignFlow(
      [startNode, llm("llmAgentflow_0", { llmUserMessage: "Again" }), { id: "loopAgentflow_0", inputs }],
      ["startAgentflow_0>llmAgentflow_0", "llmAgentflow_0>loopAgentflow_0"],
    );
    const { text, calls } = await run(flow, { script: [{ text: "a" }, { text: "b" }, { text: "c" }] });
    assert.equal(calls.length, 3);
    assert.equal(text, "Enough after 2");
  });

  it("through the items of an iteration", async () => {
    const iterationInput = "<p>[{ word: 'one' }, { word: 'two' }]</p>";
    const inside = reply("directReplyAgentflow_0", "{{ $iteration.word }}, {{ question }}", {
      parent: "iterationAgentflow_0",
    });
    const flow = foreignFlow(
      [
        startNode,
        { id: "iterationAgentflow_0", inputs: { iterationInput } },
        inside,
        reply(
          "directReplyAgentflow_1",
          "{{ iterationAgentflow_0 }} / {{ iterationAgentflow_0.output.iterationResults[1] }}",
        ),
      ],
      ["startAgentflow_0>iterationAgentflow_0", "iterationAgentflow_0>directReplyAgentflow_1"],
    );
    const { text } = await run(flow);
    assert.equal(text, "one, hello\ntwo, hello / two, hello");
  });

  it("on after an HTTP error, which is a result", async () => {
    const asked: unknown[] = [];
    const http: NodeServices["http"] = {
      async request({ method, url, body }) {
        asked.push([method, url, body]);
        return {
          status: 404,
          statusText: "Not Found",
          headers: {},
          truncated: false,
          url,
          body: new TextEncoder().encode('{"error":"no such user"}'),
        };
      },
    };
    const inputs = {
      method: "POST",
      url: "https://api.example/users",
      bodyType: "json",
      body: "{ q: '{{ question }}' }",
    };
    const message = "{{ httpAgentflow_0.output.http.status }}: {{ httpAgentflow_0.output.http.data.error }}";
    const flow = foreignFlow(
      [startNode, { id: "httpAgentflow_0", inputs }, reply("directReplyAgentflow_0", message)],
      ["startAgentflow_0>httpAgentflow_0", "httpAgentflow_0>directReplyAgentflow_0"],
    );
    const { text } = await run(flow, { services: { http }, input: { question: 'a "quote"' } });
    assert.equal(text, "404: no such user");
    assert.deepEqual(asked, [["POST", "https://api.example/users", '{"q":"a \\"quote\\""}']]);
  });

  it("with what a form holds", async () => {
    const formInputTypes = [{ type: "string", name: "city" }];
    const flow = foreignFlow(
      [start({ startInputType: "formInput", formInputTypes }), llm("llmAgentflow_0")],
      ["startAgentflow_0>llmAgentflow_0"],
    );
    const { calls } = await run(flow, { script: [{ text: "ok" }], input: { form: { city: "Rome" } } });
    assert.deepEqual(calls[0]?.messages, [{ role: "user", content: "city: Rome" }]);
  });
});
