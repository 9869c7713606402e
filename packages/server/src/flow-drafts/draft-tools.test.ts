import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { compileFlow } from "@weft/engine";
import { integrations } from "@weft/integrations";
import { nodeRegistry } from "@weft/nodes";
import { type Finding, type FlowDocument, type FlowEdit, flowDocumentSchema, removedSecret } from "@weft/schema";
import { createDraftTools, type Things } from "./draft-tools.ts";
import { createFlowEdits } from "./flow-edits.ts";

const blank: FlowDocument = flowDocumentSchema.parse({
  weft: 1,
  nodes: [{ id: "start", type: "start", label: "Start" }],
  edges: [],
});

const nothing = async () => [];
const things: Things = {
  ...{ agent: nothing, credential: async () => [{ id: "c1", name: "Shop", type: "httpBearer" }], variable: nothing },
  ...{ "document-store": nothing, "custom-tool": nothing, "mcp-server": nothing },
};

function open(starting = blank) {
  const edits = createFlowEdits(nodeRegistry, starting);
  const made: FlowEdit[] = [];
  const check = async (): Promise<Finding[]> => [...compileFlow(JSON.stringify(edits.flow()), nodeRegistry).findings];
  const onEdit = (edit: FlowEdit) => void made.push(edit);
  const tools = createDraftTools({ edits, nodeTypes: nodeRegistry, integrations, things, check, onEdit });
  const send = (name: string, given: unknown) =>
    tools.call({ id: "1", name, arguments: typeof given === "string" ? given : JSON.stringify(given) });
  /** Resolves with the answer to a call that must succeed. */
  const must = async (name: string, given: object) => {
    const { content, isError } = await send(name, given);
    assert.equal(isError, false, `${name} ${JSON.stringify(given).slice(0, 300)}: ${content}`);
    return content;
  };
  const refused = async (name: string, given: unknown, why: RegExp) => {
    const before = JSON.stringify(edits.flow());
    const { content, isError } = await send(name, given);
    assert.equal(isError, true, content);
    assert.match(content, why);
    assert.equal(JSON.stringify(edits.flow()), before, "A refused edit changes nothing.");
  };
  return { edits, tools, made, must, refused };
}

const root = new URL("../../../../", import.meta.url);
const files = globSync("{templates/*/*.flow.json,flows/*.flow.json}", { cwd: root }).sort();

