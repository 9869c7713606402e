import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { NodeServices } from "@weft/engine/node";
import type { Tool } from "@weft/engine/ports/tool";
import type { JsonObject } from "@weft/schema";
import { type ClassicTestNode, ref } from "../testing/classic-file.ts";
import { codesOf, nodeOf } from "../testing/foreign-file.ts";
import { closeSandbox, compileClassic, runClassic } from "../testing/run-classic.ts";
import { chatModel, seqStart, sequentialFlow, step } from "../testing/sequential-file.ts";

after(closeSandbox);

const agent = (id: string, from: string | string[], name: string, more: JsonObject = {}) =>
  step(id, from, { agentName: name, systemMessagePrompt: `You are ${name}.`, ...more });
const llm = (from: string | string[], more: JsonObject = {}, id = "seqLLMNode_0") =>
  step(id, from, { llmNodeName: id, ...more });
const memory: ClassicTestNode = { id: "agentMemory_0", inputs: { databaseType: "sqlite" } };
const state = (inputs: JsonObject): ClassicTestNode => ({ id: "seqState_0", inputs });
const calculator: ClassicTestNode = { id: "calculator_0" };
const add: Tool = {
  name: "add",
  description: "Adds",
  parameters: { type: "object", properties: { a: { type: "number" } } },
  kind: "read",
  effect: "read",
  call: async ({ a }) => ({ content: `sum ${a}` }),
};
const callsAdd = { toolCalls: [{ name: "add", arguments: { a: 1 } }] };

const findingsOf = (...nodes: Parameters<typeof sequentialFlow>[0]) =>
  codesOf(compileClassic(sequentialFlow([chatModel, ...nodes])).findings);

