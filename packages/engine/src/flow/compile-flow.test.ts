import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Finding } from "@weft/schema";
import { z } from "zod";
import { defineNode, type NodeRegistry } from "../node-type.ts";
import { templated } from "../template/render-template.ts";
import { compileFlow, whyNotRunnable } from "./compile-flow.ts";
import { parseFlow } from "./parse-flow.ts";

const facts = { version: 1, title: "Step", summary: "A step of a test." };
const execute = async () => ({ type: "completed", output: null }) as const;

const registry: NodeRegistry = {
  start: defineNode({
    ...facts,
    type: "start",
    group: "start",
    config: z.object({ n: z.number().optional() }),
    execute,
  }),
  step: defineNode({
    ...facts,
    type: "step",
    group: "logic",
    config: z.object({
      text: z
        .string()
        .default("")
        .meta({ ...templated }),
      code: z.string().default(""),
      rows: z.array(z.object({ key: z.string(), value: z.string().meta({ ...templated }) })).default([]),
      limits: z.object({ most: z.number().int().max(9) }).optional(),
    }),
    execute,
  }),
  choose: defineNode({
    ...facts,
    type: "choose",
    group: "logic",
    config: z.object({ choices: z.array(z.string()).default(["yes", "no"]) }),
    ports: [{ each: "choices", title: "{id}" }],
    execute,
  }),
  note: defineNode({ ...facts, type: "note", group: "note", ports: [], config: z.object({}) }),
};

type TestNode = { id: string; type: string; parent?: string; config?: object; label?: string };

const start: TestNode = { id: "start", type: "start" };
const step = (id: string, more: Partial<TestNode> = {}): TestNode => ({ id, type: "step", ...more });

/** `a>b`, `a:port>b`. */
function edge(text: string, index: number) {
  const [from = "", target = ""] = text.split(">");
  const [source, sourcePort] = from.split(":");
  return { id: `e${index}`, source, target, ...(sourcePort === undefined ? {} : { sourcePort }) };
}

function compile(nodes: TestNode[], edges: string[] = []) {
  return compileFlow(JSON.stringify({ weft: 1, nodes, edges: edges.map(edge) }), registry);
}

const codes = (findings: readonly Finding[]) => findings.map((finding) => finding.code);

function only(findings: readonly Finding[]): Finding {
  assert.equal(findings.length, 1, JSON.stringify(findings));
  return findings[0] as Finding;
}

