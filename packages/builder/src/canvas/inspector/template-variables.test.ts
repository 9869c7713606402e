import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "@weft/schema";
import { openReference, templateReferences } from "../../forms/code/template-extension.ts";
import { sampleOf, stepsBefore, templateVariables } from "./template-variables.ts";

const schemas = {
  begin: {
    type: "object",
    properties: {
      state: { type: "object", provides: "$flow.state" },
      form: {
        type: "object",
        properties: { fields: { type: "array", items: { type: "object", properties: {} }, provides: "$form" } },
      },
    },
  },
  think: { type: "object", properties: { answer: { anyOf: [], provides: "output" } } },
};
const node = (id: string, type: string, config: object = {}, parent?: string) => ({
  id,
  type,
  label: id.toUpperCase(),
  config: config as never,
  ...(parent === undefined ? {} : { parent }),
});
const flow = {
  nodes: [
    node("start", "begin", { state: { count: 1, "two words": 2 }, form: { fields: [{ name: "city" }, { name: "" }] } }),
    node("a", "think", { answer: [{ name: "title" }] }),
    node("b", "think", { answer: { type: "object", properties: { score: {} } } }),
    node("each", "unknown"),
    node("inside", "think", {}, "each"),
    node("after", "think"),
  ],
  edges: [
    { source: "start", target: "a" },
    { source: "a", target: "b" },
    { source: "b", target: "each" },
    { source: "each", target: "after" },
    { source: "after", target: "a" },
  ],
  schemas,
  variables: ["company"],
};
const paths = (id: string) => templateVariables(flow, id).map(({ path }) => path);

test("a step's templates know what was provided and answered before it", () => {
  const known = paths("b");
  for (const path of ["question", "$form.city", "$flow.state.count", "a", "a.output.title", "$vars.company", "start"]) {
    assert.ok(known.includes(path), path);
  }
  assert.ok(!known.includes("$flow.state.two words"));
  assert.ok(!known.includes("b"));
  assert.ok(!known.includes("$iteration"));
});

test("a step inside of another knows the item and what came before the other", () => {
  const known = paths("inside");
  assert.ok(known.includes("$iteration"));
  assert.ok(known.includes("b.output.score"));
});

test("the steps before come nearest first, and a circle ends", () => {
  assert.deepEqual(
    stepsBefore(flow, "each").map(({ id }) => id),
    ["b", "a", "start", "after"],
  );
  assert.deepEqual(stepsBefore(flow, "start"), []);
});

test("a reference to a step stands for its answer, or for a part of what it gave", () => {
  const outputs: Record<string, { output: Json }> = {
    agent: { output: { content: "Sunny", city: "Berlin", days: [1, 2] } },
    http: { output: { status: 200 } },
    long: { output: { content: "x".repeat(500) } },
  };
  const sample = (path: string) => sampleOf(path, (id) => outputs[id]);
  assert.equal(sample("agent"), "Sunny");
  assert.equal(sample("agent.output.city"), "Berlin");
  assert.equal(sample("agent.output.days"), "[1,2]");
  assert.equal(sample("http"), '{"status":200}');
  assert.equal(sample("long")?.length, 200);
  for (const path of ["gone", "agent.output.gone", "agent.output.constructor", "$vars.x", ""])
    assert.equal(sample(path), undefined, path);
});

test("references are found where the engine finds them", () => {
  assert.deepEqual(
    templateReferences("Hi {{ question }}, {{a.output.x[0]}} {{ two words }} {{}} {{{ $vars.x }}}").map((one) => [
      one.path,
      one.root,
    ]),
    [
      ["question", "question"],
      ["a.output.x[0]", "a"],
      ["$vars.x", "$vars"],
    ],
  );
});

test("a reference is open from its braces on until it is closed", () => {
  assert.deepEqual(openReference("a {{ que", 8), { from: 2, typed: "que" });
  assert.deepEqual(openReference("{{", 2), { from: 0, typed: "" });
  assert.equal(openReference("{{ a }} b", 9), undefined);
  assert.equal(openReference("plain", 5), undefined);
});
