import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { rewriteReferences } from "./references.ts";

function rewrite(text: string, ownOutput = false) {
  const unknown: string[] = [];
  const nodes = new Map([
    ["llm_0", { id: "llm_0", toOutputPath: (path: readonly string[]) => path }],
    ["my step", { id: "node_my_step", toOutputPath: (path: readonly string[]) => ["data", ...path] }],
  ]);
  return { text: rewriteReferences(text, { nodes, ownOutput, onUnknown: (source) => unknown.push(source) }), unknown };
}

describe("rewriteReferences", () => {
  it("keeps references that native texts know, and rewrites those to nodes", () => {
    const texts: [string, string][] = [
      ["{{question}} {{ $flow.state.a }}", "{{ question }} {{ $flow.state.a }}"],
      ['{{ $vars["a-b"].c[0] }}', "{{ $vars.a-b.c.0 }}"],
      ["{{ llm_0 }} {{llm_0.output.a[1].b}}", "{{ llm_0 }} {{ llm_0.output.a.1.b }}"],
      ["{{ my step }} {{ my step.output.x }}", "{{ node_my_step }} {{ node_my_step.output.data.x }}"],
      ["no {reference} {{ 1 + 1 }} {{}} {{ a b }}", "no {reference} {{ 1 + 1 }} {{}} {{ a b }}"],
    ];
    for (const [text, native] of texts) assert.deepEqual(rewrite(text), { text: native, unknown: [] }, text);
  });

  it("keeps the words of a reference to nothing", () => {
    assert.deepEqual(rewrite("Dear {{name}}, {{ llm_9.output.x }}"), {
      text: "Dear {{ $openBraces }}name}}, {{ $openBraces }} llm_9.output.x }}",
      unknown: ["{{name}}", "{{ llm_9.output.x }}"],
    });
  });

  it("knows the node's own output in state updates alone", () => {
    assert.deepEqual(rewrite("{{ output.a }}", true), { text: "{{ output.a }}", unknown: [] });
    assert.deepEqual(rewrite("{{ output }}"), { text: "{{ $openBraces }} output }}", unknown: ["{{ output }}"] });
  });
});
