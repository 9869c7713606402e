import type { NodeType } from "@weft/client";
import type { FlowEdge, FlowNode } from "@weft/schema";
import { type FlowModel, toModel } from "../flow-model.ts";
import { createNodeCatalogue } from "../node-catalogue.ts";

const facts = { version: 1, summary: "", icon: "", outline: [], executes: true, hasSubFlow: false };
const next = [{ id: "out", title: "Next" }];
const text = { type: "object", properties: { text: { type: "string", title: "Text", template: true } } };

const nodeTypes: NodeType[] = [
  { ...facts, type: "start", title: "Start", group: "start", config: {}, ports: next },
  { ...facts, type: "step", title: "Step", group: "model", config: text, ports: next, outline: ["text"] },
  {
    ...facts,
    type: "choose",
    title: "Choose",
    group: "logic",
    summary: "Takes a branch.",
    config: { type: "object", properties: { branches: { type: "array", title: "Branches", default: [] } } },
    ports: [
      { each: "branches", titleField: "title", title: "Branch {n}" },
      { id: "else", title: "Else" },
    ],
    outline: ["branches"],
  },
  {
    ...facts,
    type: "loop",
    title: "Loop",
    group: "logic",
    config: {
      type: "object",
      properties: {
        target: { type: "string", widget: "node" },
        times: { type: "integer", title: "At most", default: 5 },
      },
    },
    ports: next,
    outline: ["target", "times"],
  },
  {
    ...facts,
    type: "agent",
    title: "Agent",
    group: "model",
    config: {
      type: "object",
      properties: {
        messages: { type: "array", title: "Instructions", widget: "messages", default: [] },
        model: { type: "object", properties: { model: { type: "string", widget: "model" } } },
        tools: { type: "array", title: "Tools", widget: "tools", default: [] },
        knowledge: { type: "array", title: "Knowledge", default: [] },
      },
    },
    ports: next,
    outline: ["model.model", "tools", "knowledge"],
  },
  { ...facts, type: "each", title: "Each", group: "logic", config: {}, ports: next, hasSubFlow: true },
  { ...facts, type: "note", title: "Note", group: "note", config: {}, ports: [], executes: false },
];

export const testCatalogue = createNodeCatalogue(nodeTypes);

/** A node of the type that its id begins with; `more` may say anything else of it. */
export function testNode(id: string, more: Partial<FlowNode> = {}): FlowNode {
  const type = id.replace(/_.*$/, "");
  return { id, type, version: 1, label: id, position: { x: 0, y: 0 }, config: {}, ...more };
}

/** `a>b`, or `a:port>b`. */
export function testEdge(text: string): FlowEdge {
  const [from = "", target = ""] = text.split(">");
  const [source = "", sourcePort = "out"] = from.split(":");
  return { id: text, source, sourcePort, target };
}

/** Nodes by ids, or as `testNode` makes them; edges as `testEdge` reads them. */
export function testModel(nodes: readonly (string | FlowNode)[], edges: readonly string[] = []): FlowModel {
  return toModel({
    nodes: nodes.map((node) => (typeof node === "string" ? testNode(node) : node)),
    edges: edges.map(testEdge),
  });
}
