import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { Json, JsonObject } from "@weft/schema";
import { ref } from "../testing/classic-file.ts";
import { codesOf, nodeOf } from "../testing/foreign-file.ts";
import { closeSandbox, compileClassic, runClassic } from "../testing/run-classic.ts";
import { chatModel, seqStart, sequentialFlow, step } from "../testing/sequential-file.ts";

after(closeSandbox);

const llm = (id: string, from: string | string[], more: JsonObject = {}) =>
  step(id, from, { llmNodeName: id, ...more });

/** A condition on the state, its one branch and its end. */
function branching(rule: { variable: string; operation: string; value?: string }, state: JsonObject = {}) {
  const code = Object.entries(state).map(
    ([key, value]) => `${key}: { value: (x, y) => y, default: () => ${JSON.stringify(value)} },`,
  );
  return sequentialFlow([
    chatModel,
    seqStart({ state: ref("seqState_0") }),
    {
      id: "seqState_0",
      inputs: { selectedStateTab_seqState_0: "stateMemoryCode", stateMemoryCode: `return {\n${code.join("\n")}\n};` },
    },
    step("seqCondition_0", "seqStart_0", {
      conditionName: "Which?",
      conditionUI: JSON.stringify([{ value: "", ...rule, output: "Go On" }]),
    }),
    llm("seqLLMNode_0", "seqCondition_0:Go On"),
    step("seqEnd_0", "seqCondition_0:End"),
  ]);
}

async function isTaken(rule: { operation: string; value?: string }, x: Json | undefined): Promise<boolean> {
  const document = branching({ variable: "$flow.state.x", ...rule }, x === undefined ? {} : { x });
  const { order, text } = await runClassic(document, { script: [{ text: "went on" }] });
  assert.equal(text, order.includes("seqLLMNode_0") ? "went on" : "hello");
  return order.includes("seqLLMNode_0");
}

describe("rules of a condition", () => {
  const table: [operation: string, value: string, holds: Json[], fails: (Json | undefined)[]][] = [
    ["Contains", "ll", ["hello", ["ll"]], ["HELLO", "", undefined, 0]],
    ["Not Contains", "ll", ["HELLO", 7], ["hello", "", undefined, 0, false]],
    ["Start With", "he", ["hello"], ["He", "", undefined]],
    ["End With", "lo", ["hello"], ["Lo", "", undefined]],
    ["Is", "hello", ["hello"], ["Hello", "hello ", "", undefined]],
    ["Is", "0", ["0"], [0, "", undefined]],
    ["Is", "", [], ["", undefined, "x"]],
    ["Is Not", "hello", ["Hello", "0"], ["hello", "", 0, false, undefined]],
    ["Is Empty", "", ["", 0, false], ["x", "0", 1]],
    ["Is Not Empty", "", ["x", "0", 1], ["", 0, false, undefined]],
    ["Greater Than", "2", [3, "3"], [2, 1, "x", "", undefined]],
    ["Less Than", "2", [1, "0"], [2, 0, "x", "", undefined]],
    ["Equal To", "2", [2, "2.0"], [3, "x", 0, undefined]],
    ["Not Equal To", "2", [3], [2, "x", 0, undefined]],
    ["Greater Than or Equal To", "2", [2, 3], [1, 0]],
    ["Less Than or Equal To", "2", [2, 1], [3, 0]],
    ["Equal To", "", [], [0, 1]],
    ["Nothing Known", "x", [], ["x", ""]],
  ];
  for (const [operation, value, holds, fails] of table) {
    it(`${operation} "${value}"`, async () => {
      for (const x of holds) assert.ok(await isTaken({ operation, value }, x), JSON.stringify(x));
      for (const x of fails) assert.ok(!(await isTaken({ operation, value }, x)), JSON.stringify(x));
    });
  }

  it("read the input, the messages, steps and variables", async () => {
    const taken = async (variable: string, operation: string, value: string) => {
      const document = sequentialFlow([
        chatModel,
        seqStart(),
        llm("seqLLMNode_1", "seqStart_0"),
        step("seqCondition_0", "seqLLMNode_1", { conditionUI: [{ variable, operation, value, output: "Go" }] }),
        llm("seqLLMNode_0", "seqCondition_0:Go"),
      ]);
      const run = { script: [{ text: "one" }, { text: "two" }], vars: { place: "Ulm" } };
      const { order, text } = await runClassic(document, run);
      assert.equal(text, order.includes("seqLLMNode_0") ? "two" : "one");
      return order.includes("seqLLMNode_0");
    };
    assert.ok(await taken("$flow.input", "Is", "hello"));
    assert.ok(await taken("$flow.state.messages[-1].content", "Contains", "on"));
    assert.ok(await taken("$flow.state.messages[0].content", "Is Not", "one"));
    assert.ok(await taken("$flow.state.messages.length", "Equal To", "2"));
    assert.ok(await taken("$seqLLMNode_1", "Is", "one"));
    assert.ok(await taken("$seqLLMNode_1", "Is Not", "two"));
    assert.ok(await taken("$vars.place", "Is Not", "Bonn"));
    assert.ok(await taken("$vars.place", "Is", "Ulm"));
    assert.ok(!(await taken("$nobody", "Is Not", "x")));
    assert.ok(!(await taken("no variable", "Is Not", "x")));
  });

  it("are native conditions where they mean the same", () => {
    const { flow } = compileClassic(
      branching({ variable: "$flow.state.x", operation: "Is", value: "alpha" }, { x: "a" }),
    );
    const conditions = [{ type: "string", left: "{{ $flow.state.x }}", operation: "equal", right: "alpha" }];
    assert.deepEqual(nodeOf(flow, "seqCondition_0").config.branches, [{ id: "0", title: "Go On", conditions }]);
    assert.equal(nodeOf(flow, "seqCondition_0").label, "Which?");
  });

  it("take the first that holds, to branches that join again", async () => {
    const conditionUI = [
      { variable: "$flow.input", operation: "Contains", value: "hell", output: "One" },
      { variable: "$flow.input", operation: "Contains", value: "hello", output: "Two" },
    ];
    const document = sequentialFlow([
      chatModel,
      seqStart(),
      step("seqCondition_0", "seqStart_0", { conditionUI }),
      llm("seqLLMNode_0", "seqCondition_0:One"),
      llm("seqLLMNode_1", "seqCondition_0:Two"),
      llm("seqLLMNode_2", ["seqLLMNode_0", "seqLLMNode_1"]),
    ]);
    const { order } = await runClassic(document, { script: [{ text: "a" }, { text: "b" }] });
    assert.deepEqual(order, ["seqStart_0", "seqCondition_0", "seqLLMNode_0", "seqLLMNode_2"]);
  });
});