describe("compileFlow", () => {
  it("builds the graph of a flow that can run", () => {
    const { graph, findings, usesHistory } = compile(
      [start, step("a"), step("b", { parent: "a" }), { id: "n", type: "note" }],
      ["start>a"],
    );
    assert.deepEqual(findings, []);
    assert.equal(whyNotRunnable(findings), undefined);
    assert.deepEqual([...graph.levels.keys()], ["", "a"]);
    assert.deepEqual(graph.levels.get("")?.nodeIds, ["start", "a"]);
    assert.deepEqual(graph.levels.get("")?.roots, ["start"]);
    assert.deepEqual(graph.levels.get("a")?.roots, ["b"]);
    assert.equal(graph.nodes.get("a")?.label, "Step");
    assert.deepEqual(graph.nodes.get("a")?.config, { text: "", code: "", rows: [] });
    assert.equal(usesHistory, false);
  });

  it("knows whether a text reads the history", () => {
    assert.ok(compile([start, step("a", { config: { text: "{{ chat_history }}" } })], ["start>a"]).usesHistory);
    assert.ok(compile([start, step("a", { config: { text: "{{ $flow.chatHistory }}" } })], ["start>a"]).usesHistory);
    const nodes = [start, step("a", { config: { text: "{{ chat_history }}" } })];
    const read = () => parseFlow(JSON.stringify({ weft: 1, nodes, edges: [edge("start>a", 0)] }));
    assert.ok(
      compileFlow("of another dialect", registry, read).usesHistory,
      "the text does not name it, the flow does",
    );
  });

  it("finds what is no flow at all", () => {
    const texts: Record<string, string> = {
      "": "flow-unparsable",
      "{": "flow-unparsable",
      "[]": "flow-unparsable",
      null: "flow-unparsable",
      '"text"': "flow-unparsable",
      "1": "flow-unparsable",
      "{}": "flow-empty",
      '{"nodes":[]}': "flow-empty",
      '{"nodes":"no"}': "flow-empty",
      '{"nodes":[{"id":"a","data":{}}],"edges":[]}': "flow-dialect-unknown",
    };
    for (const [text, code] of Object.entries(texts)) {
      const { findings, graph } = compileFlow(text, registry);
      assert.equal(only(findings).code, code, text);
      assert.equal(only(findings).level, "error");
      assert.equal(graph.nodes.size, 0);
      assert.ok(whyNotRunnable(findings));
    }
  });

  it("says where a native flow is malformed", () => {
    const texts: Record<string, string> = {
      '{"weft":2,"nodes":[],"edges":[]}': "weft",
      '{"weft":1,"edges":[]}': "nodes",
      '{"weft":1,"nodes":[{"id":"a b","type":"step"}],"edges":[]}': "nodes.0.id",
      '{"weft":1,"nodes":[{"id":"a"}],"edges":[]}': "nodes.0.type",
      '{"weft":1,"nodes":[{"id":"a","type":"step","config":[]}],"edges":[]}': "nodes.0.config",
      '{"weft":1,"nodes":[],"edges":[{"id":"e","source":"a"}]}': "edges.0.target",
    };
    for (const [text, path] of Object.entries(texts)) {
      const finding = only(compileFlow(text, registry).findings);
      assert.equal(finding.code, "flow-malformed");
      assert.equal(finding.path, path);
      assert.ok(finding.message.includes(path));
    }
  });

  it("never throws, however deeply a flow is nested", () => {
    for (const depth of [300, 3_000, 100_000]) {
      const nested = `${"[".repeat(depth)}${"]".repeat(depth)}`;
      const text = `{"weft":1,"nodes":[{"id":"start","type":"start","config":{"x":${nested}}}],"edges":[]}`;
      assert.equal(only(compileFlow(text, registry).findings).code, "flow-malformed");
      assert.ok(only(compileFlow(`{"nodes":[${nested}]}`, registry).findings));
    }
  });

  it("reports at most twenty faults of the format", () => {
    const nodes = Array.from({ length: 50 }, () => ({ id: "" }));
    assert.equal(compileFlow(JSON.stringify({ weft: 1, nodes, edges: [] }), registry).findings.length, 20);
  });

  it("names the types it knows when it does not know one", () => {
    for (const type of ["teleport", "constructor", "__proto__"]) {
      const finding = only(compile([start, { id: "x", type, label: "My step" }], ["start>x"]).findings);
      assert.equal(finding.code, "node-type-unknown");
      assert.equal(finding.nodeId, "x");
      assert.match(finding.message, /^Node "My step": .*start, step, choose, note\.$/);
    }
  });

  it("says which config field of which node is wrong", () => {
    const { findings } = compile([start, step("a", { config: { text: 1, limits: { most: 10 } } })], ["start>a"]);
    assert.deepEqual(codes(findings), ["node-config-invalid", "node-config-invalid"]);
    assert.deepEqual(
      findings.map(({ nodeId, path }) => [nodeId, path]),
      [
        ["a", "text"],
        ["a", "limits.most"],
      ],
    );
    assert.match(findings[1]?.message ?? "", /^Node "a": limits\.most: /);
  });

  it("finds ids that are used twice", () => {
    assert.equal(only(compile([start, step("a"), step("a")], ["start>a"]).findings).code, "node-id-duplicate");
    const twice = { id: "e", source: "start", target: "a" };
    const edges = [twice, { ...twice, target: "b" }];
    const text = JSON.stringify({ weft: 1, nodes: [start, step("a"), step("b")], edges });
    assert.equal(only(compileFlow(text, registry).findings).code, "edge-id-duplicate");
  });

  it("finds edges that lead nowhere, from no port, or across levels", () => {
    assert.equal(only(compile([start], ["start>gone"]).findings).code, "edge-dangling");
    assert.deepEqual(codes(compile([start, step("a")], ["gone>a"]).findings), ["edge-dangling"]);
    const port = only(
      compile([start, { id: "c", type: "choose" }, step("a")], ["start>c", "c:maybe>a"]).findings.slice(0, 1),
    );
    assert.equal(port.code, "port-unknown");
    assert.match(port.message, /"maybe".*: yes, no, error\./);
    const crossing = compile([start, step("a"), step("b", { parent: "a" })], ["start>a", "a>b"]).findings;
    assert.equal(only(crossing).code, "edge-crosses-levels");
    assert.deepEqual(compile([start, { id: "c", type: "choose" }, step("a")], ["start>c", "c:error>a"]).findings, []);
  });

  it("finds a sub-flow without its node", () => {
    const finding = only(compile([start, step("a", { parent: "gone" })]).findings);
    assert.deepEqual([finding.code, finding.level, finding.nodeId], ["parent-unknown", "error", "a"]);
  });

  it("wants exactly one start node", () => {
    assert.deepEqual(codes(compile([step("a")]).findings), ["start-missing", "node-unreachable"]);
    assert.deepEqual(codes(compile([]).findings), ["start-missing"]);
    const second = only(compile([start, { id: "start2", type: "start" }]).findings);
    assert.deepEqual([second.code, second.nodeId], ["start-multiple", "start2"]);
    const invalid = only(compile([{ ...start, config: { n: "one" } }]).findings);
    assert.equal(invalid.code, "node-config-invalid");
    assert.deepEqual(codes(compile([step("a"), { id: "s", type: "start", parent: "a" }]).findings), [
      "start-missing",
      "node-unreachable",
    ]);
  });

  it("names a node on a cycle, not one behind it", () => {
    const nodes = [step("behind"), start, step("before"), step("a"), step("b")];
    const { findings } = compile(nodes, ["start>before", "before>a", "a>b", "b>a", "b>behind"]);
    const finding = only(findings);
    assert.equal(finding.code, "flow-cyclic");
    assert.ok(["a", "b"].includes(finding.nodeId ?? ""));
    assert.equal(only(compile([start, step("a")], ["start>a", "a>a"]).findings).nodeId, "a");
    const below = [start, step("a"), step("b", { parent: "a" }), step("c", { parent: "a" })];
    assert.equal(only(compile(below, ["start>a", "b>c", "c>b"]).findings).code, "flow-cyclic");
  });

  it("warns of a node that nothing leads to, and lets the flow run", () => {
    const { findings } = compile([start, step("a"), step("b"), { id: "n", type: "note" }], ["start>a"]);
    const finding = only(findings);
    assert.deepEqual([finding.code, finding.level, finding.nodeId], ["node-unreachable", "warning", "b"]);
    assert.equal(whyNotRunnable(findings), undefined);
  });

  it("finds references to nothing, in templated fields alone", () => {
    const config = {
      text: "{{ question }} {{ a.output.x }} {{ $flow.state.y }} {{ typo }}",
      code: "{{ typo }}",
      rows: [
        { key: "{{ typo }}", value: "{{ b }}" },
        { key: "k", value: "{{ __proto__ }}" },
      ],
    };
    const { findings } = compile([start, step("a"), step("b", { config })], ["start>a", "a>b"]);
    assert.deepEqual(codes(findings), ["template-unknown", "template-unknown"]);
    assert.deepEqual(
      findings.map(({ nodeId, path }) => [nodeId, path]),
      [
        ["b", "text"],
        ["b", "rows.1.value"],
      ],
    );
    assert.match(findings[0]?.message ?? "", /\{\{ typo \}\}/);
  });

  it("tells of at most five errors as one sentence", () => {
    const nodes = Array.from({ length: 9 }, (_, index) => ({ id: `x${index}`, type: "teleport" }));
    const { findings } = compile([start, ...nodes]);
    assert.equal(findings.length, 9);
    assert.equal(whyNotRunnable(findings)?.match(/Node "/g)?.length, 5);
  });

  it("compiles the largest flows: a chain, many edges, many levels", () => {
    const ids = Array.from({ length: 1_999 }, (_, index) => `n${index}`);
    const chain = ids.map((id, index) => `${index === 0 ? "start" : ids[index - 1]}>${id}`);
    const more = ids.flatMap((id, index) =>
      [2, 3, 5, 7].flatMap((step) => (index + step < ids.length ? [`${id}>${ids[index + step]}`] : [])),
    );
    const wide = compile(
      [start, ...ids.map((id) => step(id, { config: { text: "{{ question }}" } }))],
      [...chain, ...more],
    );
    assert.deepEqual(wide.findings, []);
    const nested = compile(
      [start, ...ids.map((id, index) => step(id, index === 0 ? {} : { parent: ids[index - 1] ?? "" }))],
      ["start>n0"],
    );
    assert.deepEqual(nested.findings, []);
    assert.equal(nested.graph.levels.size, 1_999);
    const cyclic = compile([start, ...ids.map((id) => step(id))], [...chain, "n1998>n0"]);
    assert.equal(only(cyclic.findings).code, "flow-cyclic");
  });
});
