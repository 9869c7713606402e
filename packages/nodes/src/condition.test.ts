import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { compileFlow } from "@weft/engine";
import { createSandbox } from "@weft/sandbox";
import type { Json } from "@weft/schema";
import { nodeRegistry } from "./registry.ts";
import { flowOf, say, stepsOf } from "./testing/flow-of.ts";
import { runFlow } from "./testing/run-flow.ts";

const sandbox = createSandbox({ workers: 1 });
after(() => sandbox.close());

const branch = (id: string, conditions: object[], match = "all") => ({ id, match, conditions });
const isTrue = { type: "boolean", left: "true", right: true };
const isFalse = { type: "boolean", left: "false", right: true };

/** Which of `yes` and `else` is taken for a value, and what the run warns of. */
async function decide(type: string, operation: string, [left, right]: readonly [Json, Json?]) {
  const conditions = [{ type, operation, left: "{{ $form.left }}", right: "{{ $form.right }}" }];
  const flow = flowOf({ c: { type: "condition", config: { branches: [branch("yes", conditions)] } } }, "start>c");
  const run = await runFlow(flow, { input: { form: { left, right: right ?? "" } }, services: { sandbox } });
  assert.equal(run.outcome, "completed", JSON.stringify(run.error));
  return { branch: (run.outputOf("c") as { branch: string }).branch, warnings: run.warnings };
}

type Case = readonly [operation: string, left: Json, right: Json, holds: boolean];

const cases: Record<string, readonly Case[]> = {
  string: [
    ["equal", "a", "a", true],
    ["equal", "a", "a ", false],
    ["equal", "a", "A", false],
    ["equal", "- a", "a", false],
    ["equal", 2, "2", true],
    ["equal", true, "true", true],
    ["equal", { a: 1 }, '{"a":1}', true],
    ["not-equal", "a", "b", true],
    ["not-equal", "a", "a", false],
    ["contains", "hello world", "lo w", true],
    ["contains", "hello", "x", false],
    ["contains", "hello", "", true],
    ["not-contains", "hello", "x", true],
    ["not-contains", "hello", "ell", false],
    ["starts-with", "hello", "he", true],
    ["starts-with", "hello", "lo", false],
    ["ends-with", "hello", "lo", true],
    ["ends-with", "hello", "he", false],
    ["matches", "order 66", "^order \\d+$", true],
    ["matches", "order x", "^order \\d+$", false],
    ["is-empty", "", "", true],
    ["is-empty", null, "", true],
    ["is-empty", " ", "", false],
    ["is-not-empty", "a", "", true],
    ["is-not-empty", "", "", false],
  ],
  number: [
    ["equal", 2, 2, true],
    ["equal", " 2.0 ", "2", true],
    ["equal", 2, 3, false],
    ["not-equal", 2, 3, true],
    ["not-equal", "2", 2, false],
    ["smaller", 1, "2", true],
    ["smaller", 10, "9", false],
    ["smaller-or-equal", 2, 2, true],
    ["smaller-or-equal", 3, 2, false],
    ["larger", "10", 9, true],
    ["larger", 2, 2, false],
    ["larger-or-equal", 2, 2, true],
    ["larger-or-equal", -1e3, "-999", false],
    ["is-empty", "", 0, true],
    ["is-empty", null, 0, true],
    ["is-empty", 0, 0, false],
    ["is-not-empty", 0, 0, true],
    ["is-not-empty", "", 0, false],
  ],
  boolean: [
    ["equal", true, true, true],
    ["equal", "True", true, true],
    ["equal", " false", "false", true],
    ["equal", false, true, false],
    ["not-equal", "true", false, true],
    ["not-equal", true, true, false],
  ],
  array: [
    ["contains", ["a", "b"], "b", true],
    ["contains", [1, 2], "2", true],
    ["contains", '["a"]', "a", true],
    ["contains", ["ab"], "a", false],
    ["contains", [{ a: 1 }], '{"a":1}', true],
    ["not-contains", ["a"], "b", true],
    ["not-contains", ["a"], "a", false],
    ["is-empty", [], "", true],
    ["is-empty", "", "", true],
    ["is-empty", "[]", "", true],
    ["is-empty", [0], "", false],
    ["is-not-empty", [null], "", true],
    ["is-not-empty", null, "", false],
  ],
  object: [
    ["contains", { a: null }, "a", true],
    ["contains", '{"a":1}', "b", false],
    ["contains", {}, "toString", false],
    ["not-contains", { a: 1 }, "b", true],
    ["is-empty", {}, "", true],
    ["is-empty", "", "", true],
    ["is-not-empty", { a: 1 }, "", true],
    ["is-not-empty", {}, "", false],
  ],
};

