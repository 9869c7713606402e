import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { type ClassicTestNode, classicFlow, ref } from "../testing/classic-file.ts";
import { codesOf } from "../testing/foreign-file.ts";
import { closeSandbox, compileClassic, runClassic } from "../testing/run-classic.ts";

const model: ClassicTestNode = { id: "chatOpenAI_0" };

/** A chain whose prompt has one value. */
function chain(number: number, x: string): ClassicTestNode[] {
  return [
    { id: `promptTemplate_${number}`, inputs: { template: `${number}: {x}`, promptValues: { x } } },
    { id: `llmChain_${number}`, inputs: { model: ref("chatOpenAI_0"), prompt: ref(`promptTemplate_${number}`) } },
  ];
}

const codes = (document: JsonObject) => codesOf(compileClassic(document).findings);

after(closeSandbox);

describe("customFunction", () => {
  const inputs = {
    functionInputVariables: { who: "{{question}}", city: "{{$vars.city}}" },
    javascriptFunction: "return { text: `${$who} from ${$city}, ${$input}`, n: [1] };",
  };

  it("works before the answer, which reads its value or a part of it", async () => {
    const document = classicFlow([
      model,
      { id: "customFunction_0", output: "output", inputs },
      ...chain(0, `${ref("customFunction_0", ".text")} ${ref("customFunction_0", ".n")}`),
    ]);
    const { said } = await runClassic(document, { vars: { city: "Ulm" } });
    assert.deepEqual(said, [["user: 0: hello from Ulm, hello [1]"]]);
  });

  it("answers itself where it ends the flow", async () => {
    const code = { javascriptFunction: "return `Hi ${$input}`;" };
    const document = classicFlow([{ id: "customFunction_0", output: "EndingNode", inputs: code }]);
    assert.equal((await runClassic(document)).text, "Hi hello");
  });

  it("fails the run when its code does", async () => {
    const code = { javascriptFunction: 'throw new Error("no");' };
    const { end } = await runClassic(classicFlow([{ id: "customFunction_0", output: "EndingNode", inputs: code }]));
    assert.equal(end?.type, "run-failed");
  });

  it("is refused with tools, or variables that are no JSON", () => {
    const ending = (more: JsonObject, ...nodes: ClassicTestNode[]) =>
      codes(classicFlow([...nodes, { id: "customFunction_0", output: "EndingNode", inputs: { ...inputs, ...more } }]));
    assert.deepEqual(ending({ tools: [ref("calculator_0")] }, { id: "calculator_0" }), ["error code-tools"]);
    assert.deepEqual(ending({ functionInputVariables: "[" }), ["error function-variables"]);
  });
});

describe("ifElseFunction", () => {
  const decide: ClassicTestNode = {
    id: "ifElseFunction_0",
    inputs: {
      functionInputVariables: { q: "{{question}}" },
      ifFunction: 'if ($q.startsWith("h")) { return { greeting: $q }; }',
      elseFunction: 'return "no " + $q;',
    },
  };
  const document = classicFlow(
    [model, decide, ...chain(0, ref("ifElseFunction_0", ".greeting")), ...chain(1, ref("ifElseFunction_0"))],
    ["ifElseFunction_0:returnTrue>promptTemplate_0", "ifElseFunction_0:returnFalse>promptTemplate_1"],
  );

  it("goes one way or the other, with the value of that side", async () => {
    const yes = await runClassic(document, { script: [{ text: "yes" }] });
    assert.deepEqual([yes.text, yes.said], ["yes", [["user: 0: hello"]]]);
    const no = await runClassic(document, { script: [{ text: "no" }], input: { question: "bye" } });
    assert.deepEqual([no.text, no.said], ["no", [["user: 1: no bye"]]]);
  });

  it("ends a run without an answer where a side leads nowhere", async () => {
    const half = classicFlow(
      [model, decide, ...chain(0, ref("ifElseFunction_0"))],
      ["ifElseFunction_0:returnTrue>promptTemplate_0"],
    );
    const { end, calls } = await runClassic(half, { input: { question: "bye" } });
    assert.equal(end?.type, "run-completed");
    assert.equal(calls.length, 0);
  });
});

describe("variables", () => {
  const set = (input: string, more: JsonObject = {}): ClassicTestNode => ({
    id: "setVariable_0",
    inputs: { input, variableName: "v", ...more },
  });
  const get = (variableName: string): ClassicTestNode => ({ id: "getVariable_0", inputs: { variableName } });

  it("are read after they were set, whatever the edges say", async () => {
    const first = chain(1, "{{question}}").map((node) => ({ ...node, output: "outputPrediction" }));
    const document = classicFlow([
      get("v"),
      model,
      ...chain(0, ref("getVariable_0")),
      set(ref("llmChain_1")),
      ...first,
    ]);
    const { said, text } = await runClassic(document, { script: [{ text: "kept" }, { text: "end" }] });
    assert.deepEqual([said, text], [[["user: 1: hello"], ["user: 0: kept"]], "end"]);
  });

  it("hand their value on, and may be a text", async () => {
    const document = classicFlow([model, set("<{{question}}>"), ...chain(0, ref("setVariable_0"))]);
    assert.deepEqual((await runClassic(document)).said, [["user: 0: <hello>"]]);
  });

  it("that nobody sets, or answers should list, are said", () => {
    assert.deepEqual(codes(classicFlow([model, get("w"), ...chain(0, ref("getVariable_0"))])), [
      "warning variable-unset",
    ]);
    const shown = classicFlow([model, set("a", { showOutput: true }), ...chain(0, ref("setVariable_0"))]);
    assert.deepEqual(codes(shown), ["warning variable-shown"]);
  });
});
