import type { NodeType } from "@weft/client";
import { errorPort, type FlowNode } from "@weft/schema";
import { canvasStrings } from "../../strings/canvas.ts";
import { whyNotConnect } from "./connection-rules.ts";
import type { FlowModel } from "./flow-model.ts";
import type { NodeCatalogue } from "./node-catalogue.ts";
import { searchNodeTypes } from "./search-node-types.ts";

export type PortChoice = { id: string; title: string };
export type ConnectionChoices = { steps: readonly FlowNode[]; types: readonly NodeType[] };

/** The outputs of a node, the error output last. Empty for nodes without outputs, such as notes. */
export function waysOut(node: FlowNode, catalogue: NodeCatalogue): PortChoice[] {
  const ports = catalogue.portsOf(node).map(({ id, title }) => ({ id, title }));
  return catalogue.hasErrorPort(node) ? [...ports, { id: errorPort, title: canvasStrings.node.onError }] : ports;
}

/** Possible targets of a port: the steps it can be connected to, and the types that can be added after it. */
export function connectionChoices(
  model: FlowModel,
  catalogue: NodeCatalogue,
  { source, sourcePort, query }: { source: string; sourcePort: string; query: string },
): ConnectionChoices {
  const word = query.trim().toLowerCase();
  const steps = [...model.nodes.values()].filter(
    (node) =>
      titleOf(node, catalogue).toLowerCase().includes(word) &&
      whyNotConnect(model, catalogue, { source, sourcePort, target: node.id }) === undefined,
  );
  const types = searchNodeTypes(catalogue.types, query).filter((type) => catalogue.hasInput(type));
  return { steps, types };
}

/** The name of a step on the canvas. */
export function titleOf(node: FlowNode, catalogue: NodeCatalogue): string {
  return node.label || catalogue.typeOf(node)?.title || node.id;
}