describe("steps of a sequential graph", () => {
  it("hear the question and what was said before them, branch out and merge in", async () => {
    const document = sequentialFlow([
      chatModel,
      seqStart(),
      agent("seqAgent_0", "seqStart_0", "A"),
      agent("seqAgent_1", "seqAgent_0", "B"),
      llm("seqAgent_0", { humanMessagePrompt: "Sum up." }),
      agent("seqAgent_2", ["seqAgent_1", "seqLLMNode_0"], "D"),
      step("seqEnd_0", "seqAgent_2"),
    ]);
    const script = [{ text: "a" }, { text: "b" }, { text: "b" }, { text: "d" }];
    const { text, said, order } = await runClassic(document, { script });
    assert.deepEqual(order.toSorted(), ["seqAgent_0", "seqAgent_1", "seqAgent_2", "seqLLMNode_0", "seqStart_0"]);
    assert.equal(text, "d");
    const [first, ...others] = said;
    assert.deepEqual(first, ["system: You are A.", "user: hello"]);
    assert.deepEqual(others.slice(0, 2).toSorted(), [
      ["system: You are B.", "user: hello", "user: a"],
      ["user: hello", "user: a", "user: Sum up."],
    ]);
    assert.deepEqual(others[2]?.toSorted(), [
      "assistant: b",
      "system: You are D.",
      "user: a",
      "user: b",
      "user: hello",
    ]);
  });

  it("see as much of the conversation as they choose", async () => {
    const seen: [string, string[]][] = [
      ["all_messages", ["user: hello", "user: a", "user: Go on."]],
      ["user_question", ["user: hello", "user: Go on."]],
      ["last_message", ["user: a", "user: Go on."]],
      ["empty", ["user: Go on."]],
    ];
    for (const [conversationHistorySelection, messages] of seen) {
      const document = sequentialFlow([
        chatModel,
        seqStart(),
        agent("seqAgent_0", "seqStart_0", "A"),
        llm("seqAgent_0", { conversationHistorySelection, humanMessagePrompt: "Go on." }),
      ]);
      const { said } = await runClassic(document, { script: [{ text: "a" }, { text: "b" }] });
      assert.deepEqual(said[1], messages, conversationHistorySelection);
    }
    assert.deepEqual(findingsOf(seqStart(), llm("seqStart_0", { conversationHistorySelection: "empty" })), [
      "warning prompt-missing",
    ]);
  });

  it("remember earlier turns, messages and state, only where a memory is wired", async () => {
    const history = [{ role: "apiMessage", content: "Before" }] as const;
    const steps = [chatModel, memory, llm("seqStart_0")];
    const without = compileClassic(sequentialFlow([...steps.toSpliced(1, 1), seqStart()]));
    const { ephemeralMemory, persistState } = nodeOf(without.flow, "seqStart_0").config;
    assert.deepEqual([ephemeralMemory, persistState], [true, false]);
    const document = sequentialFlow([...steps, seqStart({ agentMemory: ref("agentMemory_0") })]);
    const { said } = await runClassic(document, { history: [...history] });
    assert.deepEqual(said, [["assistant: Before", "user: hello"]]);
    const other = { id: "agentMemory_0", inputs: { databaseType: "postgres", host: "db.example" } };
    assert.deepEqual(findingsOf(other, llm("seqStart_0"), seqStart({ agentMemory: ref("agentMemory_0") })), [
      "warning memory-store",
    ]);
  });

  it("fill their prompts with values: texts, other steps, the question and the state", async () => {
    const promptValues = {
      who: "Ada",
      asked: "{{question}}",
      last: ref("seqAgent_0"),
      topic: "$flow.state.topic",
      list: "$flow.state.list[-1]",
    };
    const document = sequentialFlow([
      chatModel,
      seqStart({ state: ref("seqState_0") }),
      state({
        stateMemoryUI: [
          { key: "topic", type: "Replace", defaultValue: "{tea}" },
          { key: "list", type: "Append", defaultValue: '["one","two"]' },
        ],
      }),
      agent("seqAgent_0", "seqStart_0", "A"),
      llm("seqAgent_0", { systemMessagePrompt: "{who} {asked} {last} {topic} {list} {{x}}", promptValues }),
    ]);
    const { said } = await runClassic(document, { script: [{ text: "a {b}" }, { text: "c" }] });
    assert.equal(said[1]?.[0], "system: Ada hello a {b} {tea} two {x}");
    assert.deepEqual(findingsOf(seqStart(), llm("seqStart_0", { systemMessagePrompt: "{nobody}" })), [
      "warning prompt-values-missing",
    ]);
    const nowhere = { systemMessagePrompt: "{a}", promptValues: { a: "$flow.output.x" } };
    assert.deepEqual(findingsOf(seqStart(), llm("seqStart_0", nowhere)), ["warning value-unknown"]);
  });

  it("take messages of code as examples, where it is nothing but a list", async () => {
    const messageHistory = `const { AIMessage, HumanMessage } = require('@langchain/core/messages');
// An example
return [ new HumanMessage({ content: "What is \\"1 + 1\\"?" }), new AIMessage('2'), ];`;
    const { said } = await runClassic(sequentialFlow([chatModel, seqStart(), llm("seqStart_0", { messageHistory })]));
    assert.deepEqual(said, [
      ['system: Messages that came before:\n\nUser: What is "1 + 1"?\n\nAssistant: 2', "user: hello"],
    ]);
    for (const code of ["return load()", "return [new HumanMessage(`${question}`)]", "[1]"]) {
      assert.deepEqual(findingsOf(seqStart(), llm("seqStart_0", { messageHistory: code })), ["error prompt-code"]);
    }
  });

  it("have their own model, that of the start, or the operator's", () => {
    const modelOf = (inputs: JsonObject, start: JsonObject = {}) => {
      const nodes = [chatModel, { id: "chatOllama_0", inputs: { modelName: "own" } }, seqStart(start)];
      const { flow } = compileClassic(sequentialFlow([...nodes, llm("seqStart_0", inputs)]));
      return nodeOf(flow, "seqLLMNode_0").config.model;
    };
    assert.deepEqual(modelOf({}), { provider: "openai", model: "m" });
    assert.deepEqual(modelOf({ model: ref("chatOllama_0") }), { provider: "ollama", model: "own" });
    assert.deepEqual(findingsOf(seqStart({ model: "" }), llm("seqStart_0")), [
      "warning model-missing",
      "warning node-left-out",
    ]);
  });
});