describe("the tools of a draft", () => {
  for (const file of files) {
    it(`build ${file}, step by step`, async () => {
      const wanted = flowDocumentSchema.parse(JSON.parse(readFileSync(new URL(file, root), "utf8")));
      const start = wanted.nodes.find(({ type, parent }) => type === "start" && parent === undefined);
      assert.ok(start);
      const { edits, must } = open(
        flowDocumentSchema.parse({ ...blank, nodes: [{ ...blank.nodes[0], id: start.id }] }),
      );
      await must("set_fields", { step: start.id, fields: start.config });
      await must("rename_step", { step: start.id, label: start.label || "Start" });
      for (const { id, type, label, config, parent } of wanted.nodes) {
        if (id === start.id) continue;
        await must("add_step", { id, type, label, config, ...(parent !== undefined && { inside: parent }) });
      }
      for (const { source, sourcePort, target } of wanted.edges) {
        await must("connect", { from: { step: source, port: sourcePort }, to: target });
      }
      const outline = ({ nodes, edges }: FlowDocument) => ({
        nodes: nodes.map(({ id, type, label, parent, config }) => ({ id, type, label, parent, config })).toSorted(byId),
        edges: edges.map(({ source, sourcePort, target }) => `${source} ${sourcePort} ${target}`).toSorted(),
      });
      assert.deepEqual(outline(edits.flow()), outline(wanted));
      const placed = edits.flow().nodes.map(({ parent, position: { x, y } }) => `${parent} ${x} ${y}`);
      assert.equal(new Set(placed).size, placed.length, "No step lies on another.");
    });
  }

  it("refuse what a flow cannot have, in sentences that say what it can", async () => {
    const { must, refused, edits } = open();
    await must("add_step", { type: "llm", label: "Answer", after: { step: "start" } });
    await must("add_step", {
      type: "iteration",
      label: "Each",
      after: { step: "answer" },
      config: { items: "{{ answer }}" },
    });
    await refused("add_step", { type: "teleport", label: "Away" }, /no kind of step "teleport".*llm/);
    await refused("add_step", { type: "constructor", label: "x" }, /no kind of step/);
    await refused("add_step", { type: "start", label: "Again" }, /has its start step/);
    await refused("add_step", { type: "llm", label: "x", config: { promt: 5, prompt: 5 } }, /prompt/);
    await refused(
      "add_step",
      { type: "llm", label: "x", after: { step: "nobody" } },
      /no step "nobody".*start, answer/,
    );
    await refused(
      "add_step",
      { type: "llm", label: "x", after: { step: "start", port: "left" } },
      /no port "left".*out, error/,
    );
    await refused("add_step", { type: "llm", label: "x", inside: "answer" }, /takes no steps inside/);
    await refused(
      "add_step",
      { type: "llm", label: "x", inside: "each", after: { step: "answer" } },
      /outside it are not connected/,
    );
    await refused("connect", { from: { step: "answer" }, to: "start" }, /Nothing leads to the start step/);
    await refused("connect", { from: { step: "each" }, to: "answer" }, /circle.*loop/);
    await refused("disconnect", { from: { step: "start" }, to: "each" }, /No connection leads/);
    await refused("remove_step", { step: "start" }, /needs its start step/);
    await refused(
      "set_fields",
      { step: "answer", fields: { "messages.3.content": "x" } },
      /list of 0 entries has no place "3"/,
    );
    await refused("set_fields", { step: "answer", fields: { __proto__x: 1, "__proto__.polluted": 1 } }, /no setting/);
    await refused("set_fields", { step: "answer", fields: { [".".repeat(5_000)]: 1 } }, /no setting/);
    await refused(
      "set_fields",
      { step: "answer", fields: { prompt: `Bearer ${removedSecret}` } },
      /a secret that you cannot see/,
    );
    await refused("set_fields", { step: "answer", fields: { prompt: "x".repeat(200_001) } }, /longer than|200000/);
    await refused("launch", {}, /no tool "launch"/);
    await refused("connect", "{not json", /no JSON/);
    await refused("connect", `${"[".repeat(5_000)}${"]".repeat(5_000)}`, /no JSON, or too deep/);
    await refused("connect", { from: "start" }, /arguments are wrong/);
    assert.deepEqual(Object.keys(Object.prototype), []);
    assert.equal(edits.flow().nodes.length, 3);
  });

  it("hold a draft to a size", async () => {
    const { must, refused } = open();
    for (let count = 1; count < 200; count += 1) await must("add_step", { type: "direct-reply", label: "Reply" });
    await refused("add_step", { type: "direct-reply", label: "Reply" }, /at most 200 steps/);
  });

  it("lose the edges of a port that its settings take away, and of a removed step", async () => {
    const { must, edits } = open();
    const branch = (id: string) => ({
      id,
      conditions: [{ type: "string", left: "{{ question }}", operation: "contains", right: id }],
    });
    await must("add_step", {
      type: "condition",
      label: "Which",
      after: { step: "start" },
      config: { branches: [branch("a"), branch("b")] },
    });
    await must("add_step", { type: "direct-reply", label: "A", after: { step: "which", port: "a" } });
    await must("add_step", { type: "direct-reply", label: "B", after: { step: "which", port: "b" } });
    await must("set_fields", { step: "which", fields: { "branches.0": null } });
    assert.deepEqual(
      edits.flow().edges.map(({ id }) => id),
      ["start-out-which", "which-b-b"],
    );
    await must("remove_step", { step: "which" });
    assert.deepEqual(edits.flow().edges, []);
  });

  it("tell each edit, and end when the draft has no error that its author can correct", async () => {
    const { must, refused, made, tools } = open();
    await must("add_step", {
      type: "llm",
      label: "Answer",
      after: { step: "start" },
      config: { prompt: "{{ nobody }}" },
    });
    await must("add_step", { type: "condition", label: "Empty", after: { step: "answer" } });
    await refused("finish", { summary: "Done" }, /Not yet.*\nerror answer prompt: .*nobody/);
    await must("set_fields", {
      step: "answer",
      fields: { prompt: null, "messages.0": { role: "system", content: "Be brief." } },
    });
    await must("remove_step", { step: "empty" });
    await must("finish", { name: "Helper", summary: "It answers.", open: ["Choose a store."] });
    assert.deepEqual(tools.finished(), { name: "Helper", summary: "It answers.", open: ["Choose a store."] });
    assert.deepEqual(made[0], { kind: "added", step: "answer", label: "Answer" });
    assert.deepEqual(made.at(-1), { kind: "removed", step: "empty", label: "Empty" });
  });

  it("describe settings without what only forms read, and what there is by name", async () => {
    const { must } = open();
    const described = await must("describe_steps", { kinds: ["llm", "nothing"] });
    assert.match(described, /^llm: .*\n\{.*"messages"/);
    assert.match(described, /no kind "nothing"/);
    assert.doesNotMatch(described, /"widget"|"labels"|"goesTo"/);
    assert.match(await must("describe_tools", { kinds: ["request-get"] }), /"url"/);
    assert.equal(await must("list_things", { kind: "credential" }), '[{"id":"c1","name":"Shop","type":"httpBearer"}]');
    assert.match(await must("list_things", { kind: "agent" }), /no agent/);
  });
});

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1;
}
