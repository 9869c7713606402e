import type { NodeType } from "@weft/client";
import { errorPort, type FlowEdge, type FlowNode } from "@weft/schema";
import { shownLabel } from "../../described/node-title.ts";
import { canvasStrings } from "../../strings.ts";
import type { FlowModel } from "./flow-model.ts";
import { type NodeCatalogue, searchNodeTypes } from "./node-catalogue.ts";

export type Connection = Omit<FlowEdge, "id">;

const { refused } = canvasStrings;

/** Why two nodes cannot be connected, as a sentence with the alternative; undefined if they can. */
export function whyNotConnect(
  model: FlowModel,
  catalogue: NodeCatalogue,
  { source: sourceId, sourcePort, target: targetId }: Connection,
): string | undefined {
  const source = model.nodes.get(sourceId);
  const target = model.nodes.get(targetId);
  if (!source || !target) return refused.gone;
  if (source === target) return refused.itself;
  if (!catalogue.hasInput(target)) return catalogue.isNote(target) ? refused.note : refused.intoStart;
  if (!catalogue.hasPort(source, sourcePort))
    return refused.port({ label: titleOf(source, catalogue), port: sourcePort });
  if (source.parent !== target.parent) return whyNotAcross(model, catalogue, source, target);
  const edges = [...model.edges.values()];
  if (edges.some((edge) => isSameConnection(edge, { source: sourceId, sourcePort, target: targetId })))
    return refused.already;
  return leadsTo(edges, targetId, sourceId) ? refused.cycle : undefined;
}

function isSameConnection(a: Connection, b: Connection): boolean {
  return a.source === b.source && a.sourcePort === b.sourcePort && a.target === b.target;
}

/** Whether an edge leaves from the error port, and so has another colour. */
export function isErrorEdge({ sourcePort }: FlowEdge): boolean {
  return sourcePort === errorPort;
}

function whyNotAcross({ nodes }: FlowModel, catalogue: NodeCatalogue, source: FlowNode, target: FlowNode): string {
  const around = nodes.get(source.parent ?? target.parent ?? "");
  return refused.acrossLevels({ label: around ? titleOf(around, catalogue) : "" });
}

function leadsTo(edges: readonly FlowEdge[], from: string, to: string): boolean {
  const outgoing = Map.groupBy(edges, ({ source }) => source);
  const open = [from];
  const seen = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    for (const { target } of outgoing.get(id) ?? []) open.push(target);
  }
  return false;
}

type PortChoice = { id: string; title: string };
type ConnectionChoices = { steps: readonly FlowNode[]; types: readonly NodeType[] };

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

export function titleOf(node: FlowNode, catalogue: NodeCatalogue): string {
  return shownLabel(node.label, catalogue.typeOf(node)) || node.id;
}
