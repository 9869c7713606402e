import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json, JsonObject } from "@weft/schema";
import { type ClassicTestNode, ref } from "../testing/classic-file.ts";
import { seqStart, sequentialFlow, step } from "../testing/sequential-file.ts";
import { convertSequential } from "./convert-sequential.ts";

/**
 * Inputs of the components of sequential and team graphs, each with a value that is not its preset; what is wired, as a
 * reference to a part below. In parentheses: what must be set beside it.
 */
const row = (inputs: JsonObject) => JSON.stringify([inputs]);
const rule = row({ variable: "$flow.input", operation: "Is", value: "changed", output: "Go" });
const updateCode = { updateStateMemory: "updateStateMemoryCode" };
const updates: [string, Json, JsonObject?][] = [
  ["updateStateMemoryUI", row({ key: "topic", value: "changed" })],
  ["updateStateMemoryCode", "return { topic: 'changed' }", updateCode],
  ["updateStateMemory", "updateStateMemoryCode", { updateStateMemoryCode: "return { topic: 1 }" }],
];
const asking: [string, Json, JsonObject?][] = [
  ["systemMessagePrompt", "changed"],
  ["conversationHistorySelection", "last_message"],
  ["humanMessagePrompt", "changed"],
  ["promptValues", '{"v":"changed"}', { systemMessagePrompt: "{v}" }],
  ["model", ref("chatOllama_9")],
  ["sequentialNode", ref("seqLLMNode_7")],
];
const approval: [string, Json, JsonObject?][] = [
  ["interrupt", true],
  ["approvalPrompt", "changed", { interrupt: true }],
  ["approveButtonText", "changed", { interrupt: true }],
  ["rejectButtonText", "changed", { interrupt: true }],
];
const rules: [string, Json, JsonObject?][] = [
  ["conditionUI", rule],
  ["conditionFunction", "return 'Go'"],
  ["condition", "changed"],
  ["sequentialNode", ref("seqLLMNode_7")],
];

const components: Readonly<Record<string, [string, Json, JsonObject?][]>> = {
  seqStart: [
    ["model", ref("chatOllama_9")],
    ["agentMemory", ref("agentMemory_9")],
    ["state", ref("seqState_8")],
    ["inputModeration", [ref("inputModerationSimple_9")]],
  ],
  seqLLMNode: [
    ["llmNodeName", "changed"],
    ...asking,
    ["messageHistory", "return [new HumanMessage('changed')]"],
    ["llmStructuredOutput", row({ key: "changed", type: "Number" })],
    ...updates,
  ],
  seqAgent: [
    ["agentName", "changed"],
    ...asking,
    ["messageHistory", "return [new HumanMessage('changed')]"],
    ["tools", [ref("currentDateTime_9")]],
    ["maxIterations", "3"],
    ...approval,
    ...updates,
  ],
  seqToolNode: [
    ["tools", [ref("currentDateTime_9")]],
    ["llmNode", ref("seqLLMNode_7")],
    ["toolNodeName", "changed"],
    ...approval,
    ...updates,
  ],
  seqCondition: [["conditionName", "changed"], ...rules],
  seqConditionAgent: [
    ["conditionAgentName", "changed"],
    ...asking,
    ["conditionAgentStructuredOutput", row({ key: "changed", type: "Boolean" })],
    ...rules,
  ],
  seqState: [
    ["stateMemoryUI", row({ key: "changed", type: "Append", defaultValue: "[1]" })],
    ["stateMemory", row({ Key: "changed", Operation: "Replace", "Default Value": "x" })],
    [
      "stateMemoryCode",
      "return { changed: { value: (x, y) => y, default: () => 1 } }",
      { stateMemory: "stateMemoryCode" },
    ],
  ],
  seqCustomFunction: [
    ["functionInputVariables", '{"v":"changed"}'],
    ["sequentialNode", ref("seqLLMNode_7")],
    ["functionName", "changed"],
    ["javascriptFunction", "return 'changed'"],
    ["returnValueAs", "humanMessage"],
    ["returnValueAs", "stateObj"],
  ],
  seqExecuteFlow: [
    ["sequentialNode", ref("seqLLMNode_7")],
    ["seqExecuteFlowName", "changed"],
    ["selectedFlow", "changed"],
    ["seqExecuteFlowInput", "changed"],
    ["overrideConfig", '{"vars":{}}'],
    ["baseURL", "https://a.example"],
    ["startNewSession", true],
    ["returnValueAs", "humanMessage"],
    ["returnValueAs", "stateObj"],
  ],
  seqLoop: [
    ["sequentialNode", ref("seqLLMNode_7")],
    ["loopToName", "changed"],
  ],
  seqEnd: [["sequentialNode", ref("seqLLMNode_7")]],
  agentMemory: [
    ["databaseType", "mysql"],
    ["databaseFilePath", "/data"],
    ["host", "db.example"],
    ["database", "changed"],
    ["port", "5432"],
    ["additionalConfig", '{"ssl":true}'],
  ],
  supervisor: [
    ["supervisorName", "changed"],
    ["supervisorPrompt", "changed"],
    ["model", ref("chatOllama_9")],
    ["agentMemory", ref("agentMemory_9")],
    ["summarization", true],
    ["recursionLimit", "10"],
    ["inputModeration", [ref("inputModerationSimple_9")]],
  ],
  worker: [
    ["workerName", "changed"],
    ["workerPrompt", "changed"],
    ["tools", [ref("currentDateTime_9")]],
    ["supervisor", ref("supervisor_0")],
    ["model", ref("chatOllama_9")],
    ["promptValues", '{"v":"changed"}', { workerPrompt: "{v}" }],
    ["maxIterations", "3"],
  ],
};

