import type { Json, JsonObject } from "@weft/schema";

export type ClassicTestNode = {
  id: string;
  inputs?: JsonObject;
  /** The output that was chosen where there are several. */
  output?: string;
  label?: string;
  data?: JsonObject;
};

/** A reference to what a component became. */
export const ref = (id: string, path = ""): string => `{{${id}.data.instance${path}}}`;

/**
 * A classic chatflow: components by ids as the editor gives them. Its edges follow the references in their inputs; more
 * are given as `from>to`, or as `from:output>to` where they leave from one of several outputs.
 */
export function classicFlow(nodes: ClassicTestNode[], edges: string[] = []): JsonObject {
  const wired = nodes.flatMap((node) => toEdges(node, nodes));
  const drawn = edges.map(toEdge);
  const isNew = (edge: JsonObject) =>
    !drawn.some(({ source, target }) => source === edge.source && target === edge.target);
  return { nodes: nodes.map(toNode), edges: [...wired.filter(isNew), ...drawn] };
}

export function nameOf(id: string): string {
  return id.replace(/_\d+$/, "");
}

function toNode({ id, inputs = {}, output, label, data = {} }: ClassicTestNode, index: number): Json {
  const name = nameOf(id);
  return {
    id,
    type: "customNode",
    position: { x: index * 300, y: 0 },
    data: {
      id,
      name,
      label: label ?? name,
      category: categoryOf(name),
      inputs,
      outputs: output === undefined ? {} : { output },
      ...data,
    },
  };
}

function categoryOf(name: string): string {
  if (/(?:chat|query)engine$/i.test(name)) return "Engine";
  if (/agent(?:chat|llm|llamaindex)?$/i.test(name) || name === "openAIAssistant") return "Agents";
  if (/^(?:memoryVectorStore|documentStoreVS|pinecone|qdrant|faiss)$/.test(name)) return "Vector Stores";
  return /chain$/i.test(name) ? "Chains" : "Components";
}

function toEdges({ id, inputs = {} }: ClassicTestNode, nodes: ClassicTestNode[]): JsonObject[] {
  return Object.entries(inputs).flatMap(([input, value]) =>
    nodes
      .filter((source) => JSON.stringify(value).includes(ref(source.id).slice(0, -2)))
      .map((source) => ({
        id: `${source.id}-${id}-${input}`,
        source: source.id,
        sourceHandle: `${source.id}-output-${source.output ?? nameOf(source.id)}-Type`,
        target: id,
        targetHandle: `${id}-input-${input}-Type`,
      })),
  );
}

function toEdge(text: string): JsonObject {
  const [from = "", target = ""] = text.split(">");
  const [source = "", output = nameOf(from)] = from.split(":");
  const sourceHandle = `${source}-output-${output}-Type`;
  return { id: text, source, sourceHandle, target, targetHandle: `${target}-input-x-Type` };
}