describe("the state of a sequential graph", () => {
  const declared = [
    { key: "next", type: "Replace", defaultValue: "nobody" },
    { key: "log", type: "Append", defaultValue: "" },
  ];
  const start = seqStart({ state: ref("seqState_0") });
  const stateAfter = async (inputs: JsonObject, script: object[] = [{ text: '{"next":"A","tags":["x","y"]}' }]) => {
    const document = sequentialFlow([
      chatModel,
      start,
      state({ stateMemoryUI: JSON.stringify(declared) }),
      llm("seqStart_0", {
        llmStructuredOutput: [
          { key: "next", type: "Enum", enumValues: "A, B" },
          { key: "tags", type: "String Array" },
        ],
        ...inputs,
      }),
      llm(
        "seqLLMNode_0",
        { humanMessagePrompt: "{a}|{b}", promptValues: { a: "$flow.state.next", b: "$flow.state.log" } },
        "seqLLMNode_1",
      ),
    ]);
    const { said, text } = await runClassic(document, { script: [...script, { text: "done" }] });
    return { seen: said[1]?.at(-1), text };
  };

  it("is updated by rows: replaced, or appended to a list", async () => {
    const rows = (updateStateMemoryUI: JsonObject[]) => stateAfter({ updateStateMemoryUI });
    const values = [
      { key: "next", value: "$flow.output.next" },
      { key: "log", value: "$flow.output.tags" },
      { key: "log", value: "$flow.input" },
      { key: "log", value: "{{ text }}" },
    ];
    assert.equal((await rows(values.slice(0, 3))).seen, 'user: A|["x","y","hello"]');
    const last = [{ key: "next", value: "$flow.output.tags[-1]" }];
    assert.equal((await rows(last)).seen, "user: y|[]");
  });

  it("is updated by code, which sees the output, the state and the messages", async () => {
    const updateStateMemoryCode = `const said = $flow.state.messages;
return { next: $flow.output.next + said.length + said[said.length - 1].content, log: [...$flow.state.log, $input], other: 1 };`;
    const inputs = (code: string) => ({
      selectedUpdateStateMemoryTab_seqLLMNode_0: "updateStateMemoryCode",
      selectedUpdateStateMemoryTab_seqLLMNode_7: "updateStateMemoryUI",
      updateStateMemoryUI: [{ key: "next", value: "ignored" }],
      updateStateMemoryCode: code,
    });
    const { seen, text } = await stateAfter(inputs(updateStateMemoryCode));
    assert.equal(seen, 'user: A2{"next":"A","tags":["x","y"]}|["hello"]');
    assert.equal(text, "done");
    assert.equal((await stateAfter(inputs("return { ...$flow.state, next: 'B' };"))).seen, "user: B|[]");
    assert.equal((await stateAfter(inputs("return {};"))).seen, "user: nobody|[]");
  });

  it("leaves the answer to the step whose output it was taken from", async () => {
    const document = sequentialFlow([
      chatModel,
      start,
      state({ stateMemoryUI: declared }),
      llm("seqStart_0", { updateStateMemory: "updateStateMemoryCode", updateStateMemoryCode: "return { next: 'B' }" }),
    ]);
    assert.equal((await runClassic(document, { script: [{ text: "said" }] })).text, "said");
  });

  it("is declared by rows of old and new versions, or by code that replaces and concatenates", () => {
    const stateOf = (inputs: JsonObject) => {
      const { flow, findings } = compileClassic(sequentialFlow([chatModel, start, state(inputs), llm("seqStart_0")]));
      return [nodeOf(flow, "seqStart_0").config.state, ...codesOf(findings)];
    };
    const old = [
      { Key: "a", Operation: "Append", "Default Value": "[1]" },
      { Key: "b", Operation: "Replace" },
    ];
    assert.deepEqual(stateOf({ stateMemory: JSON.stringify(old) }), [{ a: [1], b: "" }]);
    const code = (stateMemoryCode: string) => ({ selectedStateTab_seqState_0: "stateMemoryCode", stateMemoryCode });
    const reducers = `return {
  // Everything that was found
  found: { value: (x, y) => x.concat(y), default: () => [] },
  city: { value: (x, y) => y ?? x, default: () => "Ulm" },
  said: {
    value: (x, y) => x.concat(y), // here we append to what was said
    default: () => []
  }, /* and the newest one counts */
  site: { value: null, default: () => "https://weft.example" }
};`;
    assert.deepEqual(stateOf(code(reducers)), [{ found: [], city: "Ulm", said: [], site: "https://weft.example" }]);
    for (const other of ["return { n: { value: (x, y) => x + y, default: () => 0 } };", "return load();"]) {
      assert.deepEqual(stateOf(code(other)), [{}, "error state-code"]);
    }
  });
});