/** Inputs that are not to change anything, with the reason. */
const withoutEffect: Readonly<Record<string, string>> = {
  "condition of seqCondition": "its tabs hold the rules",
  "condition of seqConditionAgent": "its tabs hold the rules",
  "sequentialNode of seqEnd": "a way ends where nothing follows, too",
};

const parts: ClassicTestNode[] = [
  { id: "chatOpenAI_0", inputs: { modelName: "m" } },
  { id: "chatOllama_9", inputs: { modelName: "own" } },
  { id: "calculator_9" },
  { id: "currentDateTime_9" },
  { id: "inputModerationSimple_9", inputs: { denyList: "x" } },
];

/** What a component needs in order to have a part in the flow. */
const needed: Readonly<Record<string, JsonObject>> = {
  seqAgent: { tools: [ref("calculator_9")] },
  seqToolNode: { llmNode: ref("seqLLMNode_9"), tools: [ref("calculator_9")] },
  seqCustomFunction: { javascriptFunction: "return 1" },
  seqExecuteFlow: { selectedFlow: "f" },
  worker: { supervisor: ref("supervisor_1") },
};

function build(name: string, inputs: JsonObject): JsonObject {
  const own = { ...needed[name], ...inputs };
  if (name === "supervisor" || name === "worker") return buildTeam(name, own);
  const start = {
    model: ref("chatOpenAI_0"),
    state: ref("seqState_0"),
    ...(name === "agentMemory" ? { agentMemory: ref("agentMemory_0") } : {}),
  };
  const isStep = !["seqStart", "seqState", "agentMemory"].includes(name);
  const node = { id: `${name}_0`, inputs: own };
  const nodes = [
    ...parts,
    { id: "agentMemory_9" },
    { id: "seqState_8", inputs: { stateMemoryUI: [{ key: "other", type: "Replace" }] } },
    ...(name === "seqState"
      ? []
      : [{ id: "seqState_0", inputs: { stateMemoryUI: [{ key: "topic", type: "Replace", defaultValue: "" }] } }]),
    name === "seqStart" ? seqStart({ ...start, ...own }) : seqStart(start),
    step("seqLLMNode_9", "seqStart_0", { llmNodeName: "First" }),
    step("seqLLMNode_7", "seqLLMNode_9", { llmNodeName: "Second" }),
    ...(name === "seqStart"
      ? []
      : [
          isStep && name !== "seqToolNode" && own.sequentialNode === undefined
            ? step(node.id, "seqLLMNode_9", own)
            : node,
        ]),
  ];
  return sequentialFlow(nodes);
}

function buildTeam(name: string, own: JsonObject): JsonObject {
  const supervisor = (number: number, inputs: JsonObject = {}) => ({
    id: `supervisor_${number}`,
    inputs: { model: ref("chatOpenAI_0"), ...inputs },
  });
  const nodes = [
    ...parts,
    { id: "agentMemory_9" },
    supervisor(0, name === "supervisor" ? own : {}),
    { id: "worker_9", inputs: { workerName: "Nine", supervisor: ref("supervisor_0") } },
    ...(name === "worker"
      ? [
          {
            id: "worker_0",
            inputs: { ...own, supervisor: own.supervisor === ref("supervisor_1") ? ref("supervisor_0") : "" },
          },
        ]
      : []),
  ];
  return sequentialFlow(nodes);
}

/** What a graph becomes, without what is said of parts that it does not use. */
const outcome = (document: JsonObject) => {
  const { flow, findings } = convertSequential(document);
  return JSON.stringify([flow, findings.filter(({ code }) => code !== "node-left-out").map(({ message }) => message)]);
};

describe("every input of a component of sequential and team graphs", () => {
  for (const [name, list] of Object.entries(components)) {
    it(`has an effect, or a finding says that it has none: ${name}`, () => {
      const silent = list.flatMap(([input, value, beside = {}]) => {
        const before = outcome(build(name, beside));
        assert.doesNotMatch(before, /cannot be used here/, name);
        return outcome(build(name, { ...beside, [input]: value })) === before ? [`${input} of ${name}`] : [];
      });
      assert.deepEqual(
        silent.filter((text) => !Object.hasOwn(withoutEffect, text)),
        [],
      );
    });
  }
});
