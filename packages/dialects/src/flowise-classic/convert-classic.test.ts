import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { type ClassicTestNode, classicFlow, ref } from "../testing/classic-file.ts";
import { codesOf, nodeOf } from "../testing/foreign-file.ts";
import { closeSandbox, compileClassic, runClassic } from "../testing/run-classic.ts";
import { convertClassic } from "./convert-classic.ts";

const chain = (id: string, inputs: JsonObject = {}): ClassicTestNode => ({ id, inputs });
const memory: ClassicTestNode = { id: "bufferMemory_0" };
const wired = { model: ref("chatOpenAI_0"), memory: ref("bufferMemory_0") };
const model: ClassicTestNode = { id: "chatOpenAI_0", inputs: { modelName: "m" } };

after(closeSandbox);

describe("convertClassic", () => {
  it("keeps notes, ids and labels, and names what is left out", () => {
    const document = classicFlow([
      { id: "stickyNote_0", inputs: { note: "Read me" } },
      { id: "calculator_0", label: "Sums" },
      model,
      memory,
      { ...chain("conversationChain_0", wired), label: "Talk" },
    ]);
    const { flow, findings } = compileClassic(document);
    assert.deepEqual(
      flow.nodes.map(({ id, type, label }) => [id, type, label]),
      [
        ["start", "start", "Start"],
        ["conversationChain_0", "llm", "Talk"],
        ["stickyNote_0", "sticky-note", "stickyNote"],
      ],
    );
    assert.deepEqual(nodeOf(flow, "stickyNote_0").config, { text: "Read me" });
    assert.deepEqual(codesOf(findings), ["warning node-left-out"]);
    assert.match(findings[0]?.message ?? "", /: Sums\. /);
    const [start, talk] = flow.nodes;
    assert.ok((start?.position.x ?? 0) < (talk?.position.x ?? 0));
  });

  it("gives ids that native flows do not have another name", async () => {
    const document = classicFlow([
      model,
      memory,
      { ...chain("question", wired), data: { name: "conversationChain", category: "Chains" } },
    ]);
    const { order, text } = await runClassic(document, { script: [{ text: "ok" }] });
    assert.deepEqual([order, text], [["start", "node_question"], "ok"]);
  });

  it("lets the last of several chains answer", async () => {
    const document = classicFlow([
      model,
      memory,
      chain("conversationChain_0", wired),
      chain("conversationChain_1", wired),
    ]);
    const { order } = await runClassic(document, { findings: ["warning node-left-out"] });
    assert.deepEqual(order, ["start", "conversationChain_1"]);
  });

  it("runs flows that edges alone wire, and says so", async () => {
    const edges = [
      { source: "chatOpenAI_0", target: "conversationChain_0", targetHandle: "conversationChain_0-input-model-X" },
      { source: "bufferMemory_0", target: "conversationChain_0", targetHandle: "conversationChain_0-input-memory-X" },
    ];
    const document = { ...classicFlow([model, memory, chain("conversationChain_0")]), edges };
    const { flow } = compileClassic(document);
    assert.deepEqual(nodeOf(flow, "conversationChain_0").config.model, { provider: "openai", model: "m" });
    const { text } = await runClassic(document, { script: [{ text: "ok" }], findings: ["warning input-drawn"] });
    assert.equal(text, "ok");
  });

  it("refuses circles, flows that answer nothing, and flows that are too large", () => {
    const circle = classicFlow([
      chain("conversationChain_0", { model: ref("a_0") }),
      { id: "a_0", inputs: { x: ref("conversationChain_0") } },
    ]);
    assert.deepEqual(codesOf(convertClassic(circle).findings), ["error flow-cyclic", "error ending-missing"]);
    assert.deepEqual(codesOf(convertClassic(classicFlow([model])).findings), ["error ending-missing"]);
    const many = classicFlow(Array.from({ length: 2_001 }, (_, index) => ({ id: `calculator_${index}` })));
    assert.deepEqual(codesOf(convertClassic(many).findings), ["error flow-too-large"]);
  });

  it("says which settings nobody reads", () => {
    const document = classicFlow([
      model,
      memory,
      chain("conversationChain_0", { ...wired, someday: "x", "": "", off: false }),
    ]);
    const { findings } = convertClassic(document);
    assert.deepEqual(codesOf(findings), ["warning settings-ignored"]);
    assert.match(findings[0]?.message ?? "", /here: someday\. /);
  });
});

describe("models of classic flows", () => {
  const convert = (node: ClassicTestNode, ...more: ClassicTestNode[]) => {
    const inputs = { ...wired, model: ref(node.id) };
    const { flow, findings } = convertClassic(
      classicFlow([node, ...more, memory, chain("conversationChain_0", inputs)]),
    );
    return { model: nodeOf(flow, "conversationChain_0").config.model, codes: codesOf(findings), findings };
  };

  it("are those of AgentFlow V2, with the component's own credential", () => {
    const { model: openai, codes } = convert({
      id: "chatOpenAI_0",
      inputs: { modelName: "m", temperature: "0.3", maxTokens: "50", streaming: true, imageResolution: "low" },
      data: { credential: "c-1" },
    });
    assert.deepEqual(openai, { provider: "openai", model: "m", credential: "c-1", temperature: 0.3, maxTokens: 50 });
    assert.deepEqual(codes, []);
    const empty = convert({ id: "chatOllama_0", inputs: { modelName: "m", temperature: "", keepAlive: "5m" } });
    assert.deepEqual([empty.model, empty.codes], [{ provider: "ollama", model: "m" }, []]);
  });

  it("that completed texts chat, with a warning for those that cannot", () => {
    assert.deepEqual(convert({ id: "ollama_0", inputs: { modelName: "llama3" } }).codes, []);
    const instruct = convert({ id: "openAI_0", inputs: { modelName: "gpt-3.5-turbo-instruct" } });
    assert.deepEqual(instruct.codes, ["warning model-completion"]);
    assert.deepEqual(instruct.model, { provider: "openai", model: "gpt-3.5-turbo-instruct" });
  });

  it("say what has no effect, and a cache is left out", () => {
    const inputs = { cache: ref("inMemoryCache_0"), timeout: "5", imageResolution: "high", strictToolCalling: true };
    const { codes, findings } = convert({ id: "chatOpenAI_0", inputs }, { id: "inMemoryCache_0" });
    assert.deepEqual(codes, [
      "warning cache-left-out",
      "warning model-settings-idle",
      "warning model-settings-ignored",
    ]);
    assert.match(findings[1]?.message ?? "", /timeout, imageResolution/);
  });

  it("that cannot be used are refused at the setting that resolves it", () => {
    for (const id of ["replicate_0", "ibmWatsonx_0", "futureModel_0"]) {
      const { codes, findings, model: none } = convert({ id });
      assert.deepEqual([codes, none], [["error model-unsupported"], {}], id);
      assert.deepEqual([findings[0]?.nodeId, findings[0]?.path], ["conversationChain_0", "model"]);
    }
  });
});