describe("tools of a sequential graph", () => {
  it("are called by an agent as often as it needs, within its rounds", async () => {
    const nodes = [
      chatModel,
      calculator,
      seqStart(),
      agent("seqAgent_0", "seqStart_0", "A", { tools: [ref("calculator_0"), ref("calculator_0")] }),
    ];
    const { text, calls } = await runClassic(sequentialFlow(nodes), {
      script: [callsAdd, callsAdd, { text: "two" }],
      tools: () => [add],
    });
    assert.equal(text, "two");
    assert.equal(calls.length, 3);
    const limited = compileClassic(
      sequentialFlow([chatModel, seqStart(), agent("seqAgent_0", "seqStart_0", "A", { maxIterations: "3" })]),
    );
    assert.equal(nodeOf(limited.flow, "seqAgent_0").config.maxRounds, 3);
  });

  const toolNode = (inputs: JsonObject = {}) => ({
    id: "seqToolNode_0",
    inputs: { llmNode: ref("seqLLMNode_0"), tools: [ref("calculator_0")], toolNodeName: "Tools", ...inputs },
  });
  const withToolNode = (inputs: JsonObject = {}) =>
    sequentialFlow([
      chatModel,
      calculator,
      seqStart({ state: ref("seqState_0") }),
      state({ stateMemoryUI: [{ key: "sum", type: "Replace", defaultValue: "" }] }),
      llm("seqStart_0"),
      toolNode(inputs),
      llm(
        "seqToolNode_0",
        { humanMessagePrompt: "Word {sum}.", promptValues: { sum: "$flow.state.sum" } },
        "seqLLMNode_1",
      ),
    ]);

  it("are called once behind a model, and what follows reads the results", async () => {
    const updates = { updateStateMemoryUI: [{ key: "sum", value: "$flow.output[0].toolOutput" }] };
    const { text, said, order } = await runClassic(withToolNode(updates), {
      script: [{ toolCalls: [...callsAdd.toolCalls, { name: "add", arguments: { a: 2 } }] }, { text: "done" }],
      tools: () => [add],
    });
    assert.deepEqual(order, ["seqStart_0", "seqLLMNode_0", "seqLLMNode_0_tools", "seqToolNode_0", "seqLLMNode_1"]);
    assert.deepEqual(said[1], ["user: hello", "assistant: sum 1\n\nsum 2", "user: Word sum 1."]);
    assert.equal(text, "done");
  });

  it("end the run where the model calls none", async () => {
    const { text, order } = await runClassic(withToolNode(), { script: [{ text: "no need" }], tools: () => [add] });
    assert.equal(text, "no need");
    assert.deepEqual(order, ["seqStart_0", "seqLLMNode_0", "seqLLMNode_0_tools", "seqLLMNode_0_reply"]);
  });

  it("need a model that calls them", () => {
    const alone = findingsOf(calculator, seqStart(), llm("seqStart_0"), step("seqToolNode_0", "seqLLMNode_0", {}));
    assert.deepEqual(alone, ["error tool-node-alone", "warning node-left-out"]);
  });

  it("wait for a person where that is required", async () => {
    for (const document of [
      withToolNode({ interrupt: true }),
      sequentialFlow([
        chatModel,
        calculator,
        seqStart(),
        agent("seqAgent_0", "seqStart_0", "A", { tools: [ref("calculator_0")], interrupt: true }),
      ]),
    ]) {
      const { end, events } = await runClassic(document, { script: [callsAdd], tools: () => [add] });
      assert.equal(end?.type, "run-suspended");
      const asked = events.find((event) => event.type === "node-suspended");
      assert.ok(asked?.type === "node-suspended");
      assert.equal(asked.wait.details.kind, "tool-approval");
      assert.deepEqual(asked.wait.details.labels, { proceed: "Yes", reject: "No" });
    }
    const worded = { tools: [ref("calculator_0")], interrupt: true, approvalPrompt: "Ask kindly." };
    assert.deepEqual(findingsOf(calculator, seqStart(), agent("seqAgent_0", "seqStart_0", "A", worded)), [
      "warning approval-prompt",
    ]);
  });
});

