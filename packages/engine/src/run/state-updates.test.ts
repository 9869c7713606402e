import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json, JsonObject } from "@weft/schema";
import { compileFlow } from "../flow/compile-flow.ts";
import type { NodeResult } from "../node-type.ts";
import { type Behaviours, completed, createTestProcess, testFlow, testRegistry } from "../testing/test-process.ts";

/** The flow's state after a step that updates it, and what the run warned of. */
async function update(updateState: { key: string; value: string; how?: "append" }[], result: NodeResult) {
  const process = createTestProcess({
    flow: testFlow("start>a a>b", { a: { updateState } }),
    behaviours: {
      start: () => completed("started", { state: { kept: 1, replaced: "old" } }),
      a: () => result,
    },
  });
  const run = process.start();
  assert.equal(await run.done, "completed");
  const warnings = process.events().flatMap((event) => (event.type === "run-warned" ? [event.message] : []));
  return { state: run.state.flowState, warnings };
}

async function updated(value: string, result: NodeResult): Promise<Json | undefined> {
  return (await update([{ key: "x", value }], result)).state.x;
}

describe("state updates", () => {
  it("replace what they name and leave the rest", async () => {
    const updates = [
      { key: "replaced", value: "{{ $flow.state.replaced }} and new" },
      { key: "added", value: "{{ question }}" },
    ];
    const { state, warnings } = await update(updates, completed("x"));
    assert.deepEqual(state, { kept: 1, replaced: "old and new", added: "hello" });
    assert.deepEqual(warnings, []);
  });

  it("read the step's own output, with its type", async () => {
    const data = completed({ a: { b: [1, 2] }, content: "said" }, { text: "said" });
    const values: [value: string, result: NodeResult, expected: Json][] = [
      ["{{ output }}", completed("words"), "words"],
      ["{{ output }}", completed([1, 2]), [1, 2]],
      ["{{ output }}", data, "said"],
      ["{{ output.content }}", data, "said"],
      ["{{ output.a.b }}", data, [1, 2]],
      ["{{ output.a.b[1] }}", data, 2],
      ["{{ output.output.a.b[0] }}", data, 1],
      ["{{ output[1] }}", completed(["x", "y"]), "y"],
      ["it was {{ output }}, {{ output.a.b }}", data, "it was said, [1,2]"],
      ["{{ output.city }}", completed({ content: "" }, { text: '{"city": "Ulm"}' }), "Ulm"],
      ["{{ output.city }}", completed('{"city": "Ulm"}'), "Ulm"],
      ["{{ output.city }}", completed({ city: "no" }, { text: "", json: { city: "Ulm" } }), "Ulm"],
      ["{{ output[0].city }}", completed({ city: "no" }, { json: [{ city: "Ulm" }] }), "Ulm"],
      ["", data, ""],
    ];
    for (const [value, result, expected] of values) assert.deepEqual(await updated(value, result), expected, value);
  });

  it("add to a list, whatever was there before", async () => {
    const append = (key: string, value: string) => ({ key, value, how: "append" as const });
    const updates = [
      append("added", "{{ output }}"),
      append("added", "{{ question }}"),
      append("added", ""),
      append("replaced", "new"),
      append("kept", "{{ output }}"),
    ];
    const { state } = await update(updates, completed([{ a: 1 }, 2]));
    assert.deepEqual(state, {
      added: [{ a: 1 }, 2, "hello"],
      replaced: ["old", "new"],
      kept: [1, { a: 1 }, 2],
    });
    const { state: patched } = await update([append("x", "second")], completed("x", { state: { x: ["first"] } }));
    assert.deepEqual(patched.x, ["first", "second"]);
  });

  it("never read a value as a template again", async () => {
    assert.equal(await updated("{{ output }}", completed("{{ question }}")), "{{ question }}");
    const { state } = await update(
      [
        { key: "x", value: "{{ output }}" },
        { key: "y", value: "{{ $flow.state.x }}" },
      ],
      completed("new"),
    );
    assert.deepEqual([state.x, state.y], ["new", ""]);
  });

  it("come on top of what the step itself gives the state", async () => {
    const { state } = await update(
      [{ key: "mine", value: "config" }],
      completed("x", { state: { mine: "step", other: 2 } }),
    );
    assert.deepEqual(state, { kept: 1, replaced: "old", mine: "config", other: 2 });
  });

  it("warn of a part that is not there, and leave it empty", async () => {
    const { state, warnings } = await update([{ key: "x", value: "[{{ output.gone }}]" }], completed({ a: 1 }));
    assert.equal(state.x, "[]");
    assert.match(warnings[0] ?? "", /^a: \{\{ output\.gone \}\} has no value/);
    for (const path of ["__proto__", "constructor", "toString"]) {
      assert.equal(
        (await update([{ key: "x", value: `{{ output.${path} }}` }], completed({ a: 1 }))).state.x,
        "",
        path,
      );
      const json = completed("", { text: '{"__proto__": {"x": 1}}' });
      assert.equal(await updated("{{ output.x }}", json), "", path);
    }
  });

  it("are made by whatever way a step is left, and not when it fails", async () => {
    const behaviours: Behaviours = {
      a: () => ({ type: "branch", ports: ["left"], output: "took left" }),
      b: (context) => (context.jumps < 2 ? { type: "jump", to: "a", output: context.jumps } : completed("through")),
      c: () => ({ type: "failed", error: { code: "flow-node-failed", message: "no", retryable: false } }),
    };
    const updateState = (key: string, value: string) => ({ updateState: [{ key, value }] });
    const process = createTestProcess({
      flow: testFlow("start>a a:left>b b>c c:error>d", {
        a: updateState("a", "{{ output }}"),
        b: updateState("b", "{{ $flow.state.b }}{{ output }}"),
        c: updateState("c", "{{ output }}"),
      }),
      behaviours,
    });
    const run = process.start();
    assert.equal(await run.done, "completed");
    assert.deepEqual(run.state.flowState, { a: "took left", b: "01through" });
  });

  it("are found when they name state that nobody declares, and when they read nothing", () => {
    const findings = (config: JsonObject) => {
      const compiled = compileFlow(testFlow("start>a", { a: config }), testRegistry({}));
      return compiled.findings.map(({ level, code, path }) => [level, code, path]);
    };
    assert.deepEqual(findings({ updateState: [{ key: "x", value: "{{ output }}" }] }), [
      ["warning", "state-undeclared", "updateState.0.key"],
    ]);
    assert.deepEqual(findings({ updateState: [{ key: "x", value: "{{ typo }}" }] }).at(0), [
      "error",
      "template-unknown",
      "updateState.0.value",
    ]);
    assert.deepEqual(findings({ text: "{{ output }}" }), [["error", "template-unknown", "text"]]);
    for (const wrong of [{ key: "", value: "" }, { key: "__proto__" }, { key: 1 }, { key: "a", vlaue: "" }, "a"]) {
      assert.equal(findings({ updateState: [wrong] } as JsonObject)[0]?.[1], "node-config-invalid");
    }
  });
});
