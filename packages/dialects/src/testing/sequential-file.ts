import type { Json, JsonObject } from "@weft/schema";
import { type ClassicTestNode, classicFlow, nameOf, ref } from "./classic-file.ts";

export const seqStart = (inputs: JsonObject = {}): ClassicTestNode => ({
  id: "seqStart_0",
  inputs: { model: ref("chatOpenAI_0"), ...inputs },
});

export const chatModel: ClassicTestNode = { id: "chatOpenAI_0", inputs: { modelName: "m" } };

/** A component that follows others: `after` names their ids, or `id:Label` for the branch of a condition. */
export function step(
  id: string,
  after: string | string[],
  inputs: JsonObject = {},
): ClassicTestNode & { after: string[] } {
  return { id, inputs, after: [after].flat() };
}

const branching = new Set(["seqCondition", "seqConditionAgent"]);

/** A graph of agents of the first version, wired as the editor wires it: each reference stands in the list twice. */
export function sequentialFlow(nodes: (ClassicTestNode & { after?: string[] })[]): JsonObject {
  const { nodes: entries, edges } = classicFlow(nodes.map((node) => withLists(node, nodes)));
  const drawn = nodes.flatMap(({ id, after = [] }) => after.map((from) => toEdge(from, id)));
  const parts = (edges as JsonObject[]).filter(
    ({ targetHandle }) => !String(targetHandle).includes("-input-sequentialNode-"),
  );
  return { nodes: entries ?? [], edges: [...parts, ...drawn] };
}

function withLists(node: ClassicTestNode & { after?: string[] }, nodes: readonly { id: string; after?: string[] }[]) {
  const { after, inputs = {}, data = {}, ...rest } = node;
  const name = nameOf(node.id);
  const references = (after ?? []).map((from) => ref(from.split(":")[0] ?? ""));
  const list = after === undefined ? {} : { sequentialNode: [...references, ...references] };
  const category = /^(?:supervisor|worker)$/.test(name)
    ? "Multi Agents"
    : name.startsWith("seq")
      ? "Sequential Agents"
      : "Components";
  return {
    ...rest,
    inputs: { ...list, ...inputs },
    data: { category, ...(branching.has(name) ? { outputAnchors: [toAnchor(node.id, nodes)] } : {}), ...data },
  };
}

/** The outputs of a condition: one for each branch that something follows. */
function toAnchor(id: string, nodes: readonly { after?: string[] }[]): Json {
  const labels = nodes.flatMap(({ after = [] }) => after.filter((from) => from.startsWith(`${id}:`)));
  const names = new Set(["End", ...labels.map((from) => from.slice(id.length + 1))]);
  return { name: "output", options: [...names].map((label) => ({ id: toHandle(id, label), name: label, label })) };
}

function toHandle(id: string, label: string): string {
  const [first = "", ...rest] = label.toLowerCase().split(" ");
  return `${id}-output-${first}${rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("")}-Condition`;
}

function toEdge(from: string, target: string): JsonObject {
  const [source = "", label] = from.split(":");
  const sourceHandle = label === undefined ? `${source}-output-${nameOf(source)}-Agent` : toHandle(source, label);
  const targetHandle = `${target}-input-sequentialNode-Agent`;
  return { id: `${from}>${target}`, source, sourceHandle, target, targetHandle };
}