describe("code of a condition", () => {
  const document = (conditionFunction: string) =>
    sequentialFlow([
      chatModel,
      seqStart(),
      llm("seqLLMNode_1", "seqStart_0"),
      step("seqCondition_0", "seqLLMNode_1", {
        selectedConditionFunctionTab_seqCondition_0: "conditionFunction",
        conditionUI: [{ variable: "$flow.input", operation: "Is Empty", value: "", output: "Go" }],
        conditionFunction,
      }),
      llm("seqLLMNode_0", "seqCondition_0:Go There"),
    ]);
  const lastNode = async (code: string) =>
    (await runClassic(document(code), { script: [{ text: "a" }, { text: "b" }] })).order.at(-1);

  it("names the branch, and ends the run where it names none that goes on", async () => {
    const code = "const all = $flow.state.messages;\nreturn all[all.length - 1].content === 'a' ? 'Go There' : 'End';";
    assert.equal(await lastNode(code), "seqLLMNode_0");
    for (const other of ["return 'End'", "return 'Somewhere'", "return undefined"]) {
      assert.equal(await lastNode(other), "seqCondition_0_answer");
    }
  });
});

describe("a condition agent", () => {
  const document = (inputs: JsonObject) =>
    sequentialFlow([
      chatModel,
      seqStart(),
      llm("seqLLMNode_0", "seqStart_0"),
      step("seqConditionAgent_0", "seqLLMNode_0", {
        conditionAgentName: "Router",
        systemMessagePrompt: "Route.",
        humanMessagePrompt: "Where to?",
        ...inputs,
      }),
      llm("seqLLMNode_1", "seqConditionAgent_0:Billing"),
      step("seqEnd_0", "seqConditionAgent_0:End"),
    ]);
  const rule = (variable: string) => [{ variable, operation: "Is", value: "BILLING", output: "Billing" }];
  const structured = {
    conditionAgentStructuredOutput: [
      { key: "route", type: "Enum", enumValues: "BILLING, OTHER", description: "Where" },
    ],
    conditionUI: rule("$flow.output.route"),
  };

  it("goes where its data leads, and keeps out of the conversation", async () => {
    const script = [{ text: "Hold on" }, { text: '{"route":"BILLING"}' }, { text: "Paid" }];
    const { said, text } = await runClassic(document(structured), { script });
    assert.deepEqual(said, [
      ["user: hello"],
      ["system: Route.", "user: hello", "assistant: Hold on", "user: Where to?"],
      ["user: hello", "assistant: Hold on"],
    ]);
    assert.equal(text, "Paid");
    const other = await runClassic(document(structured), { script: [{ text: "Hi" }, { text: '{"route":"OTHER"}' }] });
    assert.equal(other.text, "Hi");
  });

  it("goes where its words or its code lead", async () => {
    const words = { conditionUI: rule("$flow.output.content") };
    const script = [{ text: "Hold on" }, { text: "BILLING" }, { text: "Paid" }];
    assert.equal((await runClassic(document(words), { script })).text, "Paid");
    const code = { conditionFunction: "return $flow.output.content === 'BILLING' ? 'Billing' : 'End'" };
    assert.equal((await runClassic(document(code), { script })).text, "Paid");
  });
});

