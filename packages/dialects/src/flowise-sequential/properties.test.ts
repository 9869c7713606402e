import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileFlow } from "@weft/engine";
import { nodeRegistry } from "@weft/nodes";
import { flowDocumentSchema, type JsonObject } from "@weft/schema";
import fc from "fast-check";
import { processorMs } from "../../../schema/src/testing/processor-time.ts";
import { readFlow } from "../read-flow.ts";
import { sequentialFlow } from "../testing/sequential-file.ts";
import { convertSequential } from "./convert-sequential.ts";

const names = [
  "seqStart",
  "seqLLMNode",
  "seqAgent",
  "seqToolNode",
  "seqCondition",
  "seqConditionAgent",
  "seqState",
  "seqLoop",
  "seqEnd",
  "seqCustomFunction",
  "seqExecuteFlow",
  "agentMemory",
  "supervisor",
  "worker",
  "chatOpenAI",
  "calculator",
  "seqFuture",
  "__proto__",
];
const inputNames = [
  "model",
  "tools",
  "state",
  "agentMemory",
  "sequentialNode",
  "llmNode",
  "supervisor",
  "inputModeration",
  "systemMessagePrompt",
  "humanMessagePrompt",
  "messageHistory",
  "promptValues",
  "conversationHistorySelection",
  "llmStructuredOutput",
  "updateStateMemory",
  "updateStateMemoryUI",
  "updateStateMemoryCode",
  "conditionUI",
  "conditionFunction",
  "stateMemory",
  "stateMemoryUI",
  "stateMemoryCode",
  "loopToName",
  "returnValueAs",
  "functionInputVariables",
  "javascriptFunction",
  "selectedFlow",
  "overrideConfig",
  "workerPrompt",
  "workerName",
  "supervisorPrompt",
  "recursionLimit",
  "maxIterations",
  "interrupt",
  "agentName",
  "__proto__",
  "constructor",
];
const id = fc.tuple(fc.constantFrom(...names), fc.nat(2)).map(([name, number]) => `${name}_${number}`);
const reference = id.map((to) => `{{${to}.data.instance}}`);
const text = fc.oneof(
  fc.string(),
  reference,
  fc.constantFrom(
    "{x}",
    "$flow.state.x[-1]",
    "$flow.output.y",
    "$flow.state.messages[-1].content",
    "stateMemoryCode",
    "updateStateMemoryCode",
    "stateObj",
    "true",
    "-1",
    "1e999",
    "seqagent",
    "return { a: { value: (x, y) => x.concat(y), default: () => [] } };",
    '[{"variable":"$flow.input","operation":"Is Not","value":"x","output":"Go"}]',
    '[{"key":"x","value":"$flow.output.x","type":"Append","defaultValue":"["}]',
  ),
);
const value = fc.oneof(text, fc.array(reference, { maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }));
const node = fc.record({
  id,
  inputs: fc.dictionary(fc.constantFrom(...inputNames), value, { maxKeys: 8 }),
  after: fc.array(
    fc.tuple(id, fc.constantFrom("", ":Go", ":End")).map((pair) => pair.join("")),
    { maxLength: 3 },
  ),
});
const flow = fc
  .array(node, { maxLength: 10 })
  .map((nodes) => sequentialFlow([{ id: "seqStart_0", after: [] }, ...nodes] as Parameters<typeof sequentialFlow>[0]));

function assertSound(document: JsonObject): void {
  const { flow: converted, findings } = convertSequential(document);
  const parsed = flowDocumentSchema.safeParse(converted);
  assert.ok(parsed.success, JSON.stringify(parsed.error?.issues));
  const ids = new Set(converted.nodes.map((one) => one.id));
  assert.equal(ids.size, converted.nodes.length);
  for (const { source, target } of converted.edges) assert.ok(ids.has(source) && ids.has(target));
  for (const { nodeId, message } of findings) {
    assert.ok(nodeId === null || ids.has(nodeId), message);
    assert.match(message, /\.$/);
  }
}

describe("any graph of agents of the first version", () => {
  it("becomes a sound flow and findings", () => {
    fc.assert(fc.property(flow, assertSound), { numRuns: 300 });
  });

  it("is checked by the platform without an exception", () => {
    const property = fc.property(flow, (document) => {
      compileFlow(JSON.stringify(document), nodeRegistry, readFlow);
    });
    fc.assert(property, { numRuns: 100 });
  });

  it("is read in time, however long its texts are", () => {
    const long = "value: (x, y) => x, default: () => ".repeat(20_000);
    const inputs = { selectedStateTab_seqState_0: "stateMemoryCode", stateMemoryCode: long };
    const messageHistory = "new HumanMessage({ content: ".repeat(20_000);
    const document = sequentialFlow([
      { id: "seqStart_0", inputs: { state: "{{seqState_0.data.instance}}" } },
      { id: "seqState_0", inputs },
      { id: "seqAgent_0", after: ["seqStart_0"], inputs: { messageHistory, systemMessagePrompt: "{".repeat(100_000) } },
    ]);
    const began = processorMs();
    convertSequential(document);
    assert.ok(processorMs() - began < 5_000);
  });
});
