import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fillIn, settle } from "@weft/dialects";
import type { ImportedFlow } from "@weft/dialects/importer";
import { createFlowDrawing, exitOf } from "./flow-drawing.ts";

describe("a flow drawing", () => {
  it("gives nodes ids that templates can name, each once, and connects each pair once", () => {
    const drawing = createFlowDrawing();
    const start = drawing.add({ type: "start", id: "$flow" });
    const ids = ["a b", "a_b", "1", "question", "__proto__"].map((id) =>
      drawing.add({ type: "llm", id }, exitOf(start)),
    );
    drawing.connect(exitOf(start), ids[0] ?? "");
    assert.deepEqual(ids, ["a_b", "a_b_2", "node_1", "node_question", "node___proto__"]);
    const { flow } = drawing.finish("x");
    assert.equal(flow.edges.length, ids.length);
    assert.equal(new Set(flow.edges.map(({ id }) => id)).size, ids.length);
  });

  it("lays steps out from left to right, and an iteration around its own", () => {
    const drawing = createFlowDrawing();
    const start = drawing.add({ type: "start", id: "start" });
    const each = drawing.add({ type: "iteration", id: "each" }, exitOf(start));
    const first = drawing.add({ type: "llm", id: "first", parent: each });
    const second = drawing.add({ type: "llm", id: "second", parent: each }, exitOf(first));
    const last = drawing.add({ type: "direct-reply", id: "last" }, exitOf(each));
    const { flow } = drawing.finish("x");
    const at = (id: string) => flow.nodes.find((node) => node.id === id);
    const x = (id: string) => at(id)?.position.x ?? Number.NaN;
    assert.ok(x(start) < x(each) && x(each) < x(last), JSON.stringify(flow.nodes));
    const width = at(each)?.size?.width ?? 0;
    assert.ok(x(first) > 0 && x(first) < x(second) && x(second) < width, JSON.stringify(flow.nodes));
    assert.ok(x(each) + width < x(last));
  });

  it("places the steps of a large flow over each other as little as those of a small one", () => {
    const drawing = createFlowDrawing();
    const start = drawing.add({ type: "start", id: "start" });
    const ends = Array.from({ length: 600 }, (_, index) => {
      const first = drawing.add({ type: "llm", id: `a${index}` }, exitOf(start));
      return exitOf(drawing.add({ type: "llm", id: `b${index}` }, exitOf(first)));
    });
    const join = drawing.add({ type: "llm", id: "join" }, ends.flat());
    const { nodes } = drawing.finish("x").flow;
    assert.equal(new Set(nodes.map(({ position: { x, y } }) => `${x} ${y}`)).size, nodes.length);
    assert.equal(nodes.find(({ id }) => id === join)?.position.x, Math.max(...nodes.map(({ position }) => position.x)));
  });

  it("shows replies that steps follow", () => {
    const drawing = createFlowDrawing();
    const first = drawing.add({ type: "direct-reply", id: "first", config: { message: "a" } });
    drawing.add({ type: "direct-reply", id: "last", config: { message: "b" } }, exitOf(first));
    const { nodes } = drawing.finish("x").flow;
    assert.deepEqual(
      nodes.map(({ config }) => config),
      [{ message: "a", reply: "always" }, { message: "b" }],
    );
  });

  it("says each thing once, with the label of the node", () => {
    const drawing = createFlowDrawing();
    const id = drawing.add({ type: "llm", id: "a", label: "Writer" });
    for (let time = 0; time < 2; time += 1) drawing.report(id).warn("odd", "It is odd.");
    drawing.report(null).refuse("foundry-copilot-topic", "All of it.");
    assert.deepEqual(drawing.finish("x").findings, [
      { level: "warning", code: "odd", nodeId: "a", message: 'Node "Writer": It is odd.' },
      { level: "error", code: "foundry-copilot-topic", nodeId: null, message: "All of it." },
    ]);
  });

  it("refuses a flow that is too large, and keeps no secret of it", () => {
    const drawing = createFlowDrawing();
    for (let index = 0; index < 2_001; index += 1) drawing.add({ type: "llm", id: "a" });
    drawing.keep({ name: "x", credentialName: "httpBearerToken", data: { token: "t" }, places: [] });
    const { flow, findings, secrets } = drawing.finish("x");
    assert.deepEqual([flow.nodes, secrets, findings.map(({ code }) => code)], [[], [], ["flow-too-large"]]);
  });
});

describe("choices of an import", () => {
  function imported(): ImportedFlow {
    const drawing = createFlowDrawing();
    const model = { model: "gpt-4o", temperature: 0.2 };
    const llm = drawing.add({ type: "llm", id: "a", config: { model } });
    const call = drawing.add({ type: "execute-flow", id: "b", config: { agentId: "" } });
    const agent = drawing.add({ type: "agent", id: "c", config: { knowledge: [{ storeId: "" }] } });
    drawing.ask("model", "gpt-4o", { nodeId: llm, path: "model" });
    drawing.ask(
      "agent",
      "Triage",
      { nodeId: call, path: "agentId" },
      { code: "foundry-agent-missing", text: "Choose one." },
    );
    drawing.ask("document-store", "vs_1", { nodeId: agent, path: "knowledge.0.storeId" });
    return drawing.finish("x");
  }
  const configs = ({ flow }: Pick<ImportedFlow, "flow">) => flow.nodes.map(({ config }) => config);

  it("go to every place, another model keeps how it answers, and what was missing no longer is", () => {
    const open = imported();
    assert.deepEqual(
      settle(open, []).findings.map(({ code, path }) => [code, path]),
      [["foundry-agent-missing", "agentId"]],
    );
    const { flow, findings } = settle(open, [
      { kind: "model", name: "gpt-4o", value: { provider: "anthropic", model: "claude" } },
      { kind: "agent", name: "Triage", value: "id-1" },
      { kind: "document-store", name: "vs_1", value: "id-2" },
      { kind: "agent", name: "Nobody asked for", value: "id-3" },
    ]);
    assert.deepEqual(findings, []);
    assert.deepEqual(configs({ flow }), [
      { model: { provider: "anthropic", model: "claude", temperature: 0.2 } },
      { agentId: "id-1" },
      { knowledge: [{ storeId: "id-2" }] },
    ]);
    assert.deepEqual(configs(settle(open, [])), configs(open), "the import itself is unchanged");
  });

  it("reach no prototype, and nothing beside the flow", () => {
    const { flow } = imported();
    const before = structuredClone(flow);
    for (const path of ["__proto__.polluted", "constructor.prototype.polluted", "nowhere.at.all"]) {
      fillIn(flow, [{ nodeId: "a", path }], () => "x");
    }
    assert.deepEqual(flow, before);
    assert.equal(({} as { polluted?: string }).polluted, undefined);
  });
});