describe("a loop", () => {
  const document = (loopToName: string) =>
    sequentialFlow([
      chatModel,
      seqStart(),
      llm("seqLLMNode_0", "seqStart_0", {
        llmNodeName: "The Writer",
        humanMessagePrompt: "{old}",
        promptValues: { old: ref("seqLLMNode_1") },
      }),
      step("seqCondition_0", "seqLLMNode_0", {
        conditionUI: [
          { variable: "$flow.state.messages[-1].content", operation: "Is Not", value: "done", output: "Again" },
        ],
      }),
      llm("seqLLMNode_1", "seqCondition_0:Again", { llmNodeName: "Critic" }),
      step("seqLoop_0", "seqLLMNode_1", { loopToName }),
    ]);

  it("goes back to the step of a name until a condition leads on", async () => {
    const script = [{ text: "draft" }, { text: "better" }, { text: "done" }];
    const { said, text, order } = await runClassic(document("the writer"), { script });
    assert.equal(text, "done");
    assert.equal(order.filter((id) => id === "seqLLMNode_0").length, 2);
    assert.deepEqual(said[2], ["user: hello", "assistant: draft", "assistant: better", "user: better"]);
  });

  it("ends with what was said last when it was taken too often", async () => {
    const { text, calls } = await runClassic(document("The Writer"), {
      script: Array.from({ length: 40 }, (_, n) => ({ text: `t${n}` })),
    });
    assert.equal(calls.length, 18);
    assert.equal(text, "t17");
  });

  it("needs a step of that name, and warns of two", () => {
    assert.deepEqual(codesOf(compileClassic(document("nobody")).findings), [
      "error loop-target-missing",
      "error loop-target-missing",
    ]);
    const twins = sequentialFlow([
      chatModel,
      seqStart(),
      llm("seqLLMNode_0", "seqStart_0"),
      llm("seqLLMNode_1", "seqLLMNode_0", { llmNodeName: "seqllmnode_0" }),
    ]);
    assert.deepEqual(codesOf(compileClassic(twins).findings), ["warning name-duplicate"]);
  });
});

describe("a graph that is wired wrongly", () => {
  it("is told so", () => {
    const codes = (...nodes: Parameters<typeof sequentialFlow>[0]) =>
      codesOf(compileClassic(sequentialFlow(nodes)).findings);
    assert.deepEqual(codes(llm("seqLLMNode_0", [])), ["error start-missing"]);
    assert.deepEqual(codes(chatModel, seqStart()), ["error ending-missing", "warning node-left-out"]);
    assert.deepEqual(codes(chatModel, seqStart(), llm("seqLLMNode_0", "seqStart_0"), llm("seqLLMNode_1", [])), [
      "warning node-left-out",
    ]);
    const circle = [llm("seqLLMNode_0", ["seqStart_0", "seqLLMNode_1"]), llm("seqLLMNode_1", "seqLLMNode_0")];
    assert.ok(codes(chatModel, seqStart(), ...circle).includes("error flow-cyclic"));
    const other = step("seqFuture_0", "seqStart_0");
    assert.ok(codes(chatModel, seqStart(), other).includes("error node-unsupported"));
  });

  it("answers what a moderation blocks, before any step", async () => {
    const document = sequentialFlow([
      chatModel,
      seqStart({ inputModeration: [ref("inputModerationSimple_0")] }),
      { id: "inputModerationSimple_0", inputs: { denyList: "hello", moderationErrorMessage: "No." } },
      llm("seqLLMNode_0", "seqStart_0"),
    ]);
    const { text, calls } = await runClassic(document);
    assert.equal(text, "No.");
    assert.equal(calls.length, 0);
  });
});
