import assert from "node:assert/strict";
import { test } from "node:test";
import { createLabelBound, createRegistry } from "./registry.ts";

test("a counter without labels is there from the start; one with labels when it is counted", () => {
  const registry = createRegistry();
  const plain = registry.counter({ name: "a_total", help: "A." });
  const labelled = registry.counter({ name: "b_total", help: "B.", labels: ["state", "agent"] });
  const named = "# HELP b_total B.\n# TYPE b_total counter\n";
  assert.equal(registry.write(), `# HELP a_total A.\n# TYPE a_total counter\na_total 0\n${named}`);
  plain.add(2);
  plain.add(0.5);
  labelled.add(1, "failed", "x");
  labelled.add(1, "failed", "x");
  assert.equal(
    registry.write(),
    `# HELP a_total A.\n# TYPE a_total counter\na_total 2.5\n${named}b_total{state="failed",agent="x"} 2\n`,
  );
});

test("a histogram's buckets are cumulative, and their bounds included", () => {
  const registry = createRegistry();
  const seconds = registry.histogram({ name: "h_seconds", help: "H.", labels: ["type"], buckets: [0.1, 1] });
  for (const value of [0.1, 0.11, 1, 7]) seconds.observe(value, "llm");
  assert.deepEqual(registry.write().split("\n").slice(2, -1), [
    'h_seconds_bucket{type="llm",le="0.1"} 1',
    'h_seconds_bucket{type="llm",le="1"} 3',
    'h_seconds_bucket{type="llm",le="+Inf"} 4',
    'h_seconds_sum{type="llm"} 8.21',
    'h_seconds_count{type="llm"} 4',
  ]);
});

test("a gauge is read at each scrape, and only named while it has no reading", () => {
  const registry = createRegistry();
  let readings: { value: number; labels?: string[] }[] = [];
  registry.gauge({ name: "g", help: "G.", labels: ["state"], read: () => readings });
  assert.equal(registry.write(), "# HELP g G.\n# TYPE g gauge\n");
  readings = [
    { value: Number.NaN, labels: ["idle"] },
    { value: Number.POSITIVE_INFINITY, labels: ["active"] },
  ];
  assert.deepEqual(registry.write().split("\n").slice(2, -1), ['g{state="idle"} NaN', 'g{state="active"} +Inf']);
});

test("values of labels and helps cannot break out of their place", () => {
  const registry = createRegistry();
  const counter = registry.counter({ name: "e_total", help: "a\\b\nc", labels: ["value"] });
  counter.add(1, 'x"} 1\nevil_total{y="\\');
  counter.add(1, "\ud800");
  assert.deepEqual(registry.write().split("\n"), [
    "# HELP e_total a\\\\b\\nc",
    "# TYPE e_total counter",
    'e_total{value="x\\"} 1\\nevil_total{y=\\"\\\\"} 1',
    'e_total{value="\ufffd"} 1',
    "",
  ]);
});

test("two metrics of one name are a mistake", () => {
  const registry = createRegistry();
  registry.counter({ name: "a_total", help: "A." });
  assert.throws(() => registry.gauge({ name: "a_total", help: "A.", read: () => [] }), /a_total/);
});

test("a label has a bounded number of values", () => {
  const bound = createLabelBound(2);
  assert.deepEqual(["a", "b", "a", "c", "d", "b"].map(bound), ["a", "b", "a", "other", "other", "b"]);
});
