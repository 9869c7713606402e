import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { convertNode, type ForeignTestNode, foreignFlow, nodeOf, startNode } from "../../testing/foreign-file.ts";
import { convertAgentFlowV2 } from "../convert-agentflow-v2.ts";

describe("a condition", () => {
  it("has a branch for each line", () => {
    const { config, codes } = convertNode("conditionAgentflow_0", {
      conditions: [
        { type: "string", value1: "<p>{{ question }}</p>", operation: "notContains", value2: "no" },
        { type: "string", value1: "{{ question }}", operation: "regex", value2: "^a" },
        { type: "number", value1: "{{ $flow.state.n }}", operation: "largerEqual", value2: "3 apples" },
        { type: "number", value1: "{{ $flow.state.n }}", operation: "smaller", value2: "" },
        { type: "boolean", value1: "true", operation: "notEqual", value2: "" },
        { type: "date", value1: "a", operation: "unheard", value2: "b" },
      ],
    });
    assert.deepEqual(codes, []);
    assert.deepEqual(config.branches, [
      { id: "0", conditions: [{ type: "string", left: "{{ question }}", operation: "not-contains", right: "no" }] },
      { id: "1", conditions: [{ type: "string", left: "{{ question }}", operation: "matches", right: "^a" }] },
      {
        id: "2",
        conditions: [{ type: "number", left: "{{ $flow.state.n }}", operation: "larger-or-equal", right: 3 }],
      },
      { id: "3", conditions: [{ type: "number", left: "{{ $flow.state.n }}", operation: "smaller", right: 0 }] },
      { id: "4", conditions: [{ type: "boolean", left: true, operation: "not-equal", right: false }] },
      { id: "5", conditions: [{ type: "string", left: "a", operation: "equal", right: "b" }] },
    ]);
  });
});

describe("a condition agent", () => {
  const inputs = {
    conditionAgentModel: "chatAnthropic",
    conditionAgentModelConfig: {},
    conditionAgentInstructions: "<p>Which department?</p>",
    conditionAgentScenarios: [{ scenario: "Sales" }, { scenario: "Support" }],
  };

  it("has a port for each scenario and none for else", () => {
    const { config, codes } = convertNode("conditionAgentAgentflow_0", inputs);
    assert.deepEqual(codes, []);
    assert.deepEqual(config, {
      model: { provider: "anthropic" },
      instructions: "Which department?",
      input: "{{ question }}",
      scenarios: [
        { id: "0", description: "Sales" },
        { id: "1", description: "Support" },
      ],
      hasElse: false,
      memory: { type: "off" },
    });
  });

  it("adds a system prompt of its own to the instructions", () => {
    const own = { conditionAgentSystemPrompt: "You sort mail.", conditionAgentOverrideSystemPrompt: true };
    const { config, codes } = convertNode("conditionAgentAgentflow_0", { ...inputs, ...own });
    assert.equal(config.instructions, "You sort mail.\n\nWhich department?");
    assert.deepEqual(codes, ["warning condition-agent-prompt"]);
  });
});

describe("a loop", () => {
  it("goes back once less than its target ran", () => {
    const times = (maxLoopCount: number | string) => convertNode("loopAgentflow_0", { maxLoopCount }).config.times;
    assert.deepEqual([times("3"), times(1), times(""), times(0), times(9_999)], [2, 0, 4, 0, 1_000]);
  });

  it("finds its target by the id before the label", () => {
    const ids = ["llmAgentflow_1", "llmAgentflow_1-b", "1st"];
    const nodes: ForeignTestNode[] = ids.map((id) => ({ id, data: { name: "directReplyAgentflow" } }));
    const targetOf = (loopBackToNode: string) =>
      nodeOf(
        convertAgentFlowV2(foreignFlow([...nodes, { id: "loopAgentflow_0", inputs: { loopBackToNode } }])).flow,
        "loopAgentflow_0",
      ).config.target;
    assert.equal(targetOf("llmAgentflow_1-My - step"), "llmAgentflow_1");
    assert.equal(targetOf("llmAgentflow_1-b-Other"), "llmAgentflow_1-b");
    assert.equal(targetOf("llmAgentflow_1"), "llmAgentflow_1");
    assert.equal(targetOf("1st-First"), "node_1st");
    assert.equal(targetOf("llmAgentflow_10-Ten"), "llmAgentflow_10-Ten");
  });
});

describe("an iteration", () => {
  it("takes a list as typed, or a reference to one", () => {
    const itemsOf = (iterationInput: string) => convertNode("iterationAgentflow_0", { iterationInput }).config;
    assert.deepEqual(itemsOf("<p>[{ item: 'a' }, 2,]</p>"), {
      items: '[{"item":"a"},2]',
      concurrency: 1,
      onItemError: "collect",
    });
    assert.equal(itemsOf("{{ llm.output.list }}").items, "{{ $openBraces }} llm.output.list }}");
    assert.equal(itemsOf("[{{ question }}]").items, "[{{ question }}]");
  });

  it("keeps the results where others look for them", () => {
    const nodes = [
      { id: "iterationAgentflow_0" },
      {
        id: "directReplyAgentflow_0",
        inputs: {
          directReplyMessage:
            "{{ iterationAgentflow_0.output.iterationResults[1] }} {{ iterationAgentflow_0.output.content }}",
        },
      },
    ];
    const { flow } = convertAgentFlowV2(foreignFlow(nodes));
    assert.equal(
      nodeOf(flow, "directReplyAgentflow_0").config.message,
      "{{ iterationAgentflow_0.output.results.1 }} {{ iterationAgentflow_0.output.content }}",
    );
  });
});

describe("a human input", () => {
  it("shows what was said last before its question", () => {
    const llm = { id: "llmAgentflow_0", inputs: { llmModel: "chatOpenAI" } };
    const inputs = {
      humanInputDescriptionType: "fixed",
      humanInputDescription: "<p>Send it?</p>",
      humanInputEnableFeedback: true,
    };
    const nodes = [
      startNode,
      llm,
      { id: "humanInputAgentflow_0", inputs },
      { id: "directReplyAgentflow_0" },
      { id: "directReplyAgentflow_1" },
    ];
    const edges = [
      "startAgentflow_0>llmAgentflow_0",
      "llmAgentflow_0>humanInputAgentflow_0",
      "humanInputAgentflow_0:0>directReplyAgentflow_0",
      "humanInputAgentflow_0:1>directReplyAgentflow_1",
    ];
    const { flow } = convertAgentFlowV2(foreignFlow(nodes, edges));
    assert.deepEqual(nodeOf(flow, "humanInputAgentflow_0").config, {
      writtenBy: "author",
      question: "{{ llmAgentflow_0 }}\n\nSend it?",
      feedback: true,
    });
    assert.deepEqual(
      flow.edges.slice(2).map(({ sourcePort }) => sourcePort),
      ["proceed", "reject"],
    );
  });

  it("asks on its own, or lets a model write", () => {
    assert.deepEqual(convertNode("humanInputAgentflow_0", {}).config, {
      writtenBy: "author",
      question: "Do you want to proceed?",
      feedback: false,
    });
    const dynamic = {
      humanInputDescriptionType: "dynamic",
      humanInputModel: "chatOpenAI",
      humanInputModelPrompt: "Sum up.",
    };
    assert.deepEqual(convertNode("humanInputAgentflow_0", dynamic).config, {
      writtenBy: "model",
      model: { provider: "openai" },
      instruction: "Sum up.",
      feedback: false,
    });
  });
});