const incomparable: readonly (readonly [type: string, operation: string, left: Json, right: Json])[] = [
  ["number", "equal", "", 0],
  ["number", "equal", "abc", 0],
  ["number", "not-equal", "abc", 0],
  ["number", "smaller", "12 apples", 20],
  ["number", "larger", 1, "many"],
  ["number", "equal", true, 1],
  ["number", "equal", [], 0],
  ["number", "larger", "Infinity", 1],
  ["boolean", "equal", "", false],
  ["boolean", "not-equal", "maybe", true],
  ["boolean", "equal", 1, true],
  ["array", "contains", "a, b", "a"],
  ["array", "not-contains", { a: 1 }, "a"],
  ["array", "is-empty", "{", ""],
  ["object", "contains", ["a"], "a"],
  ["object", "not-contains", 1, "a"],
  ["string", "matches", "a", "("],
  ["string", "matches", `${"a".repeat(60)}b`, "^(a+)+$"],
];

describe("condition", () => {
  for (const [type, list] of Object.entries(cases)) {
    it(`compares as ${type}`, async () => {
      for (const [operation, left, right, holds] of list) {
        const { branch: taken, warnings } = await decide(type, operation, [left, right]);
        const label = `${JSON.stringify(left)} ${operation} ${JSON.stringify(right)}`;
        assert.equal(taken, holds ? "yes" : "else", label);
        assert.deepEqual(warnings, [], label);
      }
    });
  }

  it("takes nothing that cannot be compared for true, and warns", async () => {
    for (const [type, operation, left, right] of incomparable) {
      const { branch: taken, warnings } = await decide(type, operation, [left, right]);
      const label = `${JSON.stringify(left)} ${operation} ${JSON.stringify(right)}`;
      assert.equal(taken, "else", label);
      assert.equal(warnings.length, 1, label);
      assert.match(warnings[0] ?? "", /^c: .*, so the condition does not hold\.$/, label);
    }
  });

  it("takes the first branch that holds, and looks at no condition more than it needs", async () => {
    const unread = { type: "string", left: "{{ $vars.gone }}", operation: "is-empty" };
    const branches = [
      branch("none", [isTrue, isFalse, unread]),
      branch("some", [isFalse, isTrue, unread], "any"),
      branch("later", [isTrue]),
    ];
    const flow = flowOf(
      { c: { type: "condition", config: { branches } }, a: say("a"), b: say("b"), d: say("d"), e: say("e") },
      "start>c c:none>a c:some>b c:later>d c:else>e",
    );
    const run = await runFlow(flow);
    assert.equal(run.text, "b");
    assert.equal(stepsOf(run.events), "start c b");
    assert.deepEqual(run.warnings, []);
  });

  it("goes on at else when no branch holds, and when there is none", async () => {
    for (const branches of [[branch("a", [isFalse]), branch("b", [isFalse, isFalse], "any")], []]) {
      const nodes = { c: { type: "condition", config: { branches } }, no: say("{{ c }}"), join: say("end") };
      const run = await runFlow(flowOf(nodes, "start>c c:else>no no>join"));
      assert.equal(stepsOf(run.events), "start c no join");
      assert.deepEqual(run.outputOf("no"), { content: "else" });
    }
  });

  it("joins its branches, and one of them with a path that is always taken", async () => {
    const nodes = {
      c: { type: "condition", config: { branches: [branch("yes", [isTrue])] } },
      a: say("a"),
      b: say("b"),
      b2: say("b2"),
      side: say("side"),
      join: say("{{ a }}{{ side }}"),
      end: say("end"),
    };
    const edges = "start>c start>side c:yes>a c:else>b b>b2 a>join b2>join side>join c:else>end join>end";
    const run = await runFlow(flowOf(nodes, edges));
    assert.equal(stepsOf(run.events), "start c side a join end");
    assert.deepEqual(run.outputOf("join"), { content: "aside" });
  });

  it("delivers once where two of its ports lead to the same step", async () => {
    const nodes = { c: { type: "condition", config: { branches: [branch("yes", [isTrue])] } }, a: say("a") };
    const run = await runFlow(flowOf(nodes, "start>c c:yes>a c:else>a"));
    assert.equal(stepsOf(run.events), "start c a");
  });

  it("ends where nothing is connected to its branch, and tells so", async () => {
    const branches = [{ ...branch("yes", [isFalse]), title: "Wanted" }];
    const nodes = { c: { type: "condition", config: { branches } }, a: say("a") };
    const run = await runFlow(flowOf(nodes, "start>c c:yes>a"));
    assert.equal(run.outcome, "completed");
    assert.equal(run.text, "");
    assert.deepEqual(run.warnings, ['c: nothing is connected to "Else", so this branch ends here.']);
  });

  it("fails as the sandbox does when there is none to try a pattern in", async () => {
    const conditions = [{ type: "string", left: "a", operation: "matches", right: "a" }];
    const nodes = {
      c: { type: "condition", config: { branches: [branch("yes", conditions)] } },
      caught: say("{{ c.output.error.code }}"),
    };
    const run = await runFlow(flowOf(nodes, "start>c c:error>caught"));
    assert.equal(run.text, "tool-invalid");
  });

  it("refuses branches that cannot be told apart, and operations that its type has not", () => {
    const wrong: [config: object, path: string][] = [
      [{ branches: [branch("a", [isTrue]), branch("a", [isTrue])] }, "branches"],
      [{ branches: [branch("else", [isTrue])] }, "branches.0.id"],
      [{ branches: [branch("error", [isTrue])] }, "branches.0.id"],
      [{ branches: [branch("a b", [isTrue])] }, "branches.0.id"],
      [{ branches: [branch("a", [])] }, "branches.0.conditions"],
      [{ branches: [branch("a", [{ ...isTrue, operation: "larger" }])] }, "branches.0.conditions.0.operation"],
      [{ branches: [branch("a", [{ ...isTrue, type: "date" }])] }, "branches.0.conditions.0.type"],
      [{ branches: [branch("a", [{ ...isTrue, wrong: 1 }])] }, "branches.0.conditions.0"],
    ];
    for (const [config, path] of wrong) {
      const { findings } = compileFlow(flowOf({ c: { type: "condition", config } }, "start>c"), nodeRegistry);
      assert.deepEqual(
        findings.map((finding) => [finding.code, finding.path]),
        [["node-config-invalid", path]],
      );
    }
  });

  it("finds references to nothing in its conditions, each once", () => {
    const conditions = [
      { type: "string", left: "{{ typo }}" },
      { type: "number", left: 1, operation: "larger", right: "{{ typo }}" },
    ];
    const config = { branches: [branch("a", conditions)] };
    const { findings } = compileFlow(flowOf({ c: { type: "condition", config } }, "start>c"), nodeRegistry);
    assert.deepEqual(
      findings.map((finding) => [finding.code, finding.path]),
      [
        ["template-unknown", "branches.0.conditions.0.left"],
        ["template-unknown", "branches.0.conditions.1.right"],
      ],
    );
  });
});