describe("functions and flows in a sequential graph", () => {
  const functionStep = (code: string, more: JsonObject = {}) =>
    step("seqCustomFunction_0", "seqStart_0", { functionName: "Work", javascriptFunction: code, ...more });

  it("return a message of the assistant or of the user", async () => {
    for (const [returnValueAs, role] of [
      ["aiMessage", "assistant"],
      ["humanMessage", "user"],
    ]) {
      const functionInputVariables = { asked: "$flow.input", city: "Ulm" };
      const document = sequentialFlow([
        chatModel,
        seqStart(),
        functionStep("return `${$asked} from ${$city}, ${$flow.state.messages.length}`", {
          functionInputVariables,
          returnValueAs: returnValueAs ?? "",
        }),
        llm("seqCustomFunction_0"),
      ]);
      const { said } = await runClassic(document);
      assert.deepEqual(said, [["user: hello", `${role}: hello from Ulm, 1`]]);
    }
  });

  it("return values for the state", async () => {
    const document = sequentialFlow([
      chatModel,
      seqStart({ state: ref("seqState_0") }),
      state({
        stateMemoryUI: [
          { key: "city", type: "Replace", defaultValue: "" },
          { key: "log", type: "Append" },
        ],
      }),
      functionStep("return { city: 'Ulm', log: ['a', 'b'] }", { returnValueAs: "stateObj" }),
      llm("seqCustomFunction_0", {
        humanMessagePrompt: "{c} {l}",
        promptValues: { c: "$flow.state.city", l: "$flow.state.log" },
      }),
    ]);
    const { said } = await runClassic(document);
    assert.deepEqual(said, [["user: hello", 'user: Ulm ["a","b"]']]);
  });

  it("say that they failed", async () => {
    const { end } = await runClassic(sequentialFlow([chatModel, seqStart(), functionStep("throw new Error('no')")]), {
      findings: ["warning node-left-out"],
    });
    assert.equal(end?.type === "run-failed" && end.error.message, "Work: Error: no");
  });

  it("ask other agents", async () => {
    const asked: unknown[] = [];
    const childRuns: NodeServices["childRuns"] = {
      async run({ agentId, question, overrideConfig }) {
        asked.push([agentId, question, overrideConfig]);
        return { text: "From there", runId: "r" };
      },
    };
    const flowStep = (inputs: JsonObject) => step("seqExecuteFlow_0", "seqLLMNode_0", { selectedFlow: "f", ...inputs });
    const document = (inputs: JsonObject) =>
      sequentialFlow([
        chatModel,
        seqStart(),
        llm("seqStart_0"),
        flowStep(inputs),
        step("seqEnd_0", "seqExecuteFlow_0"),
      ]);
    const run = (inputs: JsonObject) =>
      runClassic(document(inputs), { script: [{ text: "a" }], services: { childRuns } });
    const { text } = await run({ seqExecuteFlowInput: "userQuestion", overrideConfig: '{"vars":{"x":1}}' });
    assert.equal(text, "From there");
    await run({ seqExecuteFlowInput: ref("seqLLMNode_0") });
    await run({ startNewSession: true });
    assert.deepEqual(asked, [
      ["f", "hello", { vars: { x: 1 } }],
      ["f", "a", {}],
      ["f", "hello", { sessionId: "run-1" }],
    ]);
    const codes = (inputs: JsonObject) => codesOf(compileClassic(document(inputs)).findings);
    assert.deepEqual(codes({ selectedFlow: "" }), ["error flow-missing"]);
    assert.deepEqual(codes({ baseURL: "https://a.example", overrideConfig: "x" }), [
      "warning flow-address-ignored",
      "error flow-overrides-invalid",
    ]);
  });
});
