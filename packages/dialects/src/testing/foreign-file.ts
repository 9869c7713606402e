import type { Finding, FlowNode, Json, JsonObject } from "@weft/schema";
import { convertAgentFlowV2 } from "../agentflow-v2/convert-agentflow-v2.ts";

export type ForeignTestNode = { id: string; label?: string; parent?: string; inputs?: JsonObject; data?: JsonObject };

export const startNode: ForeignTestNode = { id: "startAgentflow_0", inputs: { startInputType: "chatInput" } };

/** An AgentFlow V2 document: nodes by ids as the editor gives them, edges as `from>to` or, of an output, `from:0>to`. */
export function foreignFlow(nodes: ForeignTestNode[], edges: string[] = []): JsonObject {
  return { nodes: nodes.map(toNode), edges: edges.map(toEdge), viewport: { x: 0, y: 0, zoom: 1 } };
}

/** The native config of one node that stands behind a start node, and the findings about it. */
export function convertNode(id: string, inputs: JsonObject, more: Partial<ForeignTestNode> = {}) {
  const node = { id, inputs, ...more };
  const { flow, findings } = convertAgentFlowV2(foreignFlow([startNode, node], [`${startNode.id}>${id}`]));
  return { node: nodeOf(flow, id), config: nodeOf(flow, id).config, codes: codesOf(findings), findings };
}

export function nodeOf(flow: { nodes: FlowNode[] }, id: string): FlowNode {
  const node = flow.nodes.find((candidate) => candidate.id === id);
  if (!node) throw new Error(`The flow has no node ${id}.`);
  return node;
}

export function codesOf(findings: readonly Finding[]): string[] {
  return findings.map(({ level, code }) => `${level} ${code}`);
}

function toNode({ id, label, parent, inputs = {}, data = {} }: ForeignTestNode, index: number): Json {
  const name = id.replace(/_\d+$/, "");
  return {
    id,
    type: name === "iterationAgentflow" ? "iteration" : "agentFlow",
    position: { x: index * 200, y: 40 },
    ...(parent === undefined ? {} : { parentNode: parent, extent: "parent" }),
    data: { id, name, label: label ?? id, category: "Agent Flows", version: 1, inputs, ...data },
  };
}

function toEdge(text: string): Json {
  const [from = "", target = ""] = text.split(">");
  const [source = "", output] = from.split(":");
  const sourceHandle = `${source}-output-${output ?? source.replace(/_\d+$/, "")}`;
  const id = `${source}-${sourceHandle}-${target}-${target}`;
  return { id, source, sourceHandle, target, targetHandle: target, type: "agentFlow", data: {} };
}
